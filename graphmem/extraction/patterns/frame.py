"""What both languages share: what a sentence is read against, and what reading it gives."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from graphmem.extraction.patterns.sentences import Sentence
from graphmem.model.claim import Form, Mention, Modality, Polarity
from graphmem.model.draft import Draft, Known
from graphmem.model.episode import Episode, Role
from graphmem.model.text import normal_key


class Refusal(StrEnum):
    """Why a sentence was kept from giving drafts, as counted in ``Extraction.refused``."""

    QUESTION = "question"
    CONDITIONAL = "conditional"
    """"if", "imagine", "I wish", 如果, 假如: nobody says that it is so."""
    QUOTATION = "quotation"
    """Somebody else's words: quoted, reported, pasted."""
    FICTION = "fiction"
    INSTRUCTION = "instruction"
    """For this one turn ("only the last column this time")."""
    SARCASM = "sarcasm"
    ADVERTISEMENT = "advertisement"
    ADDRESSED = "addressed"
    """About the listener ("you are …")."""
    UNRESOLVED = "unresolved"
    """A pronoun or placeholder stands where a name is needed."""
    HEARSAY = "hearsay"
    """"apparently", "I think", 听说, 好像: not vouched for."""
    CODE = "code"
    INJECTED = "injected"
    """A fenced block of recalled memory."""
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a sentence is read against.

    Attributes:
        turn: the episode it stands in.
        me: who "I" is; None where nobody is known to speak (a document without an author), and
            first-person sentences then give nothing.
        known: what the memory holds that may help.
        drafts: what the sentences before gave, oldest first: those of this turn, and of the
            speaker's turn right before. For pronouns and corrections.
        sentences: those sentences.
        told: what the session's turns before gave besides, oldest first: for which relation a
            thing has, where a sentence leaves that open.
    """

    turn: Episode
    me: Mention | None
    known: Known
    drafts: tuple[Draft, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    told: tuple[Draft, ...] = ()


@dataclass(frozen=True, slots=True)
class SentenceResult:
    """What reading one sentence gave.

    Attributes:
        drafts: in said order.
        refused: why it was kept from giving any.
        unmatched: it may assert something and no pattern matched.
        opens_fiction: what follows in the turn is made up ("in my novel").
        opens_play: so is what the speaker says in the turns after it ("let's play").
        closes_play: the play is over.
    """

    drafts: tuple[Draft, ...] = ()
    refused: Refusal | None = None
    unmatched: bool = False
    opens_fiction: bool = False
    opens_play: bool = False
    closes_play: bool = False


class LanguageReader(Protocol):
    """Reads the sentences of one language. Pure: the same sentence gives the same result."""

    def extract_sentence(self, sentence: Sentence, context: Context) -> SentenceResult:
        """Read one sentence. Quotes of drafts are substrings of ``context.turn.content``."""
        ...


NEWS = ".news"
"""Ends the rule of a draft that tells a change as news (form since, with a start). Of several of
one kind in a turn the last stays news; the others become history (form change)."""


def speaker_of(turn: Episode, known: Known) -> Mention | None:
    """Return who "I" is in a turn: the scope's user, a named speaker, or nobody known."""
    if turn.speaker is not None:
        mine = {normal_key(name) for name in known.me}
        if normal_key(turn.speaker) in mine:
            return Mention(turn.speaker, is_self=True)
        return Mention(turn.speaker, types=("person",))
    return Mention("I", is_self=True) if turn.role is Role.USER else None


_LASTING = re.compile(
    r"\b(?:always|often|usually|lately|recently|these days|nowadays|every|constantly|chronically"
    r"|all the time|most|since|still|again|whenever|easily"
    r"|for (?:[\w-]+ ){0,3}(?:days|weeks|months|years|ages|while)"
    r"|(?:all|this|these|past|last|whole|each) (?:[\w-]+ )?(?:week|month|year|weeks|months|years)"
    r"|(?:when|if) (?:i|we|it|the|my|people|someone))\b"
    r"|最近|一直|总|常|老是|这几天|这段|近来|每|天天|这阵|还|以来|时候|就会|容易|周|月|年|从",
    re.IGNORECASE,
)
"""Words with which a mood is said to last, or to come and go."""


def passing(draft: Draft, sentence: str) -> Draft:
    """Let a mood told of the moment ("I'm tired today", 今天好累) end with the day."""
    now = draft.form is Form.STATE and draft.polarity is Polarity.POSITIVE and draft.end is None
    if draft.predicate != "feels" or not now or draft.modality is not Modality.ASSERTED:
        return draft
    today = draft.start is None or _TODAY.fullmatch(draft.start)
    english = not _HAN.search(draft.quote)
    if not today or _LASTING.search(draft.quote if english else sentence):
        return draft
    return replace(draft, end="until tomorrow" if english else "到明天")


_HAN = re.compile(r"[\u4e00-\u9fff]")
_TODAY = re.compile(
    r"today|tonight|this (?:morning|afternoon|evening)|今天|今日|今早|今晚", re.IGNORECASE
)

# What matters more when there is room for little. Everything else is 5.
_IMPORTANCE = {
    9: "allergic_to intolerant_to remember",
    8: "has_name born_on has_condition takes_medication married_to has_child wants_style lives_in"
    " follows_diet avoids phone_number email_address blood_type also_known_as pronouns",
    7: "works_at works_as partner_of engaged_to has_parent has_sibling has_pet nationality"
    " studies_at deadline has_appointment comes_from native_language speaks has_injury"
    " had_surgery marital_status has_goal has_grandchild has_dentist has_doctor",
    6: "smokes drinks_alcohol studies age has_manager has_landlord plans_to owns has_budget"
    " retired self_employed leads runs friend_of lives_with postal_address graduated_from",
    4: "visited bought met attended watches reads likes_to",
    3: "feels",
}
_BY_PREDICATE = {slug: rank for rank, slugs in _IMPORTANCE.items() for slug in slugs.split()}


def importance_of(predicate: str) -> int:
    """Return how much a predicate matters, 1 to 10."""
    return _BY_PREDICATE.get(predicate, 5)
