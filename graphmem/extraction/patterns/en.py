"""Reads English sentences: guards, then clauses, then the rules for each clause."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from graphmem.extraction.patterns import en_guards as guards
from graphmem.extraction.patterns import en_notes as notes
from graphmem.extraction.patterns.en_around import read_around
from graphmem.extraction.patterns.en_being import read_being
from graphmem.extraction.patterns.en_casual import (
    parted,
    with_fragments,
    with_speaker,
    without_apology,
    without_chatter,
    without_lead_in,
)
from graphmem.extraction.patterns.en_clause import Clause
from graphmem.extraction.patterns.en_clauses import ClauseReader, takes_complement
from graphmem.extraction.patterns.en_copula import Copula
from graphmem.extraction.patterns.en_forms import Telling, tell
from graphmem.extraction.patterns.en_frames import Frame, Frames
from graphmem.extraction.patterns.en_group import Phase
from graphmem.extraction.patterns.en_habits import read_habit, read_plan
from graphmem.extraction.patterns.en_have import read_have
from graphmem.extraction.patterns.en_lives import past_alone, read_life
from graphmem.extraction.patterns.en_make import Maker
from graphmem.extraction.patterns.en_nouns import Nouns
from graphmem.extraction.patterns.en_objects import objects_of
from graphmem.extraction.patterns.en_people import appositions
from graphmem.extraction.patterns.en_special import read_special
from graphmem.extraction.patterns.en_terms import read_terms
from graphmem.extraction.patterns.en_times import time_phrases
from graphmem.extraction.patterns.en_tokens import Token, tokenise
from graphmem.extraction.patterns.frame import Context, Refusal, SentenceResult
from graphmem.extraction.patterns.sentences import Sentence
from graphmem.model.claim import Correction, Form
from graphmem.model.draft import Draft
from graphmem.model.ontology import default_ontology
from graphmem.model.predicate import Ontology

_ANY_MORE = re.compile(
    r"\b(?:any ?more|any longer|at all|before that|after that|by the way|in fact"
    r"|of course|at the moment|these days|right now|for now|to be honest"
    r"|on another note|turns out|it turns out"
    r"|as well|for (?:context|reference|info)|just so you know|quick update"
    r"|in case (?:it|that) (?:matters|helps))\b",
    re.IGNORECASE,
)
_WHOLE_LIFE = re.compile(
    r"\b(?:all|my whole|our whole|my entire) (?:my )?li(?:fe|ves)\b", re.IGNORECASE
)
_OVER = frozenset(("lives_in", "works_at", "works_as", "studies", "studies_at"))
"""What is over if it is told in the plain past ("I lived in Rome")."""
_TITLE = 40
"""Characters: a longer quotation is what somebody said."""
_LONGEST = 1200
"""Characters: a longer "sentence" is no prose anybody spoke."""


class EnglishReader:
    """Reads English sentences; see ``LanguageReader``.

    The registry's English surfaces are understood beside the verbs known here.
    """

    def __init__(self, ontology: Ontology | None = None) -> None:
        self._ontology = ontology or default_ontology()
        self._frames = Frames(self._ontology)
        self._clauses = ClauseReader(self._frames.verbs)
        self._copula = Copula(self._frames)

    def extract_sentence(self, sentence: Sentence, context: Context) -> SentenceResult:
        """Read one sentence."""
        if len(sentence.text) > _LONGEST:
            return SentenceResult(unmatched=True)
        read = self._sentence(sentence, context)
        return replace(read, closes_play=guards.closes_play(sentence.text))

    def _sentence(self, sentence: Sentence, context: Context) -> SentenceResult:
        corrected = notes.correct(sentence.text, context.drafts)
        if corrected is not None:
            text = sentence.text
            return SentenceResult(
                (replace(corrected, turn=context.turn.id, quote=text, statement=text),)
            )
        note = notes.find_note(sentence.text)
        if note is not None:
            return self._note(note, sentence, context)
        return self._read(sentence, context)

    def _note(self, note: notes.Note, sentence: Sentence, context: Context) -> SentenceResult:
        """Keep what the speaker asks to keep: as what it says, else in its own words."""
        begin = sentence.text.find(note.content)
        inner = Sentence(
            note.content, sentence.begin + begin, sentence.begin + begin + len(note.content)
        )
        if not note.style:
            read = self._read(inner, context)
            if read.drafts:
                kept = tuple(
                    replace(draft, importance=9, quote=sentence.text) for draft in read.drafts
                )
                return SentenceResult(kept)
            if read.refused is not None or not notes.worth_noting(note.content):
                return read
        if context.me is None or not context.me.is_self:  # people tell each other to remember
            return SentenceResult(unmatched=True)
        maker = self._maker(sentence, context)
        predicate = "wants_style" if note.style else "remember"
        draft = maker.draft(context.me, predicate, note.content, Telling())
        return SentenceResult((replace(draft, importance=8 if note.style else 9),))

    def _maker(self, sentence: Sentence, context: Context) -> Maker:
        return Maker(sentence, context, Nouns(sentence.text), self._ontology)

    def _read(self, sentence: Sentence, context: Context) -> SentenceResult:
        stop = len(sentence.text)
        if guards.is_question(sentence.text):
            stop = guards.statement_before_question(sentence.text)
            if stop:
                sentence = replace(
                    sentence,
                    text=sentence.text[:stop],
                    stop=sentence.begin + stop,
                    quoted=tuple(q for q in sentence.quoted if q[1] <= stop),
                )
        refused = guards.refusal(sentence)
        if refused in {Refusal.HEARSAY, Refusal.QUOTATION, Refusal.CONDITIONAL}:
            stop = guards.statement_before_doubt(sentence.text)
            if stop and not sentence.quoted:
                short = replace(sentence, text=sentence.text[:stop], stop=sentence.begin + stop)
                read = self._read(short, context)
                if read.drafts:
                    return read
        if refused is not None:
            return SentenceResult(
                drafts=self._taken_for_granted(sentence, context, refused),
                refused=refused,
                opens_fiction=guards.opens_fiction(sentence.text),
                opens_play=guards.opens_play(sentence.text),
            )
        maker = self._maker(sentence, context)
        nickname = notes.find_nickname(sentence.text)
        if nickname is not None and context.me is not None:
            called = maker.draft(context.me, "also_known_as", nickname, Telling())
            return SentenceResult((*self._clauses_of(sentence, maker).drafts, called))
        return self._clauses_of(sentence, maker)

    def _taken_for_granted(
        self, sentence: Sentence, context: Context, refused: Refusal
    ) -> tuple[Draft, ...]:
        """ "My dentist Dr. Obi says …": what is said is hers, that she is my dentist is mine.

        So is "a party for my daughter Elsie?".
        """
        stop = guards.reporter(sentence) if refused is Refusal.QUOTATION else 0
        asked = refused is Refusal.QUESTION and not sentence.quoted
        if asked and guards.is_request(sentence.text):
            stop = len(sentence.text)
        if not stop:
            return ()
        maker = self._maker(sentence, context)
        named = appositions(maker, tokenise(sentence.text[:stop]), ())
        return tuple(draft for draft in named if refused is not Refusal.QUESTION or _is_mine(draft))

    def _clauses_of(self, sentence: Sentence, maker: Maker) -> SentenceResult:
        text = _ANY_MORE.sub(_blank, _without_quotes(sentence))
        times = time_phrases(text, maker.context.turn)
        for phrase in times:
            text = text[: phrase.begin] + "\0" * (phrase.stop - phrase.begin) + text[phrase.stop :]
        maker.nouns = Nouns(text)
        tokens = parted(without_chatter(tokenise(text, _titles(sentence))))
        tokens = without_lead_in(without_apology(tokens))
        if maker.context.me is not None:
            tokens = with_fragments(tokens)
            tokens = with_speaker(tokens, self._frames.verbs)
        clauses = self._clauses.read(tokens, times)
        drafts = appositions(maker, tokens, clauses)
        maker.context = replace(maker.context, drafts=(*maker.context.drafts, *drafts))
        refused: Refusal | None = None
        for clause in clauses:
            if clause.low_subject == "you" or clause.low_subject.startswith("your "):
                refused = Refusal.ADDRESSED
                continue
            if maker.subject(clause.subject) is None:
                refused = refused or Refusal.UNRESOLVED
            more = _merged(drafts, self._clause(maker, clause))
            drafts = [draft for draft in drafts if not _dated_by(draft, more)] + more
            if takes_complement(clause) and clause.group.phase is not Phase.USED:
                break
            # Pronouns in the next clause may mean who was just introduced.
            maker.context = replace(maker.context, drafts=(*maker.context.drafts, *drafts[-4:]))
        if drafts:
            return SentenceResult(tuple(drafts))
        return SentenceResult(refused=refused, unmatched=refused is None)

    def _clause(self, maker: Maker, clause: Clause) -> list[Draft]:
        told = self._told(maker, clause)
        if _opens_with_correction(maker, clause):
            told = [_correcting(maker, draft) for draft in told]
        return told

    def _told(self, maker: Maker, clause: Clause) -> list[Draft]:
        group = clause.group
        if group.unreal or group.to_do or any(t.low in {"if", "unless"} for t in clause.tokens):
            return []
        special = read_special(maker, clause, lambda text: self._statement(text, maker.context))
        if special is None:
            special = read_around(maker, clause) or read_life(maker, clause)
        if special is None:
            special = read_terms(maker, clause)
        if special is None:
            special = read_habit(maker, clause)
        if special is not None:
            return special
        if group.lemma == "be":
            drafts = self._copula.owned(maker, clause)
            if drafts:
                return drafts
        drafts = self._framed(maker, clause)
        if drafts:
            return drafts
        if group.lemma == "be":
            return read_being(maker, clause)
        if group.lemma == "have":
            return read_have(maker, clause)
        return read_plan(maker, clause)

    def _framed(self, maker: Maker, clause: Clause) -> list[Draft]:
        # How, before where: "live on my own in Whitby".
        where = past_alone(clause.rest) if clause.group.lemma == "live" else None
        rest = clause.rest if where is None else where
        drafts: list[Draft] = []
        for frame, after in self._frames.match(clause.group.lemma, rest):
            drafts += self._as_frame(maker, clause, frame, after)
            if drafts and clause.group.lemma != "retire":  # "from the post office": and altogether
                break
        return drafts

    def _as_frame(
        self, maker: Maker, clause: Clause, frame: Frame, rest: list[Token]
    ) -> list[Draft]:
        if _WHOLE_LIFE.search(maker.sentence.text):
            clause.group.flags.add("always")
        cue = frame.predicate in _OVER or _past_cue(clause)
        cue = cue or _LONG_AGO.match(maker.sentence.text) is not None
        told = tell(frame.kind, clause.group, clause.times, cue=cue)
        return objects_of(maker, clause, frame, rest, told)

    def _statement(self, text: str, context: Context) -> list[Draft]:
        """Read the statement of a fact the memory holds."""
        known = replace(context.known, statements=())  # it is not read by itself once more
        plain = replace(context, drafts=(), told=(), known=known)
        return list(self._read(Sentence(text, 0, len(text)), plain).drafts)


def _is_mine(draft: Draft) -> bool:
    """Whether a relation is the speaker's own, or tells of a pet: nobody asks whether it is so."""
    ends = (draft.subject, draft.object)
    return draft.form is Form.STATE and any(end is not None and end.is_self for end in ends)


def _blank(match: re.Match[str]) -> str:
    return "\0" * len(match.group())


def _without_quotes(sentence: Sentence) -> str:
    """Blank long quotations, and the marks of short ones (titles, nicknames)."""
    text = sentence.text
    for begin, stop in sentence.quoted:
        inside = text[begin + 1 : stop - 1]
        if len(inside) > _TITLE or len(inside.split()) > 6:
            text = text[:begin] + " " * (stop - begin) + text[stop:]
        else:
            text = f"{text[:begin]} {inside} {text[stop:]}"
    return text


def _titles(sentence: Sentence) -> list[tuple[int, int]]:
    """Return where short quotations of several words stand: titles, not words of ours."""
    return [
        (begin + 1, stop - 1)
        for begin, stop in sentence.quoted
        if " " in sentence.text[begin + 1 : stop - 1].strip()
        and len(sentence.text[begin + 1 : stop - 1]) <= _TITLE
        and sentence.text[begin + 1].isupper()
    ]


_LONG_AGO = re.compile(
    r"\W*(?:as an? (?:kid|child|boy|girl|teen|teenager|student)|growing up|back then|way back)\b",
    re.IGNORECASE,
)


def _past_cue(clause: Clause) -> bool:
    words = " ".join(token.low for token in (*clause.tokens, *clause.condition))
    return clause.opener in {"until", "till"} or any(
        cue in f" {words} "
        for cue in (
            " as a kid ", " as a child ", " back then ", " previously ", " formerly ",
            " when i was ", " when we were ", " growing up ", " before that ", " as a student ",
            " i was a kid ", " i was a child ", " i was little ", " i was younger ", " once ",
        )
    )  # fmt: skip


def _opens_with_correction(maker: Maker, clause: Clause) -> bool:
    head = maker.sentence.text[: clause.tokens[0].begin].casefold()
    return any(word in head for word in _PUTS_RIGHT)


_PUTS_RIGHT = (
    "actually", "no,", "sorry", "correction", "wait", "scratch", "mixed", "wrong", "my mistake",
)  # fmt: skip


def _correcting(maker: Maker, draft: Draft) -> Draft:
    """Mark a draft as correcting, if something was said in its slot just before."""
    for earlier in maker.context.drafts:
        same_slot = earlier.predicate == draft.predicate and (
            earlier.subject.text.casefold() == draft.subject.text.casefold()
            or (earlier.subject.is_self and draft.subject.is_self)
        )
        if not same_slot or earlier.object is None or draft.object is None:
            continue
        same = earlier.object.text.casefold() == draft.object.text.casefold()
        if maker.is_single(draft.predicate) or (same and earlier.polarity != draft.polarity):
            return replace(draft, correction=Correction())
    return draft


def _dated_by(draft: Draft, more: Sequence[Draft]) -> bool:
    """Whether an ending without a date is told again with one ("… but I quit in 2019")."""
    return (
        draft.form is Form.END
        and draft.end is None
        and any(
            one.form is Form.END
            and one.end is not None
            and one.predicate == draft.predicate
            and one.subject == draft.subject
            and one.object == draft.object
            for one in more
        )
    )


def _merged(have: Sequence[Draft], more: Sequence[Draft]) -> list[Draft]:
    """Return those of ``more`` that are not already among ``have``."""
    known = {_identity(draft) for draft in have}
    result: list[Draft] = []
    for draft in more:
        if _identity(draft) not in known:
            known.add(_identity(draft))
            result.append(draft)
    return result


def _identity(draft: Draft) -> tuple[object, ...]:
    value = draft.object.text.casefold() if draft.object else None
    return (draft.subject.text.casefold(), draft.predicate, value, draft.polarity,
            draft.modality, draft.form, draft.end)  # fmt: skip
