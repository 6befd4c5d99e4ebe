"""Extraction without a model: deterministic patterns for English and Chinese.

Precision first: what is drafted is said, right and quoted. What no pattern understands is counted,
never guessed.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import anyio.lowlevel

from graphmem.extraction.patterns.en import EnglishReader
from graphmem.extraction.patterns.frame import (
    Context,
    LanguageReader,
    Refusal,
    SentenceResult,
    speaker_of,
)
from graphmem.extraction.patterns.sentences import Sentence, split_sentences
from graphmem.extraction.patterns.zh import ChineseReader
from graphmem.model.draft import Batch, Draft, Extraction, Known
from graphmem.model.episode import Episode, Role

__all__ = ["PatternExtractor"]

_HAN = re.compile(r"[㐀-鿿豈-﫿]")
_HAN_GRAMMAR = re.compile(r"[我你您他她它们的了在是不没有和吗吧呢把被从到就也都还很这那]")
_LATIN_WORD = re.compile(r"[A-Za-zÀ-ɏ]+")
_NOT_READ = {
    Role.ASSISTANT: Refusal.ASSISTANT,
    Role.SYSTEM: Refusal.SYSTEM,
    Role.TOOL: Refusal.TOOL,
}
_REMEMBERED = 40
"""How many sentences back a pronoun or a correction may reach at most."""


@dataclass(slots=True)
class _Turn:
    """What came of one turn."""

    drafts: list[Draft] = field(default_factory=list[Draft])
    sentences: list[Sentence] = field(default_factory=list[Sentence])
    refused: Counter[str] = field(default_factory=Counter[str])
    unmatched: int = 0


class PatternExtractor:
    """Reads turns by patterns; implements ``graphmem.ports.extractor.Extractor``.

    Only turns of the user and documents give drafts. Deterministic, no I/O; a turn never fails.
    """

    def __init__(
        self, english: LanguageReader | None = None, chinese: LanguageReader | None = None
    ) -> None:
        self._english = english or EnglishReader()
        self._chinese = chinese or ChineseReader()

    @property
    def identity(self) -> str:
        """What read the turns."""
        return "patterns/1"

    async def extract(self, batch: Batch) -> Extraction:
        """Read ``batch.turns``; other tasks run between turns."""
        drafts: list[Draft] = []
        unmatched: dict[str, int] = {}
        refused: Counter[str] = Counter()
        before = self._reread(batch.earlier, batch.known)
        for turn in batch.turns:
            await anyio.lowlevel.checkpoint()
            read = self.read_turn(turn, batch.known, before)
            drafts.extend(read.drafts)
            refused.update(read.refused)
            if read.unmatched:
                unmatched[turn.id] = read.unmatched
            if turn.role not in _NOT_READ:
                before = (turn, read)
        return Extraction(drafts=tuple(drafts), unmatched=unmatched, refused=dict(refused))

    def _reread(self, earlier: Iterable[Episode], known: Known) -> tuple[Episode, _Turn] | None:
        """Read the last turn before the batch again, to understand what follows it."""
        last = [turn for turn in earlier if turn.role not in _NOT_READ][-1:]
        return (last[0], self.read_turn(last[0], known, None)) if last else None

    def read_turn(
        self, turn: Episode, known: Known, before: tuple[Episode, _Turn] | None = None
    ) -> _Turn:
        """Read one turn, with the speaker's turn before it for reference."""
        result = _Turn()
        role = _NOT_READ.get(turn.role)
        if role is not None:
            result.refused[role] += 1
            return result
        split = split_sentences(turn.content)
        result.refused.update(split.left_out)
        me = speaker_of(turn, known)
        recent: deque[Sentence] = deque(maxlen=_REMEMBERED)
        heard: deque[Draft] = deque(maxlen=_REMEMBERED)
        if before is not None and _same_speaker(before[0], turn):
            recent.extend(before[1].sentences)
            heard.extend(before[1].drafts)
        fiction = False
        for sentence in split.sentences:
            if fiction:
                result.refused[Refusal.FICTION] += 1
                continue
            read = self._reader(sentence.text).extract_sentence(
                sentence,
                Context(
                    turn=turn, me=me, known=known, drafts=tuple(heard), sentences=tuple(recent)
                ),
            )
            fiction = read.opens_fiction
            recent.append(sentence)
            result.sentences.append(sentence)
            drafts = list(_sound(read, turn))
            heard.extend(drafts)
            result.drafts.extend(drafts)
            if read.refused is not None:
                result.refused[read.refused] += 1
            result.unmatched += read.unmatched
        return result

    def _reader(self, text: str) -> LanguageReader:
        han = len(_HAN.findall(text)) + 2 * len(_HAN_GRAMMAR.findall(text))
        return self._chinese if han > 2 * len(_LATIN_WORD.findall(text)) else self._english


def _same_speaker(one: Episode, other: Episode) -> bool:
    return (one.session, one.role, one.speaker) == (other.session, other.role, other.speaker)


def _sound(read: SentenceResult, turn: Episode) -> Iterator[Draft]:
    """Yield the drafts that hold to the port's contract whatever a pattern made of them."""
    for draft in read.drafts:
        same = draft.object is not None and (
            draft.object.text.casefold() == draft.subject.text.casefold()
            or (draft.object.is_self and draft.subject.is_self)
        )
        if draft.quote and draft.quote in turn.content and not same:
            yield draft
