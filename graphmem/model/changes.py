"""What a write reads, decides and writes: the currency between the engine and a graph store.

A decision is a generator: it yields what it wants to read, is sent the snapshot, may want more,
and returns a change set. It does no I/O and reads no clock, so a store may run it again from the
start whenever its transaction has to be repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, fields

from graphmem.model.claim import Claim, Link, LinkedClaim
from graphmem.model.entity import Entity, Suggestion
from graphmem.model.episode import Episode, Reading
from graphmem.model.fact import Fact
from graphmem.model.tail import Tail


@dataclass(frozen=True, slots=True)
class Family:
    """The claims and live facts of a subject and predicate.

    Attributes:
        subject: entity id.
        predicate: canonical slug.
        object: a value key; then only rows of that object, without an object, or that correct
            something. None means all.
        either: also rows whose object is ``subject`` (symmetric predicates). With an ``object``:
            rows between the two in either direction, and those of either without an object, or
            that correct something.
    """

    subject: str
    predicate: str
    object: str | None = None
    either: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NameQuery:
    """What is looked for beside one name.

    Attributes:
        words: terms; the ``limit`` names that share most of them. Words that more than ``most``
            names hold tell nothing.
        keys: whole names or aliases, normalised. newest: how many of the newest things.
    """

    words: tuple[str, ...] = ()
    limit: int = 10
    most: int = 200
    keys: tuple[str, ...] = ()
    newest: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a decision reads next; every part may be empty.

    Attributes:
        episode_keys, episodes: episodes by what they are known by, and by id.
        entity_keys: entities by normalised name or alias. The scope's own user is always sent.
        entities: entities by id; a merged one brings the one that took its place.
        families: claims (withdrawn ones too) and live facts (of every status).
        tails: families of which the tail will do, where they hold more than ``few`` claims and
            have one; the others are read whole, as ``families`` are.
        touching: entity ids; the claims and live facts that have one as subject or object.
        claims, facts: by id. A fact brings its claims.
        said_in: episode ids; the claims said in them.
        histories: families whose whole record history is wanted (for erasing).
        suggestions: whether all suggestions are wanted.
        alike: for each of these, things (not merged) that share words with a name, have one of
            the keys, or are among the newest.
    """

    episode_keys: tuple[str, ...] = ()
    episodes: tuple[str, ...] = ()
    entity_keys: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    families: tuple[Family, ...] = ()
    tails: tuple[Family, ...] = ()
    few: int = 0
    touching: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    said_in: tuple[str, ...] = ()
    histories: tuple[Family, ...] = ()
    suggestions: bool = False
    alike: tuple[NameQuery, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing is wanted."""
        return not any(getattr(self, part.name) for part in fields(self))


@dataclass(frozen=True, slots=True)
class ClaimHistory:
    """A claim with the record intervals of its links and withdrawals (``[from, to)``)."""

    claim: Claim
    created_at: int
    links: tuple[tuple[Link, int, int], ...]
    withdrawals: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What a store sends for a ``Wanted``, all inside one transaction.

    Attributes:
        now: the change's record time, microseconds UTC, later than the scope's last.
        number: the scope's change number this change will have.
        episodes, entities, claims, facts, suggestions: what was asked for, without duplicates;
            facts are live records, of every status.
        histories: every claim of the wanted histories; records: every fact record of them.
        tails: of the families that were not read whole.
        alike: what each query finds, in their order, each thing once.
    """

    now: int
    number: int
    episodes: tuple[Episode, ...] = ()
    entities: tuple[Entity, ...] = ()
    claims: tuple[LinkedClaim, ...] = ()
    facts: tuple[Fact, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    histories: tuple[ClaimHistory, ...] = ()
    records: tuple[Fact, ...] = ()
    tails: tuple[Tail, ...] = ()
    alike: tuple[tuple[Entity, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class ReadMark:
    """That an episode was read, skipped, or stays pending and why."""

    episode: str
    reading: Reading
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """That a claim is withdrawn, or (``lifted``) stands again, from this change on."""

    claim: str
    lifted: bool = False
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Rests:
    """The claims a live fact rests on from now on, where nothing else of it changed.

    With ``more`` they are added to those it rests on, which nobody need read; the fact may then
    have a new record in the same change, whatever claims that names.
    """

    fact: str
    claims: tuple[str, ...]
    more: bool = False


@dataclass(frozen=True, slots=True)
class GaveWay:
    """That a fact id has no live record any more, and the id that took its place."""

    fact: str
    successor: str | None


@dataclass(frozen=True, slots=True)
class Blanked:
    """An episode whose content changes because quotes in it were erased."""

    episode: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """What leaves physically in this change, with everything that hangs on it.

    Attributes:
        episodes, claims, entities, facts: ids; all records, links, terms and revisions of them
            go too.
        blanked: episodes that stay with words blanked; their digest is emptied.
        rewritten: claims that stay and whose quote or statement held erased words; quote and
            statement are written anew, nothing else of them changes.
        records: rebuilt records, written as given, with their own record times.
    """

    episodes: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    blanked: tuple[Blanked, ...] = ()
    rewritten: tuple[Claim, ...] = ()
    records: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSet:
    """What one change writes, all or nothing.

    The store stamps ``created_at`` of new rows and records with the snapshot's ``now``; of a fact
    in ``facts`` it ends the live record of the same id and keeps the links to its claims in step
    with ``Fact.claims``. It writes an outbox row for every episode, entity and fact touched.

    Attributes:
        episodes: new ones. reads: what became of episodes' extraction.
        entities: new ones, and changed ones under their id.
        claims, links: new claims; links that take the place of a claim's live link.
        withdrawals: claims withdrawn or standing again.
        facts: new live records.
        rests: changes of evidence alone. gave_way: ids that ended.
        suggestions: new, or changed under their id.
        erased: what goes for good.
    """

    episodes: tuple[Episode, ...] = ()
    reads: tuple[ReadMark, ...] = ()
    entities: tuple[Entity, ...] = ()
    claims: tuple[Claim, ...] = ()
    links: tuple[Link, ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()
    facts: tuple[Fact, ...] = ()
    rests: tuple[Rests, ...] = ()
    gave_way: tuple[GaveWay, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    erased: Erased | None = None

    @property
    def empty(self) -> bool:
        """Whether there is nothing to write."""
        return not any(getattr(self, part.name) for part in fields(self))


Decision = Generator[Wanted, Snapshot, ChangeSet]
Decide = Callable[[], Decision]
"""Makes a fresh decision; called again for each try of the transaction."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A committed change.

    Attributes:
        number: the scope's change number (unchanged if there was nothing to write).
        at: record time.
        changes: what was written.
    """

    number: int
    at: int
    changes: ChangeSet
