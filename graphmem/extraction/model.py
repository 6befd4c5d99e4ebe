"""Extraction by a language model: one call for a batch of turns in the usual case.

The model returns labels, words and time phrases; ids and dates are made in code, and every claim is
checked against what was said. A turn is either read or in ``Extraction.failed``, never lost.
"""

from __future__ import annotations

import json
import logging
import re
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from graphmem.errors import ModelError, ModelOutputError, ModelUnavailableError, WithheldError
from graphmem.extraction.effects import UNKNOWN, Placed
from graphmem.extraction.forecast import forecast
from graphmem.extraction.guards import Guard
from graphmem.extraction.metered import Meter, metered, metering
from graphmem.extraction.naming import alias_claims, kinds, typed, types_of
from graphmem.extraction.pieces import halves, plan, readable, token_limit
from graphmem.extraction.prompts import (
    PROMPT_VERSION,
    Piece,
    Shown,
    repair_messages,
    system_message,
    user_message,
)
from graphmem.extraction.view import Refused, TurnView
from graphmem.extraction.wire import Answer, WireClaim, WireEntity, read_answer
from graphmem.model.claim import Form, Modality
from graphmem.model.draft import Batch, Draft, Extraction
from graphmem.model.estimate import Estimate
from graphmem.model.predicate import Ontology
from graphmem.model.text import normal_key
from graphmem.ports.language_model import Completion, Json, LanguageModel, Message
from graphmem.resources import read_text

__all__ = ["ModelExtractor"]

_log = logging.getLogger(__name__)

_EARLIER = 8
"""How many turns before the first one to read are shown."""
_HEARD = 30
"""How many turns back a name may stand."""
_LOOP = 3
"""So many repetitions of a claim mean that the model went round in circles."""
_NOT_SHOWN = "claims that name a known fact which was not shown, and are taken without it"
_LABEL = re.compile(r"\d+")


class ModelExtractor:
    """Implements ``graphmem.ports.extractor.Extractor`` with a language model.

    Args:
        model: the chat model.
        ontology: the predicates it is shown.
        budget: tokens of turns, by estimate, that are read in one call; more are read in several.
        max_tokens: output limit of a call; None sizes it to what is read.
        statement_language: of all statements ("en", "zh"); None for the speaker's. Names, values
            and quotes stay as they were said.
    """

    wants_facts = True

    def __init__(
        self,
        model: LanguageModel,
        ontology: Ontology,
        *,
        budget: int = 3_000,
        max_tokens: int | None = None,
        statement_language: str | None = None,
    ) -> None:
        self._model = metered(model)
        self._budget = budget
        self._max_tokens = max_tokens
        self._guard = Guard(ontology, statement_language)
        self._kinds = kinds(ontology)
        self._system = system_message(ontology, self._kinds, statement_language)

    @property
    def identity(self) -> str:
        """What reads the turns."""
        return f"model/{self._model.name}/p{PROMPT_VERSION}"

    @cached_property
    def _schema(self) -> Json:
        return json.loads(read_text("schemas", "extraction.json"))

    def estimate(self, batch: Batch) -> Estimate:
        """Say what reading ``batch.turns`` would cost; see the port."""
        run = _Run(batch, self._guard, self._kinds)
        groups = plan(readable(batch.turns), self._budget)
        return forecast(self._system, ((group, run.prompt(group)) for group in groups))

    async def extract(self, batch: Batch) -> Extraction:
        """Read ``batch.turns``; see the port."""
        with metering() as meter:
            run = await self._run(batch, meter)
        return replace(run.result(), usage=meter.usage, steps=meter.steps)

    async def _run(self, batch: Batch, meter: Meter) -> _Run:
        run = _Run(batch, self._guard, self._kinds)
        groups = deque(plan(readable(batch.turns), self._budget))
        most_calls = 4 * len(groups) + 8
        down: ModelUnavailableError | None = None
        while groups:
            group = groups.popleft()
            if down is not None or meter.usage.calls >= most_calls:
                run.fail(group, str(down or "its answers were cut off again and again"))
                continue
            try:
                groups.extendleft(reversed(await self._read(run, group)))
            except WithheldError as error:
                # For one turn among many, as a rule.
                parts = halves(group) if len(group) > 1 else []
                groups.extendleft(reversed(parts))
                run.fail([] if parts else group, str(error))
            except ModelUnavailableError as error:
                # Trying the other groups too would only wait longer.
                down = error
                run.fail(group, str(error))
            except ModelError as error:
                run.fail(group, str(error))
        return run

    async def _read(self, run: _Run, group: Sequence[Piece]) -> list[list[Piece]]:
        """Read one group; return what of it has to be read again, in smaller groups.

        Raises:
            ModelError: nothing usable came.
        """
        messages = [self._system, run.prompt(group)]
        try:
            completion = await self._ask(messages, "extract", group)
            answer = read_answer(completion.text)
        except WithheldError:
            raise
        except ModelOutputError as error:
            completion, answer = Completion(""), Answer(problem=error.reason)
        last = run.take(answer, group)
        if completion.truncated or answer.cut:
            return self._after_cut(run, group, answer, last)
        if answer.problem is None and not answer.broken:
            return []
        problem = answer.problem or "part of its JSON is broken"
        _log.info("model %s: an answer could not be used: %s", self._model.name, problem)
        asked = repair_messages(messages, completion.text, problem)
        repaired = await self._repair(asked, group, answer)
        last = run.take(repaired, group)
        if repaired.cut:
            return self._after_cut(run, group, repaired, last)
        if repaired.problem is not None and not answer.claims:
            raise ModelOutputError(repaired.problem, step="repair", model=self._model.name)
        run.refused["malformed"] += repaired.broken or repaired.problem is not None
        return []

    async def _repair(
        self, asked: Sequence[Message], group: Sequence[Piece], first: Answer
    ) -> Answer:
        try:
            completion = await self._ask(asked, "repair", group)
        except ModelOutputError as error:
            if not first.claims:
                raise
            return Answer(problem=error.reason)
        answer = read_answer(completion.text)
        return replace(answer, cut=answer.cut or completion.truncated)

    async def _ask(
        self, messages: Sequence[Message], step: str, group: Sequence[Piece]
    ) -> Completion:
        limit = self._max_tokens or token_limit(group)
        return await self._model.complete(
            messages, step=step, schema=self._schema, max_tokens=limit
        )

    def _after_cut(
        self, run: _Run, group: Sequence[Piece], answer: Answer, last: int
    ) -> list[list[Piece]]:
        """Say what to read again after an answer that ended too early.

        What was read before the piece that the answer ended in is read; the rest goes again.
        """
        if last > 0:
            return [list(group[last:])]
        parts = halves(group)
        if parts:
            return parts
        if answer.claims and answer.repeated >= _LOOP:
            _log.info("model %s repeated itself; what it said once is kept", self._model.name)
            return []
        raise ModelOutputError(
            "its answer was cut off, or the turn does not fit; raise the output limit, or turn "
            "thinking off",
            step="extract",
            model=self._model.name,
        )


class _Run:
    """What comes together while one batch is read."""

    def __init__(self, batch: Batch, guard: Guard, kinds: Sequence[str]) -> None:
        self._batch = batch
        self._guard = guard
        self._kinds = kinds
        self._entities: dict[WireEntity, None] = {}
        self._order = {turn.id: index for index, turn in enumerate(batch.turns)}
        views: list[TurnView] = []
        for turn in (*batch.earlier, *batch.turns):
            views.append(TurnView(turn, views[-_HEARD:], batch.known))
        self._views = {view.turn.id: view for view in views[len(batch.earlier) :]}
        self._placed: dict[object, Placed] = {}
        self._failed: dict[str, str] = {}
        self.refused: Counter[str] = Counter()

    def prompt(self, group: Sequence[Piece]) -> Message:
        """Return the message for ``group``, with the turns around it for reference."""
        first = self._order[group[0].turn.id]
        final = self._order[group[-1].turn.id]
        before = [*self._batch.earlier, *self._batch.turns[:first]][-_EARLIER:]
        labels = {piece: label for label, piece in _labels(group).items()}
        shown: list[Shown] = []
        for turn in self._batch.turns[first : final + 1]:
            pieces = [piece for piece in group if piece.turn.id == turn.id]
            shown += [Shown(piece, labels[piece]) for piece in pieces]
            if not pieces and turn.content.strip():
                shown.append(Shown(Piece(turn, 0, len(turn.content))))
        return user_message(shown, earlier=before, known=self._batch.known)

    def take(self, answer: Answer, group: Sequence[Piece]) -> int:
        """Check an answer's claims and keep those that hold.

        Returns which piece the answer ended in: the one its last claim quotes, -1 if none does.
        """
        last, seen = -1, set[object]()
        self.refused["malformed"] += answer.malformed
        self.refused["repeated"] += answer.repeated
        self._entities.update(dict.fromkeys(answer.entities))
        if answer.problem is None and not answer.claims and not answer.malformed:
            # Perhaps nothing was claimed of them, perhaps a weak model left the claims out.
            self.refused["unclaimed"] += sum(not each.aliases for each in answer.entities)
        for claim in answer.claims:
            found = self._locate(claim, group)
            if found is None:
                self.refused["ungrounded"] += 1
                continue
            index, view, span = found
            last = index if index >= 0 else last
            self._keep(claim, view, span, seen)
        return last

    def _keep(
        self, claim: WireClaim, view: TurnView, span: tuple[int, int], seen: set[object]
    ) -> None:
        """Check a claim whose quote stands at ``span``, and keep what may be kept of it.

        ``seen`` is what this answer claimed before; of what was read twice, nothing is told.
        """
        try:
            placed = self._guard.check(claim, view, span)
        except Refused as refused:
            self.refused[refused.kind] += 1
            return
        self.refused.update(placed.doubts)
        key = _key(placed.draft)
        self.refused["repeated"] += key in seen
        seen.add(key)
        known = self._placed.setdefault(key, placed)
        if known.follows is None and placed.follows is not None:
            self._placed[key] = replace(known, follows=placed.follows)

    def _locate(
        self, claim: WireClaim, group: Sequence[Piece]
    ) -> tuple[int, TurnView, tuple[int, int]] | None:
        """Find a claim's quote: in the piece it names, else in any piece, else in any turn."""
        named = _LABEL.search(claim.turn)
        wanted = int(named.group()[:6]) - 1 if named else -1
        indices = sorted(range(len(group)), key=lambda index: index != wanted)
        for index in indices:
            piece = group[index]
            view = self._views[piece.turn.id]
            span = view.said.find(claim.quote, piece.begin)
            if span is not None and span[1] <= piece.stop:
                return index, view, span
        for turn in self._batch.turns:
            view = self._views[turn.id]
            span = view.said.find(claim.quote)
            if span is not None:
                return -1, view, span
        return None

    def fail(self, group: Sequence[Piece], reason: str) -> None:
        """Note that the turns of ``group`` could not be read."""
        for piece in group:
            self._failed.setdefault(piece.turn.id, reason)

    def result(self) -> Extraction:
        """Return what was read; of turns that failed, nothing."""
        self._name()
        placed = [p for p in self._placed.values() if p.draft.turn not in self._failed]
        placed += self._following(placed)
        types = types_of(self._entities, self._kinds)
        placed = [replace(p, draft=typed(p.draft, types)) for p in placed]
        placed.sort(key=lambda p: (self._order[p.draft.turn], p.begin))
        unknown = self.refused[UNKNOWN]
        notes = [f"{_NOT_SHOWN}: {unknown}"] if unknown else []
        return Extraction(
            drafts=tuple(p.draft for p in placed),
            refused={kind: count for kind, count in self.refused.items() if count},
            failed=self._failed,
            notes=tuple(notes),
        )

    def _name(self) -> None:
        """Make claims of the other names that turns give to things."""
        known, drafts = self._batch.known, [placed.draft for placed in self._placed.values()]
        mentions = (m for d in drafts for m in (d.subject, d.object) if m is not None)
        used = [*known.me, *known.people, *(mention.text for mention in mentions)]
        read = [v for v in self._views.values() if v.turn.id not in self._failed]
        for claim, view, sentence in alias_claims(self._entities, read, used):
            if view is None or sentence is None:
                self.refused["alias"] += 1
            else:
                self._keep(claim, view, (sentence.begin, sentence.stop), set())

    def _following(self, placed: Sequence[Placed]) -> list[Placed]:
        """Return what becomes of other values by these claims, where no claim says it itself."""
        told = {_said_of(p.draft) for p in placed}
        # What is to end at another time than announced does not go on.
        ends = [p.follows for p in placed if p.follows is not None and p.follows.form is Form.END]
        told |= {
            _said_of(replace(end, form=Form.CANCEL))
            for end in ends
            if end.modality is Modality.PLANNED
        }
        result: list[Placed] = []
        for each in placed:
            if each.follows is None:
                continue
            key = _said_of(each.follows)
            if key not in told:
                told.add(key)
                result.append(Placed(each.follows, each.begin))
        return result


def _labels(group: Sequence[Piece]) -> dict[str, Piece]:
    return {f"T{number}": piece for number, piece in enumerate(group, 1)}


def _said_of(draft: Draft) -> object:
    """What a draft tells of; what goes on now may end later, or be called off to end."""
    ahead = draft.form in (Form.END, Form.CANCEL) and draft.modality is Modality.PLANNED
    return draft.turn, _value_key(draft), draft.form if ahead else None


def _value_key(draft: Draft) -> tuple[object, ...]:
    subject = "" if draft.subject.is_self else normal_key(draft.subject.text)
    target = None if draft.object is None else normal_key(draft.object.text)
    return subject, draft.predicate, target


def _key(draft: Draft) -> object:
    """What makes two drafts of one turn the same claim, whatever they quote."""
    how = (draft.polarity, draft.modality, draft.form, draft.start, draft.end, draft.qualifiers)
    return draft.turn, _value_key(draft), how
