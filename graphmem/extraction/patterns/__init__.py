"""Extraction without a model: deterministic patterns for English and Chinese.

Precision first: what is drafted is said, right and quoted. What no pattern understands is counted,
never guessed.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import anyio.lowlevel

from graphmem.extraction.patterns.en import EnglishReader
from graphmem.extraction.patterns.frame import (
    NEWS,
    Context,
    LanguageReader,
    Refusal,
    SentenceResult,
    passing,
    speaker_of,
)
from graphmem.extraction.patterns.sentences import Sentence, split_sentences
from graphmem.extraction.patterns.then import Before, said_last, with_dates
from graphmem.extraction.patterns.zh import ChineseReader
from graphmem.model.claim import Form
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
_PLAY = 5
"""For how many turns after "let's play" the same speaker is not believed, unless it is ended."""
_REMEMBERED = 40
"""How many sentences back a pronoun or a correction may reach at most."""
_TOLD = 200
"""How many drafts back "moved from A to B" may look for what A was."""


@dataclass(slots=True)
class _Turn:
    """What came of one turn."""

    drafts: list[Draft] = field(default_factory=list[Draft])
    sentences: list[Sentence] = field(default_factory=list[Sentence])
    refused: Counter[str] = field(default_factory=Counter[str])
    unmatched: int = 0
    play: int = 0
    """For how many more turns a role play is taken to go on."""
    told: tuple[Draft, ...] = ()
    """What the session's turns before it gave, as far as it is kept."""
    then: Before | None = None
    """Its last sentence, whose date "since then" may mean."""


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
        """Read the turns before the batch again, to understand what follows them."""
        before: tuple[Episode, _Turn] | None = None
        for turn in earlier:
            if turn.role not in _NOT_READ:
                before = (turn, self.read_turn(turn, known, before))
        return before

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
        if before is not None and before[0].session == turn.session:
            result.told = (*before[1].told, *before[1].drafts)[-_TOLD:]
        if before is not None and _same_speaker(before[0], turn):
            recent.extend(before[1].sentences)
            heard.extend(before[1].drafts)
            result.then = before[1].then
            result.play = max(0, before[1].play - 1)
        fiction = result.play > 0
        for sentence in split.sentences:
            read = self._reader(sentence.text).extract_sentence(
                sentence,
                Context(
                    turn=turn,
                    me=me,
                    known=known,
                    drafts=tuple(heard),
                    sentences=tuple(recent),
                    told=result.told,
                ),
            )
            if read.closes_play:
                fiction, result.play = False, 0
            if fiction:
                result.refused[Refusal.FICTION] += 1
                continue
            if read.opens_play:
                result.play = _PLAY
            fiction = read.opens_fiction or read.opens_play
            recent.append(sentence)
            result.sentences.append(sentence)
            drafts = [passing(draft, sentence.text) for draft in _sound(read, turn)]
            drafts = with_dates(drafts, sentence.text, turn, result.then)
            result.then = said_last(sentence.text, turn, result.then)
            heard.extend(drafts)
            result.drafts.extend(drafts)
            if read.refused is not None:
                result.refused[read.refused] += 1
            result.unmatched += read.unmatched
        result.drafts = _last_news(result.drafts)
        return result

    def _reader(self, text: str) -> LanguageReader:
        han = len(_HAN.findall(text)) + 2 * len(_HAN_GRAMMAR.findall(text))
        return self._chinese if han > 2 * len(_LATIN_WORD.findall(text)) else self._english


def _same_speaker(one: Episode, other: Episode) -> bool:
    return (one.session, one.role, one.speaker) == (other.session, other.role, other.speaker)


def _last_news(drafts: Sequence[Draft]) -> list[Draft]:
    """Make history of all but the last change of its kind that a turn tells as news.

    "We moved to Ely in May and to Rye in June": only Rye is where they have been since.
    """
    told: set[tuple[str, bool, str]] = set()
    result: list[Draft] = []
    for draft in reversed(drafts):
        if draft.rule.endswith(NEWS):
            kind = (draft.subject.text.casefold(), draft.subject.is_self, draft.predicate)
            if kind in told:
                result.append(replace(draft, form=Form.CHANGE))
                continue
            told.add(kind)
        result.append(draft)
    return result[::-1]


def _sound(read: SentenceResult, turn: Episode) -> Iterator[Draft]:
    """Yield the drafts that hold to the port's contract whatever a pattern made of them."""
    for draft in read.drafts:
        same = draft.object is not None and (
            draft.object.text.casefold() == draft.subject.text.casefold()
            or (draft.object.is_self and draft.subject.is_self)
        )
        if draft.quote and draft.quote in turn.content and not same:
            yield draft
