"""Which English sentences say nothing that may be stored, and why."""

from __future__ import annotations

import re

from graphmem.extraction.patterns.frame import Refusal
from graphmem.extraction.patterns.sentences import Sentence

_I = re.IGNORECASE
_FICTION = re.compile(
    r"\b(?:let[’']?s (?:play|pretend|role-?play)|role-?play|pretend (?:that |you|to be|we|i)"
    r"|we pretend|act as|play the (?:part|role)|in (?:my|the|this|our) (?:\w+ )?"
    r"(?:novel|story|book|game|campaign|dream|scenario|screenplay|script|fanfic|world)\b,?"
    r"|(?:my|our|the) (?:main |novel'?s |story'?s )?"
    r"(?:character|protagonist|hero|heroine|villain|narrator)"
    r"|in character|hypothetically|for the sake of argument|fictional|once upon a time"
    r"|(?:write|give|tell|draft|compose|make up|invent|generate|create) (?:me |us )?"
    r"(?:an? |some |another )(?:[\w-]+ ){0,3}(?:story|tale|poem|song|scene|letter|bio|joke|limerick"
    r"|haiku|script|speech|essay|dialogue|sketch|monologue|fable|rap|e-?mail|post|caption|profile"
    r"|review|toast)\b"
    r"|in this (?:scenario|story|exercise|example)"
    r"|let[’']?s say|say i[’']?m a|for example,? (?:say|suppose|imagine))",
    _I,
)
_PASTED = (
    r"(?:here[’']?s|here is|this is|below is|see) (?:[\w-]+ ){1,3}?"
    r"(?:letter|e-?mail|bio|cv|resume|résumé|essay|statement|draft|paragraph|intro|abstract|blurb"
    r"|post|caption|profile|speech|transcript|article|passage|review|message|text|quote|prompt"
    r"|story|poem|script)\b[^.!?:]{0,40}:"
)
"""What is pasted to be worked on."""
_WORKED_ON = (
    r"\b(?:make (?:it|this|that) (?:sound|read|more|less|punchier|shorter|longer|better|clearer"
    r"|funnier|nicer|sharper|tighter|flow|formal|polite)\b|(?:proofread|reword|rephrase|rewrite"
    r"|polish|edit|translate|paraphrase|summari[sz]e|shorten|tidy up|improve) (?:it|this|that|the"
    r"|my|following|these)\b)"
)
_LETTER = (
    r"^\W*(?:dear|to) (?:mr|mrs|ms|mx|dr|prof|sir|madam|all|team|hiring|customers?|colleagues?"
    r"|sirs|whom)\b[^.!?]{0,40}[,:]"
)
"""How a letter begins that was pasted to be looked over."""
_OPENS = re.compile(
    r"\b(?:let[’']?s (?:play|pretend|role-?play)|role-?play|act as|you are now|in this scenario"
    r"|once upon a time|in (?:my|the|this) (?:novel|story|game|campaign)"
    r"|write (?:me )?a (?:story|poem|song|scene)|example:)"
    rf"|{_LETTER}|{_PASTED}|\bcover letter:",
    _I,
)
_PLAY = re.compile(
    r"\b(?:let[’']?s (?:play|pretend|role-?play)|role-?play|act as|you are now)\b", _I
)
_PLAY_ENDS = re.compile(
    r"\b(?:(?:stop|end|quit|finish)(?:ed)? (?:the )?(?:playing|pretending|role-?play|game|story)"
    r"|back to (?:reality|real life|normal)|out of character|game over|in real life|for real"
    r"|seriously now|no more (?:playing|games|role-?play)|enough (?:of )?(?:playing|pretending))\b",
    _I,
)
_CONDITIONAL = re.compile(
    r"^\W*(?:(?:and|but|so|or|well|ok|then|even|only|what|as)\W+)*"
    r"(?:if|imagine|suppose|supposing|assuming|assume|say that|unless|whether|wish|what if)\b"
    r"|\b(?:i|we) (?:really |just |so )?wish|\bif only\b|\bas if\b|\bas though\b"
    r"|\bi(?:[’']d| would) (?:rather|prefer|love|like)\b|\bwhat if\b",
    _I,
)
_QUESTION_OPENER = re.compile(
    r"^\W*(?:(?:and|but|so|or|well|ok|okay|hey|hi|oh|um|also|wait)\W+)*"
    r"(?:who|whom|whose|what|when|where|why|how|which|is|are|was|were|do|does|did|can|could|would"
    r"|will|should|shall|may|might|have|has|had|am|isn[’']?t|aren[’']?t|don[’']?t|doesn[’']?t"
    r"|didn[’']?t|won[’']?t|can[’']?t|couldn[’']?t|wouldn[’']?t|what[’']?s|where[’']?s|who[’']?s|how[’']?s)\b",
    _I,
)
_BARE_QUESTION = re.compile(
    r"^\W*(?:(?:and|but|so|or|well|ok|okay|hey|hi|oh|um|also|wait)\W+)*"
    r"(?:(?:who|whom|whose|what|when|where|why|how|which) (?:is|are|was|were|do|does|did|can|could"
    r"|would|will|should|to|many|much|long|about)\b|(?:do|does|did|am|is|are|was|were|can|could|have|has"
    r"|should|would|will) (?:i|we|you|he|she|they|it|my|our|your|the|this|that|there|any)\b"
    r"|how about|any (?:ideas|tips|suggestions)|whoever)",
    _I,
)
_REPORTED = re.compile(
    r"^\W*(?:please )?(?:translate|proofread|rephrase|rewrite|reword|paraphrase|summari[sz]e"
    r"|correct|spell-?check|transcribe)\b|\baccording to\b"
    r"|\b\w+\s+(?:said|says|say|told|tells|claims?|claimed"
    r"|announced|wrote|writes|insists?|insisted|swears?|asked|replied|shouted|whispered|joked|lied"
    r"|reckons?|suggested|mentioned|thinks?|thought|believes?)\b",
    _I,
)
_SELF_REPORT = re.compile(
    r"\b(?:i|we)\s+(?:(?:think|thought|believe|guess|hope|suppose|bet|doubt|suspect|dreamt|dreamed"
    r"|imagine|assume|feel like|heard|wonder|reckon|fear|pretend|worry)\b)"
    r"|\b(?:apparently|supposedly|allegedly|rumou?r has it|i[’']ve heard|it seems|seems like"
    r"|feels like|it feels|legend has it|i[’']m not sure|not sure (?:if|whether))\b",
    _I,
)
_SARCASM = re.compile(
    r"(?:^|\s)/s\b|\byeah,? right\b|\boh,? (?:sure|great|joy|brilliant|fantastic)\b|\bas if\b"
    r"|🙄|\bsaid (?:no one|nobody)\b"
    r"|\bjust (?:love|adore) (?:it )?when\b|\(not\)|\bnot!$|\bsarcas|\bjk\b|\bjust kidding\b"
    r"|\bkidding\b|\bhaha,? no\b",
    _I,
)
_ADVERT = re.compile(
    r"\b(?:buy now|order now|click here|call now|limited offer|free shipping|% off|subscribe now"
    r"|best (?:prices|mattresses|deals)|act now|sign up today|don[’']t miss|sale ends|use code)\b",
    _I,
)
_ONE_TURN = re.compile(
    r"\b(?:this time|just this once|for this (?:one|answer|reply|message|question)|for now only"
    r"|only the (?:first|last)|in this (?:reply|answer|message))\b",
    _I,
)
_ABOUT_USER = re.compile(r"^\W*(?:the )?user(?:'s|’s)?\s", _I)
_ASSISTANT_INTRO = re.compile(r"^\W*(?:you are|you[’']re|your (?:name|task|job|role))\b", _I)
_REMEMBER = re.compile(r"\b(?:remember|note|keep in mind|don[’']t forget)\b", _I)


def refusal(sentence: Sentence) -> Refusal | None:
    """Return why a whole sentence is refused, or None if it may be read."""
    text = sentence.text
    for kind, applies in (
        (Refusal.SARCASM, _SARCASM.search(text)),
        (Refusal.FICTION, _FICTION.search(text)),
        (Refusal.ADVERTISEMENT, _ADVERT.search(text)),
        (Refusal.INJECTED, _ABOUT_USER.match(text)),
        (Refusal.CONDITIONAL, _CONDITIONAL.search(text)),
        (Refusal.QUESTION, is_question(text)),
        (Refusal.ADDRESSED, _ASSISTANT_INTRO.match(text)),
        (Refusal.INSTRUCTION, _ONE_TURN.search(text)),
        (Refusal.QUOTATION, _is_reported(sentence) or NOT_OWN_WORDS.search(text)),
        (Refusal.HEARSAY, _SELF_REPORT.search(text)),
    ):
        if applies:
            return kind
    return None


NOT_OWN_WORDS = re.compile(f"{_LETTER}|{_PASTED}|{_WORKED_ON}|\\bcover letter:", _I)
_REPORTER = re.compile(
    r"(?:(?:lol|so|and|but|well|ok|haha|also)\W+)*(?:my|our)\b[^,;:\"“]{0,60}", _I
)


def reporter(sentence: Sentence) -> int:
    """Return where "my dentist Dr. Obi" ends before "says …"; 0 if nobody is so named."""
    match = _REPORTED.search(sentence.text)
    if match is None or sentence.quoted:
        return 0
    stop = sentence.text.rfind(" ", 0, match.end())
    return stop if stop > 0 and _REPORTER.fullmatch(sentence.text[:stop]) else 0


def opens_play(text: str) -> bool:
    """Whether what the speaker says from here on, in later turns too, is a role play."""
    return _PLAY.search(text) is not None


def closes_play(text: str) -> bool:
    """Whether a role play ends here."""
    return _PLAY_ENDS.search(text) is not None


def opens_fiction(text: str) -> bool:
    """Whether what follows the sentence in its turn is made up."""
    return _OPENS.search(text) is not None


def is_question(text: str) -> bool:
    """Whether a sentence asks; a question mark is not always written."""
    stripped = text.rstrip(" \"'”’)")
    if stripped.endswith("?") or "?" in stripped[-4:]:
        return True
    return _BARE_QUESTION.match(text) is not None


def statement_before_question(text: str) -> int:
    """Return how much of a question states something first ("I live in Leeds, any cafés?").

    0 if none of it, or if it only asks whether the statement is so ("…, right?").
    """
    if not re.match(r"\W*(?:(?:hi|hey|hello|so|ok|well)\W+)*(?:i|we|my|our)\b", text, _I):
        return 0
    for mark in re.finditer(r"\s*(?:,|\s[-–—]|;|\.\.\.|…)\s*(?:so |and |but )?", text):
        tail = text[mark.end() :]
        if _TAG.match(tail):
            return 0
        if _QUESTION_OPENER.match(tail) or re.match(r"any\b", tail, _I):
            return mark.start()
    return 0


def is_request(text: str) -> bool:
    """Whether a question asks for help with something, not whether it is so."""
    return _REQUEST.match(text) is not None and NOT_OWN_WORDS.search(text) is None


_REQUEST = re.compile(
    r"\W*(?:(?:hi|hey|hello|ok|okay|so|also|and|please|pls)\W+)*"
    r"(?:(?:can|could|would|will) (?:you|u|ya) (?:please |pls )?"
    r"(?:help|plan|suggest|recommend|find|give"
    r"|make|book|write|come up|think of)\b|any (?:ideas|tips|suggestions|recommendations|advice)\b"
    r"|what (?:should|can|could|would|shall|do) (?:i|we)\b|how (?:do|can|should|could) (?:i|we)\b"
    r"|where (?:can|could|should) (?:i|we)\b)",
    _I,
)


def statement_before_doubt(text: str) -> int:
    """Return how much stands before "… and I think", "… but my doctor says"; 0 if nothing does.

    Only what the speaker says of their own, joined to the rest by a word: what a comma parts may
    be the words reported ("I'm tired, he said").
    """
    if not _OWN.match(text):
        return 0
    doubts = (_SELF_REPORT, _REPORTED, _WISHED)
    found = [match for doubt in doubts if (match := doubt.search(text))]
    if not found:
        return 0
    begin = min(match.start() for match in found)
    joint = _JOINED.search(text[:begin])
    return joint.start() if joint else 0


_OWN = re.compile(r"\W*(?:(?:hi|hey|hello|so|ok|well)\W+)*(?:i|we|my|our|im|ive)\b", _I)
_JOINED = re.compile(
    r"[,;]?\s+(?:and|but|so|because|though)\s+(?:(?:my|the|his|her|our|also)?\s*)\Z", _I
)
_WISHED = re.compile(r"\b(?:i|we) (?:really |just |so )?wish\b", _I)
_TAG = re.compile(
    r"(?:right|no|yes|huh|eh|correct|innit|you know|remember|ok|okay|"
    r"(?:am|are|is|was|were|do|does|did|have|has|had|can|could|would|will|should)(?:n[’']?t)? "
    r"(?:i|we|he|she|they|it)(?: not)?)\s*\?",
    _I,
)


def _is_reported(sentence: Sentence) -> bool:
    text = sentence.text
    if any(stop - begin > 60 for begin, stop in sentence.quoted):
        return True
    match = _REPORTED.search(text)
    if match is None:
        return False
    first = match.group().split()[0].lower() if match.group().split() else ""
    return first not in {"i", "we", "to", "not", "please", "and", "just", "also", "can", "must"}
