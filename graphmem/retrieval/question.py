"""What a question asks for, read from its words alone: relations, mood, shape. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from graphmem.errors import InputError
from graphmem.model.predicate import Ontology, Predicate, PredicateKind
from graphmem.model.search import FactFilter, PointKind
from graphmem.model.terms import is_telling, query_terms, term_set
from graphmem.model.text import require_text
from graphmem.retrieval.recipes import FLOORS, Recipe

ALL_HITS = frozenset({PointKind.FACT, PointKind.CHUNK})


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question and how it is to be answered.

    Attributes:
        text: the words; not blank.
        filter: which facts may answer; its instants are what the question asks about.
        now: the present, microseconds UTC, for labels and freshness.
        limit: at most this many hits.
        kinds: facts, turns, or both.
        explicit_valid: the caller named the time asked about, so that facts that only may hold
            then are added, marked and below.
        recipe: how to rank, by name or as given.
        floors: overrides of the recipe's floors, by name.

    Raises:
        InputError: a blank text, a limit below 1, no kinds or ENTITY among them, an unknown floor.
    """

    text: str
    filter: FactFilter = field(default_factory=FactFilter)
    now: int
    limit: int = 10
    kinds: frozenset[PointKind] = ALL_HITS
    explicit_valid: bool = False
    recipe: str | Recipe = "default"
    floors: Mapping[str, float] = field(default_factory=dict[str, float])

    def __post_init__(self) -> None:
        require_text(self.text, "the question")
        if self.limit < 1:
            raise InputError(f"limit must be at least 1, not {self.limit!r}")
        if not self.kinds or not self.kinds <= ALL_HITS:
            raise InputError(f"kinds must be of 'fact' and 'chunk', not {sorted(self.kinds)!r}")
        for name in self.floors:
            if name not in FLOORS:
                raise InputError(f"there is no floor {name!r}; floors are {', '.join(FLOORS)}")

    @property
    def instants(self) -> tuple[int, int]:
        """The first and last instant asked about; the present if any time will do."""
        return self.filter.valid or (self.now, self.now)


class Mood(StrEnum):
    """What the asker is about to do with the answer."""

    AVOID = "avoid"
    SUGGEST = "suggest"
    LIKES = "likes"
    DISLIKES = "dislikes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """What a question's words give away.

    Attributes:
        terms: its telling terms.
        predicates: slugs of the relations it names, with how surely (0 to 1).
        myself: it is about the scope's own user.
        jointly: it is about the user and somebody else alike ("my sister and I").
        mood: what the answer is for, if that shows.
        chain: it asks across more than one relation, so the graph is walked.
    """

    terms: Counter[str]
    predicates: Mapping[str, float]
    myself: bool
    jointly: bool
    mood: Mood | None
    chain: bool


_SELF = re.compile(r"\b(?:i|i'm|i've|i'd|me|my|mine|myself|the user|user's?)\b|我|用户|本人|咱")
_USER = re.compile(r"\bthe user(?:'s|s)?\b|用户", re.IGNORECASE)
_JOINTLY = re.compile(
    r"\band (?:i|me)\b|\b(?:i|me) and\b|\bboth\b|[和跟与]我(?!的|妈|爸|哥|姐|弟|妹)|我[和跟与]|都"
)
_CHAIN = re.compile(
    r"(?:\band|[,;，；])\s*(?:which|what|who|whom|whose|where|when|how)\b"
    r"|\b(?:the|a|an|any|those|that|of) [\w' -]{1,40}?\b(?:that|which|who|whom|whose|where)\b"
    r"|(?:'s|\bmy) [\w-]+(?: [\w-]+)?'s\b|\bwhich of\b|\bof (?:my|her|his|their) \w+'s\b"
    r"|\b(?:affect|impact|hit|hurt|reach|harm|threaten)s?\b"
    r"|\b(?:related|connected|linked|tied)\b.{0,30}\bto\b|\bhave to do with\b"
    r"|(?:哪些|哪个|哪道|哪种|什么)[^，。？]{0,8}(?:里|中|含)|影响|波及|牵连|关系|[，；,](?:哪|谁|什么|怎么)"
    r"|的[^，。？的]{1,8}的|(?:所|工作|住|上学|就读)[^，。？]{0,6}的[^，。？]{1,8}(?:在|是|叫)"
)
_MOODS: tuple[tuple[Mood, re.Pattern[str]], ...] = (
    (
        Mood.AVOID,
        re.compile(
            r"\bavoid|\b(?:can't|cannot|can not|must not|mustn't|shouldn't|should not)\b"
            r"|\b(?:not allowed|unsafe|dangerous|off limits|steer clear|forbidden)\b"
            r"|\bsafe (?:for|to)\b"
            r"|不能|不可以|不该|不宜|不要|避免|忌口|忌|禁|别吃|小心"
        ),
    ),
    (
        Mood.SUGGEST,
        re.compile(
            r"\b(?:suggest|recommend|propose|plan|pick|choose|order|cook|prepare|gift|present)"
            r"|\bideas?\b|\bwhat (?:should|shall|could) (?:i|we|she|he|they)\b"
            r"|推荐|建议|安排|计划|准备|做什么菜|吃什么|送什么|点什么|选"
        ),
    ),
    (
        Mood.DISLIKES,
        re.compile(
            r"\b(?:dislike|hate|loathe|detest|can't stand|can't bear)"
            r"|(?:\bnot|n't) (?:like|enjoy)\b"
            r"|不喜欢|不爱|讨厌|厌恶|受不了"
        ),
    ),
    (
        Mood.LIKES,
        re.compile(
            r"\b(?:like|love|enjoy|favou?rite|fond of|prefer)|喜欢|爱吃|爱喝|最爱|喜好|偏好"
        ),
    ),
)
_PLEASANT = re.compile(
    r"\b(?:would|'d|you|i'd) like (?:to|you|a|some)\b|\blooks? like\b|\bfeels? like\b"
)

_ASKED: Mapping[str, tuple[str, ...]] = {
    "contains": ("dish", "ingredient", "recipe", "菜", "配料", "原料", "食材"),
    "lives_in": ("home", "住哪", "在哪"),
    "works_at": ("employer", "company", "job", "公司", "单位", "在哪"),
    "has_sibling": ("sister", "brother", "姐姐", "妹妹", "哥哥", "弟弟", "姐", "妹"),
    "has_child": (
        "son", "daughter", "kid", "mother", "father", "mum", "mom", "dad", "parent",
        "儿子", "女儿", "孩子", "妈妈", "爸爸", "母亲", "父亲", "妈", "爸",
    ),
    "married_to": ("wife", "husband", "spouse", "妻子", "丈夫", "老婆", "老公", "太太", "先生"),
    "located_in": ("where located", "located", "based", "位于", "在哪"),
    "has_manager": ("boss", "老板", "上司"),
    "has_pet": ("pet", "dog", "cat", "宠物"),
}  # fmt: skip
"""Words that ask for a relation without being said in stating it."""

_WHERE: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\bwhere\b[^.?!;,]{0,60}\b(?:live|lives|lived|living)\b"), "lives_in"),
    (re.compile(r"\bwhere\b[^.?!;,]{0,60}\b(?:work|works|worked|working)\b"), "works_at"),
    (re.compile(r"\bwhere(?:'s| is| are) (?:it|that|this|they)\b"), "located_in"),
)
"""What "where" makes of words that by themselves may ask for several relations."""

_FILLER = frozenset(query_terms("call name get go have make keep take give way thing one be"))
_HAN = re.compile("[\u3400-\u9fff]")


class CueBook:
    """The words by which questions ask for the predicates of one registry."""

    def __init__(self, ontology: Ontology) -> None:
        self._keys: dict[frozenset[str], set[str]] = {}
        self._words: dict[str, set[str]] = {}
        # By one of its terms, or its first character: a question is compared with few of them.
        self._keys_of: dict[str, set[frozenset[str]]] = {}
        self._words_of: dict[str, set[str]] = {}
        self.constraints = frozenset(
            p.slug for p in ontology if p.kind is PredicateKind.CONSTRAINT and "*" not in p.slug
        )
        self.preferences = frozenset(
            p.slug for p in ontology if p.kind is PredicateKind.PREFERENCE and "*" not in p.slug
        )
        self.people = frozenset(p.slug for p in ontology if "person" in p.object_types)
        for predicate in ontology:
            for name in _names(predicate):
                self._learn(name, predicate.slug)
            for name in _ASKED.get(predicate.slug, ()):
                self._learn(name, predicate.slug)

    def _learn(self, name: str, slug: str) -> None:
        if _HAN.search(name):
            word = _folded(name)
            self._words.setdefault(word, set()).add(slug)
            self._words_of.setdefault(word[0], set()).add(word)
        elif key := _telling(name) - _FILLER:
            self._keys.setdefault(key, set()).add(slug)
            self._keys_of.setdefault(min(key), set()).add(key)

    def predicates(self, text: str) -> dict[str, float]:
        """Return the predicates that ``text`` names, with how surely, from 0 to 1."""
        found: dict[str, float] = {}
        asked = _telling(text)
        matched = [key for term in asked for key in self._keys_of.get(term, ()) if key <= asked]
        for key in matched:
            if any(key < other for other in matched):
                continue  # "blood type" asks for no other "type"
            _raise(found, self._keys[key])
        folded = _folded(text)
        words = [
            word
            for first in set(folded)
            for word in self._words_of.get(first, ())
            if word in folded
        ]
        for word in words:
            if any(word != other and word in other for other in words):
                continue  # 住院 asks for no address
            _raise(found, self._words[word])
        for asking, slug in _WHERE:
            if asking.search(folded):
                found[slug] = 1.0
        return dict(sorted(found.items()))

    def read(self, text: str) -> Cues:
        """Read a question."""
        folded = _folded(text)
        mood = _mood(folded)
        predicates = self.predicates(text)
        return Cues(
            terms=query_terms(_USER.sub(" ", text)) or query_terms(text),
            predicates=predicates,
            myself=_SELF.search(folded) is not None,
            jointly=_JOINTLY.search(folded) is not None,
            mood=mood,
            chain=_CHAIN.search(folded) is not None or self._several(predicates),
        )

    def _several(self, predicates: Mapping[str, float]) -> bool:
        """Whether two relations are named: both for sure, or one of them leads to a person."""
        sure = {slug for slug, strength in predicates.items() if strength > 0.9}
        others = {slug for slug, strength in predicates.items() if strength > 0.5} - self.people
        return len(sure) > 1 or (bool(sure & self.people) and bool(others))


def _names(predicate: Predicate) -> Iterable[str]:
    slugs = [predicate.slug, *predicate.aliases]
    slugs += [name for name in (predicate.inverse, predicate.opposite) if name]
    yield from (slug.replace("_", " ").replace("*", " ") for slug in slugs)
    for surfaces in predicate.surfaces.values():
        yield from surfaces


def _raise(found: dict[str, float], slugs: set[str]) -> None:
    for slug in slugs:
        found[slug] = max(found.get(slug, 0.0), len(slugs) ** -0.5)


def _mood(folded: str) -> Mood | None:
    text = _PLEASANT.sub(" ", folded)
    for mood, words in _MOODS:
        if words.search(text):
            return mood
    return None


def _folded(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(folded.replace("’", "'").split())


def _telling(text: str) -> frozenset[str]:
    return frozenset(filter(is_telling, term_set(text)))
