"""What may answer: facts and turns from every channel, with the channels' calibrated scores.

A candidate's key is its id: that of a fact's record, or that of a turn.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

from graphmem.model.chunks import chunks
from graphmem.model.outline import FactOutline, TurnOutline
from graphmem.model.search import PointKind, PointRef, Scored
from graphmem.model.time import SECOND
from graphmem.retrieval.calibration import Script, lift, script_of
from graphmem.retrieval.recipes import DENSE, KEYWORD, Recipe
from graphmem.retrieval.walk import Walked

TOGETHER = 180 * SECOND
"""Turns added one by one are neighbours if they were said within three minutes."""
PLACES = 4
"""Places of a channel's raw score that count, so that engines that count in single and in double
precision agree; single precision keeps some six of them."""


@dataclass(slots=True)
class Candidates:
    """Facts by record and turns by id, with scores by channel.

    Attributes:
        facts, turns: what may answer.
        pieces: by turn that a channel found, the id of the chunk of it that was found.
        dense: lift. keyword: share of the question's telling terms. cue: how well the relation
            fits. walk: of walked facts. Each 0 to 1.
        walked: how walked facts were reached, by record.
    """

    facts: dict[str, FactOutline] = field(default_factory=dict[str, FactOutline])
    turns: dict[str, TurnOutline] = field(default_factory=dict[str, TurnOutline])
    pieces: Mapping[str, str] = field(default_factory=dict[str, str])
    dense: dict[str, float] = field(default_factory=dict[str, float])
    keyword: dict[str, float] = field(default_factory=dict[str, float])
    cue: dict[str, float] = field(default_factory=dict[str, float])
    walk: dict[str, float] = field(default_factory=dict[str, float])
    walked: dict[str, Walked] = field(default_factory=dict[str, Walked])

    def text(self, key: str) -> str:
        """Return the words of a candidate; those of a turn as "speaker: words"."""
        if key in self.facts:
            return self.facts[key].statement
        turn = self.turns[key]
        pieces = {piece.id: piece.text for piece in chunks(turn)}
        found = self.pieces.get(key)
        if found in pieces:
            return pieces[found]
        # It came with the turn beside it, or was blanked meanwhile.
        return next(iter(pieces.values()), f"{turn.speaker or turn.role.value}: {turn.content}")

    def words(self, turn: str) -> str:
        """Return what was found of a turn, without its speaker."""
        outline = self.turns[turn]
        return self.text(turn).removeprefix(f"{outline.speaker or outline.role.value}: ")

    def drop(self, record: str) -> None:
        """Let a fact be a candidate no more."""
        del self.facts[record]
        for scores in (self.dense, self.keyword, self.cue, self.walk):
            scores.pop(record, None)

    def in_order(self, scores: Mapping[str, float], at_least: int | None = None) -> list[str]:
        """Return keys best first, or at least so many of them and all their equals."""
        best = sorted(scores.items(), key=itemgetter(1), reverse=True)
        ordered: list[str] = []
        for _, equals in groupby(best, key=itemgetter(1)):
            if at_least is not None and len(ordered) >= at_least:
                break
            keys = [key for key, _ in equals]
            ordered += keys if len(keys) == 1 else sorted(keys, key=self._tie)
        return ordered

    def _tie(self, key: str) -> tuple[int | str, ...]:
        """What decides between equal scores: said order, start, subject, predicate, object."""
        fact = self.facts.get(key)
        if fact is not None:
            return (
                fact.said_at, fact.said_turn, fact.said_place, fact.start, fact.subject_text,
                fact.predicate, fact.object_text, fact.polarity,
            )  # fmt: skip
        turn = self.turns[key]
        return (turn.occurred_at, turn.place, 0, 0, turn.speaker or "", "", turn.content, "")


Keyed = dict[str, tuple[float, PointRef]]
"""By key, a channel's best score of a candidate, and the point that has it."""


def keyed(scored: Sequence[Scored]) -> Keyed:
    """Return what a channel found by candidate: a chunk (``TURN#N``) stands for its turn."""
    found: Keyed = {}
    whole = PointKind.FACT
    for ref, score in scored:
        kind, key = ref
        if kind is not whole:
            key = key.rpartition("#")[0]
        if key not in found:  # they come best first
            found[key] = (round(score, PLACES), ref)
    return found


def pieces_of(channels: Sequence[Keyed], keys: Container[str]) -> dict[str, str]:
    """Return, by the turns among ``keys``, the id of its best-placed chunk over all channels."""
    places: dict[str, tuple[int, str]] = {}
    piece = PointKind.CHUNK
    for channel in channels:
        for place, (key, (_, (kind, chunk))) in enumerate(channel.items()):
            if (
                kind is piece
                and key in keys
                and (key not in places or (place, chunk) < places[key])
            ):
                places[key] = (place, chunk)
    return {turn: chunk for turn, (_, chunk) in places.items()}


def weighed(
    near: Keyed, said: Keyed, *, level: float, telling: float, recipe: Recipe
) -> dict[str, float]:
    """Return what the channels make of what they found together, by their scores alone.

    ``level`` and ``telling`` are what ``lift`` and ``shares`` compare with.
    """
    fused = recipe.fused(
        {
            DENSE: {key: lift(cosine, level) for key, (cosine, _) in near.items()},
            KEYWORD: shares(said, telling),
        }
    )
    return {key: fused.get(key, 0.0) for key in near.keys() | said.keys()}  # a channel may be mute


def best(scores: Mapping[str, float], count: int) -> Mapping[str, float]:
    """Return the best ``count``, and equals of the last: what comes must not depend on chance."""
    if len(scores) <= count:
        return scores
    least = sorted(scores.values(), reverse=True)[count - 1]
    return {key: score for key, score in scores.items() if score >= least}


def heads(scores: Mapping[str, float], count: int) -> list[str]:
    """Return the best ``count``, but for equals that this would part: they are not needed."""
    if len(scores) <= count:
        return [*scores]
    next_best = sorted(scores.values(), reverse=True)[count]
    return [key for key, score in scores.items() if score > next_best]


def lifts(found: Candidates, near: Keyed, levels: Mapping[Script, float]) -> dict[str, float]:
    """Return cosines as lift over the background of each candidate's own script."""
    texts = {key: turn.content for key, turn in found.turns.items()}
    texts |= {key: fact.statement for key, fact in found.facts.items()}
    spaced = levels[Script.SPACED]  # ASCII is; to say so once here is most of the work
    return {
        key: lift(cosine, spaced if text.isascii() else levels[script_of(text)])
        for key, (cosine, _) in near.items()
        if (text := texts.get(key)) is not None
    }


def shares(said: Keyed, best: float) -> dict[str, float]:
    """Return keyword scores as shares of what holding every telling term once is worth."""
    if best <= 0:
        return dict.fromkeys(said, 0.0)
    return {key: score / best if score < best else 1.0 for key, (score, _) in said.items()}


def neighbours(
    turns: Iterable[TurnOutline], telling: Mapping[str, float], near: float, far: float
) -> dict[str, list[tuple[str, float]]]:
    """Return, by turn, the turns said just before and after it that are ``telling``, and what
    they lend."""
    lends = {0: near, 1: near, 2: far}
    sessions: dict[str | None, list[TurnOutline]] = {}
    for turn in turns:
        sessions.setdefault(turn.session, []).append(turn)
    found: dict[str, list[tuple[str, float]]] = {}
    for told in sessions.values():
        told.sort(key=_when)
        for index, first in enumerate(told):
            for second in told[index + 1 : index + 3]:
                if first.id in telling or second.id in telling:
                    apart = second.place - first.place
                    gap = second.occurred_at - first.occurred_at
                    share = lends.get(apart, 0.0)
                    if share and gap <= (20 * TOGETHER if apart else TOGETHER):
                        found.setdefault(first.id, []).append((second.id, share))
                        found.setdefault(second.id, []).append((first.id, share))
    return found


def _when(turn: TurnOutline) -> tuple[int, int, str]:
    return turn.occurred_at, turn.place, turn.id
