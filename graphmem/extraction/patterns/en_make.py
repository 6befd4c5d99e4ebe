"""Makes drafts out of what was understood of an English clause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.extraction.patterns import en_words as w
from graphmem.extraction.patterns.en_clause import Clause
from graphmem.extraction.patterns.en_forms import Telling
from graphmem.extraction.patterns.en_nouns import Nouns
from graphmem.extraction.patterns.en_others import agrees, somebody_else
from graphmem.extraction.patterns.en_tokens import Token
from graphmem.extraction.patterns.frame import NEWS, Context, importance_of
from graphmem.extraction.patterns.sentences import Sentence, words
from graphmem.model.claim import Mention
from graphmem.model.draft import Draft
from graphmem.model.entity import ValueKind
from graphmem.model.predicate import Cardinality, Ontology, ValueType

_KINDS = {
    ValueType.TEXT: ValueKind.TEXT,
    ValueType.NUMBER: ValueKind.NUMBER,
    ValueType.DATE: ValueKind.DATE,
}


@dataclass(slots=True)
class Maker:
    """Makes drafts for one sentence.

    Attributes:
        sentence, context: what is read.
        nouns: takes values from its words.
        ontology: the predicates in force.
    """

    sentence: Sentence
    context: Context
    nouns: Nouns
    ontology: Ontology
    _last: tuple[object, Context, Nouns, Mention | None] | None = None
    """The subject that was asked for last; every reader of a clause asks for its own."""

    def value(self, predicate: str, text: str) -> Mention:
        """Return the object of ``predicate`` with these words."""
        found = self.ontology.resolve(predicate).predicate
        return Mention(
            text, kind=_KINDS.get(found.value, ValueKind.ENTITY), types=found.object_types
        )

    def draft(
        self,
        subject: Mention,
        predicate: str,
        value: Mention | str | None,
        telling: Telling,
        clause: Clause | None = None,
        *,
        qualifiers: Sequence[tuple[str, str]] = (),
        beside: bool = False,
        rule: str = "",
    ) -> Draft:
        """Return a draft quoting the clause (the sentence, if the clause lacks its subject)."""
        if isinstance(value, str):
            value = self.value(predicate, value)
        quote = self.quote(clause)
        return Draft(
            turn=self.context.turn.id,
            quote=quote,
            subject=subject,
            predicate=predicate,
            object=value,
            polarity=telling.polarity,
            modality=telling.modality,
            form=telling.form,
            start=telling.start,
            end=telling.end,
            qualifiers=tuple(sorted(qualifiers)),
            beside=beside,
            correction=telling.correction,
            importance=importance_of(predicate),
            statement=self._statement(clause, quote),
            rule=f"en.{rule or predicate}" + (NEWS if telling.news else ""),
        )

    def quote(self, clause: Clause | None) -> str:
        """Return the clause's words in the sentence, its time phrases included."""
        text = self.sentence.text
        if clause is None or clause.inherited or not clause.tokens:
            return text
        begin = min([clause.tokens[0].begin, *(t.begin for t in clause.times)])
        last = clause.condition[-1] if clause.condition else clause.tokens[-1]
        stop = max([last.stop, *(t.stop for t in clause.times)])
        return text[begin:stop].strip(" ,;:-–—")

    def _statement(self, clause: Clause | None, quote: str) -> str:
        """Return the clause as a sentence: with the subject it took over, "she" by her name."""
        if clause is None:
            return " ".join(quote.split())
        if not clause.tokens[0].text and clause.tokens[1:2] and not clause.tokens[1].text:
            return _supplied(clause, quote)
        first = clause.subject[0].low
        points = first in {"he", "she", "it", "this", "that"}
        if not clause.inherited and not points:
            return " ".join(quote.split())
        text = self.sentence.text
        stop = max([clause.tokens[-1].stop, *(phrase.stop for phrase in clause.times)])
        own = 0 if clause.inherited else len(clause.subject)
        said = text[clause.tokens[own].begin : stop].strip(" ,;:-–—.")
        who = self.subject(clause.subject) if points else None
        subject = who.text if who is not None else self.nouns.words(clause.subject)
        if first in {"this", "that"} and subject[:1].islower():
            subject = f"The {subject}"
        gap = "" if said[:1] in "'’" else " "
        return " ".join(f"{subject}{gap}{said}".split())

    def is_single(self, predicate: str) -> bool:
        """Whether a new value of the predicate takes the place of the old."""
        return self.ontology.resolve(predicate).predicate.cardinality is Cardinality.ONE

    # --- Who is meant.

    def people_before(self) -> list[Mention]:
        """Return the people the sentences before spoke of, each once."""
        found: dict[str, Mention] = {}
        for draft in self.context.drafts:
            for mention in (draft.subject, draft.object):
                if mention is None or mention.is_self or mention.kind is not ValueKind.ENTITY:
                    continue
                if "person" in mention.types or mention.role is not None:
                    found.setdefault(mention.text.casefold(), mention)
        return list(found.values())

    def _pets_before(self) -> list[Mention]:
        """Return the animals that were named before, each once."""
        named = [d.object for d in self.context.drafts if d.predicate == "has_pet"]
        found = {m.text: m for m in named if m is not None and m.text[:1].isupper()}
        return list(found.values())

    def pronoun(self, low: str) -> Mention | None:
        """Return whom "he" or "she" means, if only one person can be meant."""
        beings = self.people_before() or self._pets_before()
        people = [person for person in beings if agrees(low, self.role_of(person))]
        if len(people) != 1 or low not in {"he", "she"}:
            return None
        (one,) = people
        if somebody_else(low, one.text, self.role_of(one), self.sentence, self.context):
            return None
        return one

    def thing_before(self) -> Mention | None:
        """Return what "it" means: the only thing named in the sentence before."""
        last = self.last_sentence()
        beings = {
            mention.text
            for draft in last
            for mention in (draft.subject, draft.object)
            if mention is not None and _BEINGS & set(mention.types)
        }
        spoken_of = [(d.object, d.predicate) for d in last if d.predicate in _OF_A_THING]
        if not spoken_of:
            ends = [(end, d.predicate) for d in last for end in (d.subject, d.object)]
            spoken_of = [each for each in ends if each[1] not in _OF_PEOPLE]
        found = {
            mention.text.casefold(): mention
            for mention, _ in spoken_of
            if mention is not None
            and not mention.is_self
            and mention.kind is ValueKind.ENTITY
            and mention.role is None
            and mention.text not in beings
            and mention.text[:1].isupper()
        }
        return next(iter(found.values())) if len(found) == 1 else None

    def one_before(self, noun: str) -> Mention | None:
        """Return which "that bakery" is: the only one that was named so before.

        "The bakery on Elm Street", or what was called a bakery.
        """
        for said in (self.context.drafts, self.context.told):
            found: dict[str, Mention] = {}
            for draft in said:
                called = draft.object is not None and draft.object.text.casefold() == noun
                if called and draft.predicate == "is_a":
                    found[draft.subject.text.casefold()] = draft.subject
                for mention in (draft.subject, draft.object):
                    if mention is not None and _is_one_of(noun, mention.text.casefold()):
                        found[mention.text.casefold()] = mention
            if found:
                return next(iter(found.values())) if len(found) == 1 else None
        return None

    def last_sentence(self) -> list[Draft]:
        """Return what the sentence before gave, or, of the first in its turn, the turn before."""
        drafts = self.context.drafts
        if not drafts:
            return []
        spoken = self.context.sentences
        before = spoken[-1].text if spoken else ""
        here = [d for d in drafts if d.turn == self.context.turn.id and d.quote in before]
        here = here or [d for d in drafts if d.quote in self.sentence.text]
        return here or [d for d in drafts if d.turn == drafts[-1].turn and d.quote in before]

    def role_of(self, person: Mention) -> str | None:
        """Return the role somebody was introduced with."""
        if person.role:
            return person.role
        for draft in self.context.drafts:
            if draft.object is not None and draft.object.text == person.text:
                for name, value in draft.qualifiers:
                    if name == "role":
                        return value
        return self.context.known.people.get(person.text)

    def subject(self, tokens: Sequence[Token]) -> Mention | None:
        """Return whom or what the subject of a clause names; None if that is not certain."""
        last = self._last
        if last is None or not (
            last[0] is tokens and last[1] is self.context and last[2] is self.nouns
        ):
            last = tokens, self.context, self.nouns, self._subject(tokens)
            self._last = last
        return last[3]

    def _subject(self, tokens: Sequence[Token]) -> Mention | None:
        if not tokens:
            return None
        low = tokens[0].low
        if len(tokens) == 1:
            if low in w.SELF:
                return self.context.me
            if low in {"he", "she"}:
                return self.pronoun(low)
            if low == "it":
                return self.thing_before()
        if len(tokens) == 2 and low in {"this", "that", "the"}:
            before = self.one_before(tokens[1].low)
            if before is not None or low != "the":
                return before
        theirs = low in {"her", "his"} and len(tokens) > 2
        if not theirs and (low in w.SELF | w.THIRD_PERSON | w.PLACEHOLDERS | {"you", "your"}):
            return None
        return self.noun_mention(tokens)

    def noun_mention(self, tokens: Sequence[Token]) -> Mention | None:
        """Return a name or noun phrase as a mention; roles are marked as such."""
        kin = _kin_named(tokens)
        tokens = _without_apposition(tokens)
        low = [token.low for token in tokens]
        if kin and low[0] not in w.POSSESSIVE:  # "my dad (Kwabena)"
            return Mention(self.nouns.words(tokens), types=_types_of(kin))
        if len(low) == 1 and low[0] in w.KIN_NAMES and self.context.me is not None:
            return Mention(self.nouns.words(tokens), types=("person",), role=low[0])
        if low[0] in w.POSSESSIVE:
            return self._mine(tokens, low)
        named = self._somebodys(tokens, low)
        if named is not None:
            return named
        if low[0] in {"his", "her", "their", "your", "this", "that"}:
            return self._theirs(tokens, low)
        if "and" in low and "&" not in low:
            return None
        stripped = [t for t in tokens if t.text or t.low]
        if low[0] in {"the", "a", "an"} and not (tokens[0].capital and _is_title(tokens)):
            stripped = list(tokens[1:])
        stripped = _without_adverb(stripped)
        if not stripped or any(t.low in w.BAD_IN_OBJECT - {"'s"} for t in stripped):
            return None
        if len(stripped) > _LONGEST_NAME:
            return None
        if low[0] == "the" and (stripped[0].text[0].isdigit() or stripped[-1].low in _CROWD):
            return None
        text = self.nouns.words(stripped)
        if low[0] in {"a", "an"} or text.casefold() in w.PLACEHOLDERS | w.OPENERS | _NOT_NAMES:
            return None
        is_name = all(t.capital for t in stripped if t.low not in {"'s", "of", "the", "&", "de"})
        types = ("person",) if is_name and text in self.context.known.people else ()
        return Mention(text, types=types)

    def _theirs(self, tokens: Sequence[Token], low: Sequence[str]) -> Mention | None:
        """Return the name in "her husband Joost"."""
        for stop in range(len(low) - 1, 1, -1):
            if " ".join(low[1:stop]) in w.ROLES and all(t.capital for t in tokens[stop:]):
                return Mention(self.nouns.words(tokens[stop:]), types=_types_of(low[1]))
        return None

    def _somebodys(self, tokens: Sequence[Token], low: Sequence[str]) -> Mention | None:
        """Return the name in "Tom's wife Ines"."""
        if "'s" not in low or not tokens[-1].capital:
            return None
        after = low.index("'s") + 1
        for stop in range(len(low) - 1, after, -1):
            if " ".join(low[after:stop]) in w.ROLES:
                return Mention(self.nouns.words(tokens[stop:]), types=("person",))
        return None

    def _mine(self, tokens: Sequence[Token], low: Sequence[str]) -> Mention | None:
        me = self.context.me
        if me is None:
            return None
        noun = " ".join(low[1:])
        theirs = self._somebodys(tokens, low)  # "my brother's girlfriend Ines"
        if theirs is not None:
            return theirs
        if low[-1] in _OF_ONESELF:
            return None  # "my heart belongs to jazz"
        if noun in w.ROLES:
            return Mention(
                self.nouns.words(tokens),
                types=_types_of(noun),
                role=noun.replace(" in law", "-in-law"),
            )
        if any(token.capital for token in tokens[1:]):
            for start, stop in _stretches(len(low)):
                role = " ".join(low[start:stop])
                if role in w.ROLES and tokens[stop].capital:
                    return Mention(self.nouns.words(tokens[stop:]), types=_types_of(role))
            if tokens[-1].capital and not tokens[1].capital:
                return None
        if "'s" in low or not noun or low[-1] in w.BAD_IN_OBJECT:
            return None
        text = self.nouns.words(tokens)
        if not me.is_self:  # "my car" would be anybody's
            text = f"{me.text}'s {self.nouns.words(tokens[1:])}"
        elif low[0] == "our" or tokens[0].capital:
            text = f"my {self.nouns.words(tokens[1:])}"
        return Mention(text)


def _supplied(clause: Clause, quote: str) -> str:
    """Return "I'm a nurse" for the "nurse" that stands alone between commas."""
    left_out = [token.low for token in clause.tokens[:3] if not token.text]
    plain = " ".join(quote.split())
    if left_out[1] != "am":
        return plain
    return " ".join(["I'm", *left_out[2:], plain])


def _kin_named(tokens: Sequence[Token]) -> str:
    """Return the role of "my dad (Kwabena)", if it is one."""
    if tokens[0].low not in w.POSSESSIVE:
        return ""
    at = next((n for n, token in enumerate(tokens) if token.low in {",", "("}), 0)
    role = " ".join(token.low for token in tokens[1:at])
    return role if role in w.ROLES else ""


def _without_apposition(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return the name of "my aunt, Zeynep," and of "Zeynep, my aunt,"."""
    at = next((n for n, token in enumerate(tokens) if token.low in {",", "("} and n), 0)
    if not at:
        return tokens
    inside = [token for token in tokens[at + 1 :] if token.low not in {",", ")"}]
    named = bool(inside) and all(token.capital for token in inside)
    return inside if named and tokens[0].low in w.POSSESSIVE else tokens[:at]


def _without_adverb(tokens: Sequence[Token]) -> list[Token]:
    """Drop an adverb that belongs to the verb ("the code deliberately …")."""
    result = list(tokens)
    while result and result[-1].low.endswith("ly") and not result[-1].capital:
        result.pop()
    return result


def _stretches(length: int) -> list[tuple[int, int]]:
    """Return where a role may stand in "my (close) ROLE Name", longest first."""
    return [(start, stop) for start in (1, 2) for stop in range(length - 1, start, -1)]


def _types_of(role: str) -> tuple[str, ...]:
    return ("animal",) if w.ROLES.get(role) == "has_pet" else ("person",)


def _is_title(tokens: Sequence[Token]) -> bool:
    return len(tokens) == 2 and tokens[1].low in {"hague", "guardian", "gambia", "beatles"}


_LONGEST_NAME = 6
_BEINGS = {"person", "animal", "language"}
_OF_PEOPLE = words("has_name also_known_as nationality lives_with met speaks")
_OF_A_THING = words(
    "works_at runs owns founded leads works_on studies_at member_of assigned_to uses drives bought"
)
_OF_ONESELF = words(
    "heart mind brain head back stomach soul life day week morning evening eyes feet legs knees"
    " voice luck head hands gut body mood dream dreams conscience nerves patience ex"
)
_CROWD = words(
    "kids guys people team girls boys children man woman guy girl boy lady person others rest crowd"
    " group class audience folks everyone instructor author man"
)
_NOT_NAMES = words(
    "dinner lunch breakfast work life summer winter spring autumn school home today "
    "everything god thanks love money time music food traffic weather yesterday "
    "tomorrow christmas later mine yours ours lots guess hope looks sounds seems feels "
    "glad happy sad sorry"
)


def _is_one_of(noun: str, name: str) -> bool:
    """Whether a name is that of the bakery on, in or at a place."""
    return name.startswith(tuple(f"{noun} {word} " for word in ("on", "in", "at", "near")))
