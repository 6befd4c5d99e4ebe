"""Short ways to make values for tests; what a test does not care about has a default.

Ids are made from short names (``fact_…`` from ``a_fact("tea")`` would hide which is which), so a
test reads ``a_fact("f1", claims=("c1",))``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from graphmem.model.changes import ChangeSet, Decide, Decision, Snapshot, Wanted
from graphmem.model.claim import Claim, Link, Mention, Modality, Polarity, Said
from graphmem.model.entity import SELF_KEY, Entity, Suggestion, Value
from graphmem.model.episode import Channel, Episode, Reading, Role, content_digest
from graphmem.model.fact import Fact, Status
from graphmem.model.scope import Scope
from graphmem.model.text import normal_key
from graphmem.model.time import DAY, Bound, Interval

T0 = 1_700_000_000_000_000
"""An instant (14 November 2023, microseconds UTC); T1, T2 and T3 are one, two and three days on."""
T1 = T0 + DAY
T2 = T1 + DAY
T3 = T2 + DAY

ANA = Scope("default", "ana")
"""A scope; BOB is another one of the same tenant."""
BOB = Scope("default", "bob")


def an_episode(id: str = "e1", content: str = "I drink tea.", **changes: Any) -> Episode:
    """Return a turn of the user, said at T0; ``changes`` replace fields."""  # Any: by field
    episode = Episode(
        id=id,
        key=f"key of {id}",
        session="s1",
        agent=None,
        place=0,
        role=Role.USER,
        speaker=None,
        content=content,
        occurred_at=T0,
        zone="UTC",
        time_given=True,
        created_at=0,
        channel=Channel.CHAT,
        digest=content_digest(content),
        reading=Reading.READ,
    )
    return replace(episode, **changes)


def an_entity(id: str = "self", name: str | None = None, **changes: Any) -> Entity:
    """Return an entity called ``name`` (or as its id); ``self`` is the scope's own user."""
    shown = name or id
    key = SELF_KEY if id == "self" else normal_key(shown)
    entity = Entity(id=id, name=shown, key=key, is_self=id == "self")
    return replace(entity, **changes)


def a_claim(id: str = "c1", episode: str = "e1", said: int = T0, **changes: Any) -> Claim:
    """Return a claim that the user drinks tea; ``changes`` replace fields."""
    claim = Claim(
        id=id,
        episode=episode,
        session="s1",
        subject=Mention("I", is_self=True),
        predicate="drinks",
        object=Mention("tea"),
        quote="I drink tea.",
        said=Said(said),
        statement="The user drinks tea.",
    )
    return replace(claim, **changes)


def a_link(
    claim: str = "c1",
    object: Value | None = None,
    *,
    subject: str = "self",
    predicate: str = "drinks",
    polarity: Polarity = Polarity.POSITIVE,
) -> Link:
    """Return what a claim's words mean."""
    return Link(claim, subject, predicate, object, polarity)


def a_fact(
    id: str = "f1",
    *,
    record: str | None = None,
    claims: tuple[str, ...] = ("c1",),
    said: int = T0,
    start: int | None = T0,
    end: int | None = None,
    **changes: Any,
) -> Fact:
    """Return a held fact that the user drinks tea, from ``start`` to ``end``."""
    fact = Fact(
        id=id,
        record=record or f"{id}/1",
        subject=Value.entity(an_entity()),
        predicate="drinks",
        object=Value.literal("tea"),
        polarity=Polarity.POSITIVE,
        modality=Modality.ASSERTED,
        qualifiers=(),
        statement="The user drinks tea.",
        interval=Interval(
            None if start is None else Bound(start, start),
            None if end is None else Bound(end, end),
        ),
        status=Status.HELD,
        event=False,
        confidence=1.0,
        importance=5,
        said=Said(said),
        claims=claims,
    )
    return replace(fact, **changes)


def a_suggestion(id: str = "same1", first: str = "rosa", second: str = "rosie") -> Suggestion:
    """Return an open suggestion that two entities are one."""
    return Suggestion(id, first, second, "their names are alike")


def told(
    id: str = "1",
    object: Value | None = None,
    *,
    said: int = T0,
    subject: str = "self",
    predicate: str = "drinks",
    session: str | None = "s1",
    agent: str | None = None,
    **changes: Any,
) -> ChangeSet:
    """Return a change with one turn ``eID``, one claim ``cID`` and one fact ``fID`` on it.

    ``changes`` replace fields of the fact. The entities are not in it.
    """
    statement = str(changes.get("statement", "The user drinks tea."))
    value = Value.literal("tea") if object is None else object
    episode = an_episode(
        f"e{id}", statement, session=session, agent=agent, occurred_at=said, place=0
    )
    claim = a_claim(
        f"c{id}",
        f"e{id}",
        said,
        session=session,
        predicate=predicate,
        quote=statement,
        statement=statement,
    )
    link = a_link(f"c{id}", value, subject=subject, predicate=predicate)
    fact = a_fact(
        f"f{id}",
        claims=(f"c{id}",),
        said=said,
        start=said,
        subject=Value.entity(an_entity(subject)),
        predicate=predicate,
        object=value,
    )
    return ChangeSet(
        episodes=(episode,), claims=(claim,), links=(link,), facts=(replace(fact, **changes),)
    )


def writing(changes: ChangeSet) -> Decide:
    """Return a decision that reads nothing and writes ``changes``."""

    def decide() -> Decision:
        yield Wanted()
        return changes

    return decide


def reading(wanted: Wanted, seen: list[Snapshot]) -> Decide:
    """Return a decision that puts what it is sent for ``wanted`` in ``seen`` and writes nothing."""

    def decide() -> Decision:
        seen.append((yield wanted))
        return ChangeSet()

    return decide
