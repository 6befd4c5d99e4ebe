"""A turn as the checks of a model's claims see it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property

from graphmem.extraction.ground import Said, Words
from graphmem.extraction.normalize import find_times
from graphmem.extraction.patterns.frame import speaker_of
from graphmem.extraction.patterns.sentences import Sentence, Split, split_sentences
from graphmem.extraction.patterns.then import told_date
from graphmem.extraction.speech import Openings, openings
from graphmem.model.draft import Known
from graphmem.model.episode import Episode, Role
from graphmem.model.text import normal_key

MUTE = (Role.ASSISTANT, Role.SYSTEM, Role.TOOL)
"""Whose turns claim nothing."""

_ANSWER = 40
_AT_ONCE = 3_600_000_000
"""An hour, in microseconds: what a date was relative to then, it still is."""


class Refused(Exception):  # noqa: N818 - not an error: it never leaves this package
    """A claim is refused, for a reason named by ``kind``."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class TurnView:
    """A turn of the batch as the checks see it; what they need of it is made once.

    Args:
        turn: the turn.
        heard: the views of the turns before it, which its words may refer to.
        known: what the memory holds that may help.

    ``me`` is who "I" is, None if nobody is known to speak; ``my_names`` are the keys of names that
    mean the memory's own user; ``heard`` and ``known`` are as given.
    """

    def __init__(self, turn: Episode, heard: Sequence[TurnView], known: Known) -> None:
        self.turn = turn
        self.heard = heard
        self.known = known
        self.me = speaker_of(turn, known)
        self.my_names = frozenset(normal_key(name) for name in known.me)

    @cached_property
    def said(self) -> Said:
        """The turn's own words."""
        return Said(self.turn.content)

    @cached_property
    def split(self) -> Split:
        """The turn's sentences."""
        return split_sentences(self.turn.content)

    @cached_property
    def opened(self) -> Openings:
        """Where the turn becomes a game, or a text handed over."""
        return openings(self.turn.content)

    def sentences_of(self, begin: int, stop: int) -> list[Sentence]:
        """Return the sentences that a stretch of the turn touches."""
        sentences = self.split.sentences
        first = bisect_right(sentences, begin, key=lambda sentence: sentence.stop)
        after = bisect_left(sentences, stop, key=lambda sentence: sentence.begin)
        return sentences[first:after]

    def then_at(self, place: int) -> str | None:
        """Return the date told right before a place, which "since then" there means."""
        sentences = self.split.sentences
        index = bisect_right(sentences, place, key=lambda sentence: sentence.begin) - 1
        if index < 0:
            return None
        here = sentences[index]
        own = told_date(here.text[: place - here.begin], self.turn)
        if own is not None or index > 0:
            return own or told_date(sentences[index - 1].text, self.turn)
        speaker = (self.turn.session, self.turn.role, self.turn.speaker)
        before = next(
            (
                view
                for view in reversed(self.heard)
                if (view.turn.session, view.turn.role, view.turn.speaker) == speaker
            ),
            None,
        )
        if before is None or not before.split.sentences:
            return None
        return told_date(before.split.sentences[-1].text, before.turn)

    @cached_property
    def asked(self) -> TurnView | None:
        """The turn right before, if this one is but a short answer to it, given at once."""
        if not self.heard or len(self.prose) > _ANSWER or self.turn.role in MUTE:
            return None
        before = self.heard[-1]
        waited = self.turn.occurred_at - before.turn.occurred_at
        apart = before.turn.session != self.turn.session or waited > _AT_ONCE
        return None if apart or find_times(self.prose) else before

    @cached_property
    def prose(self) -> str:
        """The speaker's own prose; what was pasted in grounds nothing."""
        return "\n".join(sentence.text for sentence in self.split.sentences)

    @cached_property
    def words(self) -> Words:
        """The words of the turn."""
        return Words([self.prose])

    @cached_property
    def spoken(self) -> Words:
        """The words of the turn, of those of people before it, and the names of who spoke."""
        speakers = (view.turn.speaker for view in (*self.heard, self))
        names = [*self.known.me, *(name for name in speakers if name)]
        people = (view.prose for view in self.heard if view.turn.role not in MUTE)
        return Words([self.prose, *people, *names])

    @cached_property
    def offered(self) -> Words:
        """The words of an assistant, or a tool, before the turn."""
        return Words([view.prose for view in self.heard if view.turn.role in MUTE])

    @cached_property
    def names(self) -> Words:
        """The names that are known, whether anybody spoke of them or not."""
        others = (name for listed in self.known.aliases.values() for name in listed)
        return Words([*self.known.people, *others])

    @cached_property
    def corrigible(self) -> Words:
        """The words in which a value that is taken back may stand."""
        facts = self.known.facts.values()
        held = (fact.object.text for fact in facts if fact.object is not None)
        return Words([self.prose, *(view.prose for view in self.heard), *held])
