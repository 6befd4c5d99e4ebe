"""What a model says of things beside its claims: what kind they are, and what else they are called.

Neither makes a fact by itself. A kind is kept for a thing that a claim is about, if the registry
has that kind. Another name counts only where one sentence gives both names and calls them one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from graphmem.extraction.ground import Said, Words
from graphmem.extraction.patterns.sentences import Sentence
from graphmem.extraction.view import TurnView
from graphmem.extraction.wire import WireClaim, WireEntity
from graphmem.model.claim import Mention
from graphmem.model.draft import Draft
from graphmem.model.entity import ValueKind
from graphmem.model.predicate import Ontology
from graphmem.model.text import normal_key

_ALSO = {
    "person": "people human man woman child individual 人 人物",
    "organisation": "organization company firm employer institution school university team brand"
    " 公司 机构 组织 学校",
    "place": "location city town country region address venue building geo 地点 城市 国家 地方",
    "animal": "pet dog cat bird 动物 宠物",
    "product": "device tool software app vehicle 产品",
    "work": "book film movie song game show 作品",
    "event": "meeting festival 活动",
    "food": "dish drink ingredient 食物",
    "project": "项目",
}
_KINDS = {word: kind for kind, words in _ALSO.items() for word in (kind, *words.split())}
_CALLED = re.compile(
    r"\b(?:calls? (?:him|her|them|it|me|us)|(?:is|was|are|were|be|been|gets?|also|formerly|often"
    r"|usually|sometimes|just) (?:\w+ )?called|(?:we|i|they|people|friends|everyone|everybody|all)"
    r" calls?|nickname\w*|(?:also |better )?known as|goe?s? by|aka|a\.k\.a|alias|short for"
    r"|stands for|abbreviat\w*|(?:full|real|maiden|first|last|middle|other|old|birth|stage|pen"
    r"|given)[ -]names?|name is|i\.e)\b"
    r"|[小大全本真原别艺笔]名|曾用名|英文名|中文名|名叫|名字|叫做|又叫|也叫|都叫|叫[他她它我]|人称|昵称|外号|绰号"
    r"|简称|全称|又称|也称|缩写|就是",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(
    r"\s*[(（]\s*(?:(?:that['’]?s|that is|i\.?e\.?|a\.?k\.?a\.?|就是|也就是|即|又名)[,，]?\s*)?",
    re.IGNORECASE,
)
_BESIDE = re.compile(r"[\s,，]*(?:or\s+)?", re.IGNORECASE)
_FOR_SHORT = re.compile(r"\s*,?\s*for short\b", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")


def words_for(kind: str) -> tuple[str, ...]:
    """Return the words that speak of a thing by its kind: "the company"."""
    return (kind, *_ALSO.get(kind, "").split())


def kinds(ontology: Ontology) -> tuple[str, ...]:
    """Return what kinds of things there are, by the registry's own types and ours."""
    declared = (t for p in ontology for t in (*p.subject_types, *p.object_types))
    return tuple(sorted({*_ALSO, *declared}))


def types_of(entities: Iterable[WireEntity], known: Iterable[str]) -> dict[str, str]:
    """Return kinds by the key of a name; those that ``known`` does not hold are left out."""
    names = frozenset(known)
    found: dict[str, str] = {}
    for entity in entities:
        word = " ".join(entity.type.casefold().split())
        kind = word if word in names else _KINDS.get(word)
        if kind in names:
            found.setdefault(normal_key(entity.name), kind)
    return found


def typed(draft: Draft, types: Mapping[str, str]) -> Draft:
    """Return a draft whose mentions have the kinds that are known of them."""
    subject = _typed(draft.subject, types)
    target = None if draft.object is None else _typed(draft.object, types)
    return replace(draft, subject=subject, object=target)


def _typed(mention: Mention, types: Mapping[str, str]) -> Mention:
    kind = types.get(normal_key(mention.text))
    if kind is None or mention.is_self or mention.kind is not ValueKind.ENTITY:
        return mention
    return replace(mention, types=tuple(dict.fromkeys((*mention.types, kind))))


def alias_claims(
    entities: Iterable[WireEntity], views: Iterable[TurnView], used: Iterable[str]
) -> Iterator[tuple[WireClaim, TurnView | None, Sentence | None]]:
    """Yield for each other name the claim that states it, with the sentence that gives it.

    ``used`` are names that claims and the memory use; the one that is used is whose the other is.
    Both are None where no sentence calls the two one.
    """
    listed, keys = list(views), {normal_key(name) for name in used}
    for entity in entities:
        for alias in entity.aliases:
            name, other = entity.name, alias
            if normal_key(name) == normal_key(other):
                continue
            if normal_key(other) in keys and normal_key(name) not in keys:
                name, other = other, name
            view, sentence = _given(name, other, listed)
            quote = "" if sentence is None else sentence.text
            yield (
                WireClaim(quote=quote, subject=name, predicate="also_known_as", object=other),
                view,
                sentence,
            )


def _given(
    name: str, other: str, views: Iterable[TurnView]
) -> tuple[TurnView, Sentence] | tuple[None, None]:
    """Return the sentence that says that two names are of one thing."""
    if _DIGITS.findall(name) != _DIGITS.findall(other):
        return None, None  # codes that differ are two things
    for view in views:
        if not (view.words.have(name) and view.words.have(other)):
            continue
        for sentence in view.split.sentences:
            said = Words([sentence.text])
            if said.have(name) and said.have(other) and _calls(sentence.text, name, other):
                return view, sentence
    return None, None


def _calls(text: str, name: str, other: str) -> bool:
    """Say whether a sentence calls two things one: with such words, near both names."""
    said = Said(text)
    spans = sorted(span for word in (name, other) if (span := said.find(word)) is not None)
    if len(spans) < 2:
        return False
    (first, stop), (begin, last) = spans
    if _IN_BRACKETS.fullmatch(text, stop, begin):
        return True
    if _BESIDE.fullmatch(text, stop, begin) and _FOR_SHORT.match(text, last):
        return True
    return bool(_CALLED.search(text, max(0, first - 25), last))
