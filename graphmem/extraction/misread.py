"""What a sentence cannot carry, though each of a claim's words was said.

A model that gives each thing named near a claim to whoever speaks is refused here; only where the
words make it certain.
"""

from __future__ import annotations

import re

from graphmem.extraction.ground import HAN, Words, stem, word_list
from graphmem.extraction.mentions import may_refer
from graphmem.extraction.patterns.en_words import ROLES
from graphmem.extraction.patterns.sentences import Sentence, words
from graphmem.extraction.patterns.zh_people import RELATIONS
from graphmem.extraction.speech import asks, clause_at
from graphmem.extraction.view import MUTE, Refused, TurnView
from graphmem.extraction.wire import WireClaim
from graphmem.model.claim import Mention
from graphmem.model.predicate import Resolved, slugify
from graphmem.model.text import normal_key

_NAMING = frozenset(words("has_name also_known_as"))
_DISCOURSE = words(
    "anyway anyways anyhow however besides meanwhile otherwise therefore actually btw also ok okay"
    " 现在 目前 如今 反正 总之 对了 其实 然后 不过 所以 但是 另外 此外 话说"
) | {"by the way", "right now", "these days"}
_MYSELF = words("i me myself 我 我自己 本人")
_LEADING = re.compile(r"^(?:(?:my|our|the|an?)\s+|我们?的|咱们?的)", re.IGNORECASE)

_THEY = re.compile(
    r"\W*(?:(?:and|but|so|then|also|now|yes|no|well|anyway|plus)\b[\s,]*)*(?:s?he|they)\b"
    r"|\W*(?:而且|但是?|所以|然后|后来|不过|现在)?[他她](?!人|乡)",
    re.IGNORECASE,
)
_FIRST = re.compile(
    r"\b(?:i|me|my|mine|myself|we|us|our|ours|ourselves|likewise)\b|\bsame here\b|[我咱俺]|本人",
    re.IGNORECASE,
)

_CALLS_ME = re.compile(
    r"\bnam(?:e|es|ed|ing)\b|\bcall(?:s|ed|ing)?\b|\bknown\b|\b(?:nick|user|sur)name\b|\bhandle\b"
    r"|\b(?:go(?:es)?|went|going) by\b|\bsign(?:ed|s)?\b|\bspell\w*|\bpronounc\w*|\bshort for\b"
    r"|\b(?:here|speaking)\b|\b(?:it|this|that)(?:['’]s| is| was)\b|\b(?:i['’]m|im|i am|aka)\b"
    r"|\bsincerely\b|\bregards\b|\bcheers,|\byours\b"
    r"|[叫名姓称字]|我是|我就是|这里是|落款|签",
    re.IGNORECASE,
)
_GREETS = re.compile(
    r"(?:\b(?:(?:meet|meeting|met|see|seeing|hear from|talk to|thank|thanks to|know|knowing) you"
    r"(?: too| again)?"
    r"|hello|hi|hey|thanks|cheers|good (?:morning|afternoon|evening|night)|bye|goodbye|welcome)"
    r"|认识你|见到你|你好|您好|谢谢你?|早上好|晚上好|再见)(?: there)?\s*[,，][ \t]*$",
    re.IGNORECASE,
)

_FALLS_BACK = re.compile(
    r"\b(?:the|my|our|your|one|ones|too|also|as well|either|neither|again|back|still|already|such"
    r"|another|other|others|more|most|some|few|both|so|which|who"
    r"|what|where|when|instead|else|first|second|third|last|next|otherwise|now|anymore|longer)\b"
    r"|\b(?:we|us|together)\b"
    # Said without an object, of what was spoken of: "I start in May", "I got married".
    r"|\b(?:start\w*|join\w*|mov(?:e|ed|ing)|arriv\w*|appl(?:y|ied)|graduat\w*|return\w*|finish\w*"
    r"|pass(?:ed)?|won|lost|enrol\w*|sign\w*|beg[aiu]n|settl\w*|flew|went|came|married|engaged"
    r"|divorced|met|dating)\b"
    r"|[也又再还就]|的(?!\w)|以后|从此|一直|早就|已经|现在|刚|改|换|另|其|第",
    re.IGNORECASE,
)

_PASSIVE = re.compile(
    r"\b(?:is|was|are|were|been|being|be|got|gets|am)\s+(?:\w+ly\s+)?(\w+(?:ed|en|wn|ught|ilt|ung|un|id|ld|de))"
    r"\s+by\s+",
    re.IGNORECASE,
)
_PASSIVE_HAN = re.compile(r"被(?=[^，。,；;]{1,12})")
_DOES = words(
    "causes created founded makes owns runs leads employs hires hired writes wrote painted built"
    " produces manages_person invented designed directed composed"
)


def check_fit(
    claim: WireClaim,
    resolved: Resolved,
    said: tuple[Mention, Mention | None],
    sentences: list[Sentence],
    at: int,
    view: TurnView,
) -> None:
    """Refuse what the sentences of a quote cannot say of a subject and an object.

    Args:
        claim, resolved: the claim as the model wrote it, and its predicate.
        said: its subject and object.
        sentences: those that the quote stands in.
        at: where in the turn the claim's own words stand.
        view: the turn.

    Raises:
        Refused: "unresolved", "self", "address", "unsaid" or "direction".
    """
    (subject, target), slug = said, slugify(claim.predicate)
    if subject.text.casefold() in _DISCOURSE and not subject.is_self:
        raise Refused("unresolved")
    if target is None or target.is_self:
        if target is not None:
            _check_direction(resolved, slug, subject, target, sentences, at, view)
        return
    if _is_itself(resolved, subject, target):
        raise Refused("self")
    text = "\n".join(sentence.text for sentence in sentences)
    if _speaks(subject, view):
        if _of_others(resolved, target, sentences, at, view):
            raise Refused("unresolved")
        if resolved.predicate.slug in _NAMING and _is_addressed(target.text, text, view):
            raise Refused("address")
    narrowed = any(Words([text]).have(value) for _, value in claim.qualifiers)
    if not narrowed and _stands_elsewhere(target, text, sentences, view):
        raise Refused("unsaid")
    _check_direction(resolved, slug, subject, target, sentences, at, view)


def _is_itself(resolved: Resolved, subject: Mention, target: Mention) -> bool:
    """Say whether a claim tells that a thing is itself: "I am me", "my choir is a choir"."""
    if subject.is_self:
        return resolved.predicate.slug in _NAMING and target.text.casefold() in _MYSELF
    bare = [normal_key(_LEADING.sub("", mention.text)) for mention in (subject, target)]
    return bare[0] == bare[1]


def _speaks(mention: Mention, view: TurnView) -> bool:
    return mention.is_self or (view.me is not None and mention == view.me)


def _of_others(
    resolved: Resolved, target: Mention, sentences: list[Sentence], at: int, view: TurnView
) -> bool:
    """Say whether a clause tells only of him, her or them, and the speaker is put in for them."""
    sentence = next((s for s in sentences if s.begin <= at < s.stop), sentences[0])
    if not Words([sentence.text]).have(target.text):
        return False
    begin, _ = clause_at(sentence.text, max(0, at - sentence.begin))
    starts = [sentence.text[begin:], sentence.text]
    found = next((match for start in starts if (match := _THEY.match(start))), None)
    if found is None:
        return False
    told = found.string
    if "person" in resolved.predicate.object_types and (
        _IS.match(told, found.end()) or _OF_THAT_NAME.search(told)
    ):
        return False  # "I have a cook. He's called Pim."
    beside = [other.text for other in sentences if other is not sentence]
    if any(_FIRST.search(text) for text in (told, *beside)):
        return False
    rest = view.turn.content[sentence.stop : sentence.stop + _NEXT]
    return not _FOLLOWS.search(rest)


_IS = re.compile(
    r"['’](?:s|re)\b|\s+(?:is|are|was|were)\b|们?(?:的?名字|名?叫|是|姓)", re.IGNORECASE
)
_OF_THAT_NAME = re.compile(r"\b(?:his|her|their) name\b|[他她]们?的?名字", re.IGNORECASE)
_NEXT = 40
_FOLLOWS = re.compile(
    r"\bme too\b|\bso (?:do|did|am|have|was|will) (?:i|we)\b|\bsame here\b|\blikewise\b"
    r"|我们?也|一样",
    re.IGNORECASE,
)


def _is_addressed(name: str, text: str, view: TurnView) -> bool:
    """Say whether a name is not given to the speaker: they speak to its bearer, or of another."""
    place = text.casefold().find(name.casefold())
    if place >= 0 and _GREETS.search(text[:place]):
        rest = text[place + len(name) :].lstrip()
        return not rest or rest[0] in ".!?。！？,，\n"
    if _CALLS_ME.search(text) or _answers(view):
        return False
    content = view.turn.content.rstrip(" .!\n")
    line = text.rsplit("\n", 1)[-1]
    return not content.casefold().endswith(name.casefold()) or "," in line or "，" in line


def _answers(view: TurnView) -> bool:
    """Say whether a turn is a short answer to a question."""
    return view.asked is not None and (
        view.asked.turn.role in MUTE or any(asks(s.text) for s in view.asked.split.sentences)
    )


def _stands_elsewhere(
    target: Mention, text: str, sentences: list[Sentence], view: TurnView
) -> bool:
    """Say whether an object is of another sentence that this one neither names nor refers to."""
    here = Words([text])
    if here.have(target.text) or here.have_each(target.text):
        return False
    parts = word_list(target.text)
    if any(here.have(part) for part in parts if len(part) > 1) or target.role is not None:
        return False
    if any("\u3400" <= part <= "\u9fff" and part in text for part in parts):
        return False
    if not view.spoken.have(target.text):
        return False
    if _answers(view) or may_refer(text) or _FALLS_BACK.search(text):
        return False
    if _goes_on(target, sentences, view):
        return False
    return not (HAN.search(text) and _may_drop(target, view))


def _goes_on(target: Mention, sentences: list[Sentence], view: TurnView) -> bool:
    """Say whether what follows tells the object: "I have two cats. Zig and Zag.", or a list."""
    if sentences[-1].text.endswith((":", "：")):
        return True
    following = [s for s in view.split.sentences if s.begin >= sentences[-1].stop]
    if not following or asks(following[0].text):
        return False
    return Words([following[0].text]).have(target.text)


def _may_drop(target: Mention, view: TurnView) -> bool:
    """Say whether the speaker told of an object before, so that Chinese may leave it out."""
    own = [view, *(v for v in view.heard if v.me == view.me and v.turn.role not in MUTE)]
    told = (s.text for each in own for s in each.split.sentences if not asks(s.text))
    return any(Words([text]).have(target.text) for text in told)


def _check_direction(
    resolved: Resolved,
    slug: str,
    subject: Mention,
    target: Mention,
    sentences: list[Sentence],
    at: int,
    view: TurnView,
) -> None:
    sentence = next((s for s in sentences if s.begin <= at < s.stop), sentences[0])
    if _is_turned_round(slug, subject, target, sentence.text, view):
        raise Refused("direction")
    if _owner_is_turned_round(resolved, slug, subject, target, sentence.text, view):
        raise Refused("direction")


def _is_turned_round(
    slug: str, subject: Mention, target: Mention, text: str, view: TurnView
) -> bool:
    """Say whether who did it and what it was done to are turned round in a plain passive."""
    if slug.endswith(("_by", "_of", "_at", "_in", "_from", "_to")):
        return False
    for passive in _PASSIVE.finditer(text):
        first, _ = clause_at(text, passive.start())
        _, last = clause_at(text, passive.end())
        verb = stem(slug.split("_")[0])[:4]
        does = slug in _DOES or (len(verb) == 4 and passive[1].casefold().startswith(verb))
        before, after = text[first : passive.start()], text[passive.end() : last]
        if does and _stands(subject, before, view) and _stands(target, after, view):
            return not _stands(subject, after, view) and not _stands(target, before, view)
    han = _PASSIVE_HAN.search(text)
    if han is None or slug not in _DOES:
        return False
    first, last = clause_at(text, han.start())
    before, after = text[first : han.start()], text[han.end() : last]
    return _stands(subject, before, view) and after.startswith(target.text)


def _stands(mention: Mention, text: str, view: TurnView) -> bool:
    if _speaks(mention, view):
        return bool(_FIRST.search(text))
    return Words([text]).have(mention.text)


_IS_OF = re.compile(
    r"^\W*(?:(?:and|but|so|now)\s+)?(.{1,40}?)(?:['’]s|['’]m| is| am| was)\s+(?:now |still |also )?"
    r"(?:(my|our)|(.{1,40}?)['’]s)\s+(.{1,30}?)\W*$",
    re.IGNORECASE,
)
_IS_OF_HAN = re.compile(r"^\W*(.{1,12}?)是(.{1,12}?)的(.{1,6}?)\W*$")
_ROLE_HAN = {"经理": "has_manager", "上司": "has_manager", "领导": "has_manager"}


def _owner_is_turned_round(
    resolved: Resolved, slug: str, subject: Mention, target: Mention, text: str, view: TurnView
) -> bool:
    """Say whether "Tilda is Per's boss" is given as if Per were hers."""
    if slug != resolved.predicate.slug or resolved.predicate.symmetric:
        return False
    told = _IS_OF.fullmatch(text) or _IS_OF_HAN.fullmatch(text)
    if told is None:
        return False
    english = told.re is _IS_OF
    owner = (told[2] or told[3]) if english else told[2]
    role = told[4].casefold() if english else told[3]
    relation = ROLES.get(role) if english else _ROLE_HAN.get(role)
    if relation is None and role in RELATIONS:
        relation = RELATIONS[role][1]
    if relation != slug:
        return False
    return _is(subject, told[1], view) and _is(target, owner, view)


def _is(mention: Mention, text: str, view: TurnView) -> bool:
    if _speaks(mention, view):
        return text.strip().casefold() in _OWN
    return normal_key(_LEADING.sub("", mention.text)) == normal_key(_LEADING.sub("", text.strip()))


_OWN = frozenset(words("i my our 我 我们 咱"))
