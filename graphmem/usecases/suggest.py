"""Pairs of names that may be one thing, for a person to decide; nothing is merged here."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from graphmem.model.changes import NameQuery, Snapshot, Wanted
from graphmem.model.entity import Entity, Suggestion, bare_words
from graphmem.model.ids import IdKind, new_id
from graphmem.model.terms import query_terms, terms
from graphmem.model.text import normal_key

_MOST_NEW = 50
"""New things of one write that are looked at; a list of hundreds is no conversation."""
_ALIKE = 10
"""Things with words in common that are looked at, for each new one."""
_SCANNED = 500
"""Newest things that an abbreviation is compared with."""
_NAMED_TYPES = frozenset({"person", "organisation", "place", "animal", "pet"})
_PLACE_ENDINGS = frozenset("市省县区州国镇村")


def suggest(
    written: Mapping[str, Entity], new: Collection[str]
) -> Generator[Wanted, Snapshot, tuple[Suggestion, ...]]:
    """Find which new things may be things that are there, or one another.

    A pair is suggested once; a rejected one never again.

    Args:
        written: the entities of a change, by id, as they are written. new: ids of the new ones.
    """
    looked_at = [e for e in written.values() if e.id in new and not e.is_self][:_MOST_NEW]
    if not looked_at:
        return ()
    queries = [*map(_asked, looked_at)]
    stored = (yield Wanted(alike=tuple(queries))).alike
    beside = _Beside(written)
    found: dict[frozenset[str], Suggestion] = {}
    for entity, query, others in zip(looked_at, queries, stored, strict=True):
        for other in (*(written.get(o.id, o) for o in others), *beside.alike(query)):
            reason = None if other.id == entity.id else may_be_one(entity, other)
            pair = frozenset({entity.id, other.id})
            if reason is not None and pair not in found:
                found[pair] = Suggestion(new_id(IdKind.SUGGESTION), other.id, entity.id, reason)
    if not found:
        return ()
    snapshot = yield Wanted(suggestions=True)
    known = {frozenset({s.first, s.second}) for s in snapshot.suggestions}
    return tuple(suggestion for pair, suggestion in found.items() if pair not in known)


class _Beside:
    """What one change writes, found as the store finds what is there."""

    def __init__(self, entities: Mapping[str, Entity]) -> None:
        self._all = entities
        self._by_word: defaultdict[str, list[Entity]] = defaultdict(list)
        self._by_key: defaultdict[str, list[Entity]] = defaultdict(list)
        for entity in entities.values():
            for word in terms("\n".join((entity.name, *entity.aliases))):
                self._by_word[word].append(entity)
            for key in entity.keys:
                self._by_key[key].append(entity)

    def alike(self, query: NameQuery) -> Iterator[Entity]:
        """Yield the things that a query finds, maybe some of them again."""
        holding = [self._by_word.get(word, []) for word in query.words]
        shared = Counter(e.id for named in holding if len(named) <= query.most for e in named)
        for name, _ in shared.most_common(query.limit):
            yield self._all[name]
        for key in query.keys:
            yield from self._by_key.get(key, ())
        yield from islice(self._all.values(), query.newest)


def told(suggestions: Iterable[Suggestion]) -> list[str]:
    """Say what was suggested, for a receipt."""
    return [f"{s.reason}: confirm or reject {s.id}" for s in suggestions]


def _asked(entity: Entity) -> NameQuery:
    """Return what shares words with a new thing, or may abbreviate it or be abbreviated by it."""
    names = _names(entity)
    initials = (i for name in names if (i := _initials(name)))
    return NameQuery(
        words=tuple(sorted({term for name in names for term in query_terms(name)})),
        limit=_ALIKE,
        keys=tuple(sorted({normal_key(i) for i in initials})),
        newest=_SCANNED if any(map(_abbreviates, names)) else 0,
    )


def may_be_one(one: Entity, other: Entity) -> str | None:
    """Say why two things may be one, or None if nothing speaks for it.

    Names with other digits or codes are never alike, nor are things of different sorts, nor two
    of one name, which were told apart on purpose.
    """
    if one.types and other.types and not set(one.types) & set(other.types):
        return None
    for name in _names(one):
        for known in _names(other):
            if normal_key(name) == normal_key(known):
                return None
    for name in _names(one):
        for known in _names(other):
            if not (_is_name(name, one) and _is_name(known, other)):
                continue
            reason = _reason(name, known)
            if reason is not None:
                return f"{name!r} may be {known!r} ({reason})"
    return None


def _names(entity: Entity) -> tuple[str, ...]:
    # The user's id is a label and no name.
    return entity.aliases if entity.is_self else (entity.name, *entity.aliases)


def _reason(one: str, other: str) -> str | None:
    first, second = _words(one), _words(other)
    if not first or not second or _codes(first) != _codes(second):
        return None
    if "".join(first) == "".join(second):
        return "the same letters"
    if _han(one) and _han(other):
        return _han_reason(one, other)
    short, long = sorted((first, second), key=len)
    if len(short) < len(long) and _within(short, long):
        return "its words are among the other's"
    if len(short) == len(long) and (_within(first, second) or _within(second, first)):
        return "an initial stands for a name"
    if _initials(one) == other.replace(".", "") or _initials(other) == one.replace(".", ""):
        return "an abbreviation"
    return None


def _within(short: Sequence[str], long: Sequence[str]) -> bool:
    """Whether each word is one of the other name's, or the initial of one; not initials alone."""
    whole = set(long)
    initials = {word[0] for word in long}
    return any(word in whole for word in short) and all(
        word in whole or (len(word) == 1 and word in initials) for word in short
    )


def _han_reason(one: str, other: str) -> str | None:
    short, long = sorted((one, other), key=len)
    rest = len(long) - len(short)
    if len(short) < 2 or not 1 <= rest <= 2:
        return None
    if long.endswith(short) or (long.startswith(short) and long[len(short) :] in _PLACE_ENDINGS):
        return "its characters are among the other's"
    return None


def _han(name: str) -> bool:
    return all("一" <= character <= "鿿" for character in name)


def _words(name: str) -> list[str]:
    """Return the words of a name without title, accents folded, by letters and digits alone."""
    folded = unicodedata.normalize("NFKD", " ".join(bare_words(name)))
    plain = "".join(c for c in folded if not unicodedata.combining(c))
    return "".join(c if c.isalnum() else " " for c in plain).split()


def _codes(words: Sequence[str]) -> set[str]:
    """Return what must be equal: words with digits, and single letters that end a name."""
    codes = {word for word in words if any(c.isdigit() for c in word)}
    if len(words) > 1 and len(words[-1]) == 1 and words[-1].isascii():
        codes.add(words[-1])
    return codes


def _initials(name: str) -> str | None:
    words = name.replace("-", " ").split()
    if len(words) < 2 or not all(word[0].isupper() for word in words):
        return None
    return "".join(word[0] for word in words)


def _abbreviates(name: str) -> bool:
    letters = name.replace(".", "")
    return 2 <= len(letters) <= 6 and letters.isascii() and letters.isalpha() and letters.isupper()


def _is_name(name: str, entity: Entity) -> bool:
    """Whether it names something rather than describing it: tea may be no green tea."""
    if set(entity.types) & _NAMED_TYPES:
        return True
    return all(word[0].isupper() for word in name.split())
