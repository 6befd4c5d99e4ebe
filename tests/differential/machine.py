"""The state machine of the histories, driving twins, with verbs and questions beside its own."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import rule

from benchmarks.stories import read
from graphmem.errors import GraphmemError
from graphmem.model.fact import Fact
from graphmem.retrieval.recipes import RECIPES
from tests.differential.household import Household, Server
from tests.differential.pairing import DifferenceError
from tests.histories.days import FAR, date, iso, noon
from tests.histories.house import SCOPES, Scope
from tests.histories.machine import Histories, days, numbers

FREE: Scope = ("default", "cy")
"""Told anything: no model follows it, so the two memories are compared with each other alone."""

_LABELLED = Path(__file__).parents[1] / "patterns" / "labelled_en.jsonl"
TALK = (
    *(turn["text"] for story in read(None) for turn in story["turns"]),
    *(
        text
        for line in _LABELLED.read_text("utf-8").splitlines()
        if (text := json.loads(line).get("text"))
    ),
    "My sister Noor lives in Riga with her friend Tom.",
    "Tom Berg works at Larch. Larch is based in Cesis.",
    "My boss is Tom. Tom's wife is called Noor Abdi.",
    "Noor is allergic to peanuts, and pad thai contains peanuts.",
    "Dr. Tom Berg is my dentist.",
    "我姐姐诺尔住在杭州，她对花生过敏。",
    "I love `odd \"names\"]->() like Bo\\' O'Hara.",
    "What did I tell you about Riga? And if I lived in Cesis?",
    "No, I meant Cesis.",
    "密码是 hunter2hunter2, my key is sk-abcdefghijklmnopqrstuvwx1234.",
)
QUESTIONS = (
    "where do I live?",
    "Where did I live before?",
    "我住在哪里？",
    "Who works at Larch?",
    "what do I like, and what do I not like?",
    "Where does my sister live?",
    "What is my boss's wife allergic to?",
    "which dishes contain what Noor is allergic to?",
    "tell me about Tom",
    "does she have pets?",
    "我喜欢什么茶",
    "everything about Riga since January",
    "*",
    'zzz "]->() OR',
)
PREDICATES = ("lives_in", "works_at", "knows", "has_sister", "likes", "has_role", "made of `x`")
NAMES = ("me", "Noor", "Noor Abdi", "Tom", "Tom Berg", "Larch", "Riga", "杭州", "诺尔", "T. Berg")
SESSIONS = (None, None, "s1", "a long session " * 30)
AGENTS = (None, None, "bot")
EVERY: dict[str, Any] = {  # Any: options of facts and search, by name
    "include_ended": True,
    "include_disputed": True,
    "include_retracted": True,
}

all_scopes = st.sampled_from((FREE, FREE, *SCOPES[:2]))
instants = st.one_of(
    st.none(),
    st.none(),
    st.integers(-30, 140).map(date),
    st.sampled_from(("2025", "2025-02", "2024-12", "2025-04")),
)


class Differential(Histories):
    """Both memories are told the same, and asked the same."""

    house: Household

    def __init__(self, server: Server, counts: Counter[str]) -> None:
        super().__init__(Household(server, counts))
        self.known = [noon(100)]

    # --- Telling without a model

    def _done(self) -> None:
        house = self.house
        self.known.append(house.now)
        house.counts["free"] += 1
        house.wait(1_000_000)
        tenant, user = FREE
        mem = house.mem
        with suppress(GraphmemError):
            mem.facts(user=user, tenant=tenant, limit=1000)
            mem.facts(user=user, tenant=tenant, valid_at=iso(FAR), limit=1000, **EVERY)

    def _free(self, index: int) -> Fact | None:
        tenant, user = FREE
        listed = self.house.mem.facts(
            user=user, tenant=tenant, valid_at=iso(FAR), limit=1000, **EVERY
        ).items
        return listed[index % len(listed)] if listed else None

    @rule(
        turns=st.lists(st.tuples(st.sampled_from(TALK), days), min_size=1, max_size=4),
        session=st.sampled_from(SESSIONS),
        agent=st.sampled_from(AGENTS),
        role=st.sampled_from(("user", "user", "user", "assistant")),
        ails=st.integers(0, 9),
    )
    def talk(
        self,
        turns: list[tuple[str, int]],
        session: str | None,
        agent: str | None,
        role: str,
        ails: int,
    ) -> None:
        """Say anything, with labels; perhaps while extractor and embedder are away."""
        tenant, user = FREE
        content = [
            {"role": role, "content": text, "occurred_at": iso(noon(day))} for text, day in turns
        ]
        self.house.ail(down=not ails)
        self.house.mem.add(content, user=user, tenant=tenant, session=session, agent=agent)
        if not ails:
            self.house.mem.search(QUESTIONS[0], user=user, tenant=tenant)
        self.house.ail(down=False)
        if not ails:
            # Else an embedder that was away is asked again after a while, which either may meet.
            self.house.mem.repair()
        self._done()

    @rule(
        subject=st.sampled_from(NAMES),
        predicate=st.sampled_from(PREDICATES),
        thing=st.one_of(st.none(), st.sampled_from(NAMES)),
        day=days,
        first=st.one_of(st.none(), st.none(), days),
        last=st.one_of(st.none(), st.none(), days),
        source=st.sampled_from(("user", "user", "document", "assistant", "tool")),
        polarity=st.sampled_from(("+", "+", "+", "-", "?")),
        session=st.sampled_from(SESSIONS),
        importance=st.integers(0, 10),
    )
    def state(
        self,
        subject: str,
        predicate: str,
        thing: str | None,
        day: int,
        first: int | None,
        last: int | None,
        importance: int,
        **more: Any,  # Any: arguments of add_fact, by name
    ) -> None:
        """State a relation between any two, now and then one that is refused."""
        tenant, user = FREE
        with suppress(GraphmemError):
            self.house.mem.add_fact(
                subject,
                predicate,
                thing,
                user=user,
                tenant=tenant,
                occurred_at=iso(noon(day)),
                valid_from=None if first is None else date(first),
                valid_to=None if last is None else date(last),
                importance=importance,
                **more,
            )
        self._done()

    @rule(
        verb=st.sampled_from(("correct", "retract", "restore", "erase", "erase")),
        index=numbers,
        thing=st.sampled_from(NAMES),
    )
    def alter(self, verb: str, index: int, thing: str) -> None:
        """Correct, take back, restore or erase anything."""
        fact = self._free(index)
        tenant, user = FREE
        mem = self.house.mem
        if fact is None:
            return
        with suppress(GraphmemError):
            if verb == "correct":
                mem.correct(fact.id, user=user, tenant=tenant, object=thing)
            elif verb == "retract":
                mem.retract(fact.id, user=user, tenant=tenant, reason="it was not so")
            elif verb == "restore":
                mem.restore(fact.id, user=user, tenant=tenant)
            elif index % 3:
                mem.erase(user=user, tenant=tenant, fact=fact.id)
            else:
                (evidence, *_) = mem.explain(fact.id, user=user, tenant=tenant).claims
                mem.erase(user=user, tenant=tenant, episode=evidence.claim.episode)
        self._done()

    @rule(one=st.sampled_from(NAMES), other=st.sampled_from(NAMES), splits=st.booleans())
    def join(self, one: str, other: str, splits: bool) -> None:
        """Make one of any two, or two of one."""
        tenant, user = FREE
        mem = self.house.mem
        with suppress(GraphmemError):
            if splits:
                mem.split(one, out_of=other, user=user, tenant=tenant)
            else:
                mem.merge([one], into=other, user=user, tenant=tenant)
        self._done()

    @rule(index=numbers, verb=st.sampled_from(("confirm", "reject", "undo")))
    def suggested(self, index: int, verb: str) -> None:
        """Decide on what may be one."""
        tenant, user = FREE
        mem = self.house.mem
        with suppress(GraphmemError):
            open_ = mem.suggestions(user=user, tenant=tenant)
            if open_:
                getattr(mem, verb)(open_[index % len(open_)].id, user=user, tenant=tenant)
        self._done()

    @rule(everybody=st.booleans())
    def retry(self, everybody: bool) -> None:
        """Read what could not be read before."""
        with suppress(GraphmemError):
            self.house.mem.retry_pending(user=None if everybody else FREE[1], tenant=FREE[0])
        self._done()

    @rule(often=st.integers(0, 2))
    def migrate(self, often: int) -> None:
        """Let both change places."""
        if often == 0:
            self.house.migrate()
            self._done()

    # --- Asking

    @rule(
        scope=all_scopes,
        question=st.sampled_from(QUESTIONS),
        valid_at=instants,
        known=st.one_of(st.none(), st.none(), numbers),
        more=st.sets(st.sampled_from([*EVERY])),
        kinds=st.sampled_from((None, None, None, ("fact",), ("chunk",), ("fact", "chunk"))),
        recipe=st.sampled_from(("default", "default", *RECIPES)),
        session=st.sampled_from((None, None, None, "s1")),
        limit=st.sampled_from((3, 10, 50)),
    )
    def question(
        self,
        scope: Scope,
        question: str,
        valid_at: str | None,
        known: int | None,
        more: set[str],
        kinds: tuple[str, ...] | None,
        recipe: str,
        session: str | None,
        limit: int,
    ) -> None:
        """Ask in words, with any filters."""
        tenant, user = scope
        self.house.counts["questions"] += 1
        known_at = None if known is None else iso(self.known[known % len(self.known)])
        asked: dict[str, Any] = {"user": user, "tenant": tenant, "session": session}
        asked |= {"valid_at": valid_at, "known_at": known_at}
        with suppress(GraphmemError):
            self.house.mem.search(
                question,
                kinds=kinds,
                recipe=recipe,
                limit=limit,
                **asked,
                **{name: EVERY[name] for name in more},
            )
            self.house.mem.context(question, max_tokens=300, **asked)

    @rule(
        scope=all_scopes,
        subject=st.one_of(st.none(), st.sampled_from((*NAMES, "nobody"))),
        predicate=st.one_of(st.none(), st.sampled_from(PREDICATES)),
        valid_at=instants,
        known=st.one_of(st.none(), numbers),
        more=st.sets(st.sampled_from([*EVERY])),
        session=st.sampled_from((None, None, None, "s1")),
        limit=st.sampled_from((1, 3, 100)),
    )
    def listing(
        self,
        scope: Scope,
        subject: str | None,
        valid_at: str | None,
        known: int | None,
        more: set[str],
        **asked: Any,  # Any: arguments of facts, by name
    ) -> None:
        """List by any filters, page by page."""
        tenant, user = scope
        known_at = None if known is None else iso(self.known[known % len(self.known)])
        cursor: str | None = None
        with suppress(GraphmemError):
            for _ in range(6):
                page = self.house.mem.facts(
                    user=user,
                    tenant=tenant,
                    subject=subject,
                    valid_at=valid_at,
                    known_at=known_at,
                    cursor=cursor,
                    **asked,
                    **{name: EVERY[name] for name in more},
                )
                cursor = page.cursor
                if cursor is None:
                    break

    @rule(scope=all_scopes, index=numbers)
    def closely(self, scope: Scope, index: int) -> None:
        """Look at everything there is of some facts, and at entities and suggestions."""
        tenant, user = scope
        mem = self.house.mem
        with suppress(GraphmemError):
            mem.suggestions(user=user, tenant=tenant)
            page = mem.entities(user=user, tenant=tenant, limit=3)
            while page.cursor is not None:
                page = mem.entities(user=user, tenant=tenant, limit=3, cursor=page.cursor)
            listed = mem.facts(
                user=user, tenant=tenant, valid_at=iso(FAR), limit=1000, **EVERY
            ).items
            for fact in listed[index % 4 :: 4]:
                mem.history(fact.id, user=user, tenant=tenant, limit=1000)
                mem.explain(fact.id, user=user, tenant=tenant)
                mem.get(fact.id, user=user, tenant=tenant)

    @rule(
        call=st.sampled_from(
            ("get", "history", "explain", "retract", "restore", "confirm", "reject", "undo")
        ),
        scope=all_scopes,
        odd=st.sampled_from(("", "fact_" + "0" * 32, "same_" + "1" * 32, "nothing", "\x00")),
    )
    def wrongly(self, call: str, scope: Scope, odd: str) -> None:
        """Name what is not there."""
        tenant, user = scope
        with suppress(GraphmemError):
            getattr(self.house.mem, call)(odd, user=user, tenant=tenant)

    @rule(often=st.integers(0, 2))
    def upkeep(self, often: int) -> None:
        """Verify that store and index are sound, and the same, in both."""
        if often == 0:
            self._verify()

    def _verify(self) -> None:
        house = self.house
        house.counts["verified"] += 1
        # An open handle on a folder takes what it indexed off the list with its next write only.
        house.reopen()
        report = house.mem.verify()
        if house.server.index != "none" and not report.clean:
            raise DifferenceError(f"{report}")

    def teardown(self) -> None:
        """Verify, then leave."""
        try:
            if any(self.house.handles):
                self._verify()
        finally:
            super().teardown()
