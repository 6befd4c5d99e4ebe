"""English of dates ahead: appointments, papers that run out, a new job."""

from __future__ import annotations

from graphmem.extraction.normalize.types import TimeRole
from graphmem.extraction.patterns.en_being import is_person
from graphmem.extraction.patterns.en_clause import Clause
from graphmem.extraction.patterns.en_forms import Telling, tell
from graphmem.extraction.patterns.en_frames import Kind
from graphmem.extraction.patterns.en_make import Maker
from graphmem.extraction.patterns.en_nouns import Shape, cut, strip_trailing
from graphmem.extraction.patterns.en_times import TimePhrase
from graphmem.extraction.patterns.sentences import words
from graphmem.model.claim import Form, Modality, Polarity
from graphmem.model.draft import Draft


def read_terms(maker: Maker, clause: Clause) -> list[Draft] | None:
    """Return the drafts of a clause that one of these rules understands; None if none applies."""
    for rule in (_visit, _valid, _runs_out, _new_job):
        drafts = rule(maker, clause)
        if drafts:
            return drafts
    return None


_SEEN = words(
    "dentist doctor vet physio physiotherapist optician hairdresser gp dermatologist orthodontist"
    " hygienist chiropodist osteopath midwife"
)
_HELD = words("appointment interview check-up checkup viewing exam haircut scan x-ray")


def _visit(maker: Maker, clause: Clause) -> list[Draft]:
    """ "The dentist is tomorrow at 9", "my driving exam is on 3 June"."""
    group, subject, me = clause.group, clause.subject, maker.context.me
    when = _ahead(clause)
    if group.lemma != "be" or group.negated or group.past or group.perfect or when is None:
        return []
    if me is None or any(t.is_word for t in clause.rest) or len(subject) < 2 or clause.opener:
        return []
    head, owner = subject[-1].low, subject[0].low
    seen = head in _SEEN and len(subject) == 2 and owner in {"my", "the"}
    held = head in _HELD and owner == "my" and len(subject) <= 4
    if not (seen or held) or any(token.low == "'s" for token in subject):
        return []
    what = maker.nouns.words(subject[1:])
    modality = Modality.PLANNED
    if group.modality is not Modality.ASSERTED:
        modality = group.modality
    telling = Telling(start=when.phrase, modality=modality)
    return [maker.draft(me, "has_appointment", what, telling, clause, rule="visit")]


def _ahead(clause: Clause) -> TimePhrase | None:
    """Return the one date of a clause, if it can be one to come."""
    dated = [phrase for phrase in clause.times if phrase.role is TimeRole.AT]
    if len(clause.times) != 1 or not dated or dated[0].clock:
        return None
    over = dated[0].phrase.casefold().startswith(("last ", "yesterday", "today"))
    return None if over or dated[0].phrase.casefold().endswith((" ago", "now")) else dated[0]


_PAPERS = words(
    "visa passport permit licence license ticket pass card warranty insurance lease contract offer"
    " subscription membership certificate"
)


def _valid(maker: Maker, clause: Clause) -> list[Draft]:
    """ "My visa is valid until June"."""
    group, lows = clause.group, [token.low for token in clause.rest]
    ending = [phrase.phrase for phrase in clause.times if phrase.role is TimeRole.END]
    subject = maker.subject(clause.subject)
    papers = clause.subject[-1].low in _PAPERS
    if group.lemma != "be" or lows[:1] not in (["valid"], ["good"]) or not papers:
        return []
    if subject is None or subject.is_self or not ending or group.past or group.negated:
        return []
    return [maker.draft(subject, "has_status", "valid", Telling(end=ending[0]), clause)]


_ENDING = {"end": (), "expire": (), "finish": (), "run": ("out",)}


def _runs_out(maker: Maker, clause: Clause) -> list[Draft]:
    """ "The contract ends next March", "my visa runs out in June": valid till then."""
    group, when = clause.group, _ahead(clause)
    more = _ENDING.get(clause.group.lemma)
    if more is None or tuple(t.low for t in strip_trailing(clause.rest)) != more or when is None:
        return []
    if group.past or group.perfect or group.negated or group.modality is Modality.POSSIBLE:
        return []
    owner = clause.subject[0].low
    subject = maker.subject(clause.subject)
    if owner not in {"my", "our", "the"} or clause.subject[-1].low not in _PAPERS - {"offer"}:
        return []
    if subject is None or subject.is_self:
        return []
    ahead = Telling(end=when.phrase, polarity=Polarity.POSITIVE)
    return [maker.draft(subject, "has_status", "valid", ahead, clause, rule="runs_out")]


def _new_job(maker: Maker, clause: Clause) -> list[Draft]:
    """ "I've got a new job at Finch Co", "she has a new job with Larch"."""
    group, lows = clause.group, [token.low for token in clause.rest]
    lows = lows[1:] if lows[:1] == ["got"] else lows
    if group.lemma not in {"have", "get", "land", "find"} or lows[:3] != ["a", "new", "job"]:
        return []
    subject = maker.subject(clause.subject)
    _, after = cut(clause.rest, words("at with"))
    if (
        subject is None
        or not is_person(subject, clause.subject)
        or lows[3:4] not in (["at"], ["with"])
    ):
        return []
    firm = maker.nouns.single(after[1:], Shape.ORGANISATION)
    past = group.past and group.lemma == "have"
    if not firm or past or group.negated or group.modality is not Modality.ASSERTED:
        return []
    if group.lemma == "have":
        told = [Telling(Form.CHANGE)] if not clause.times else []
    else:
        told = tell(Kind.BEGIN, group, clause.times)
    return [maker.draft(subject, "works_at", firm[0].text, one, clause) for one in told]
