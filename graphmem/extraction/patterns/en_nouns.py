"""English noun phrases: who and what a clause names, and what may stand as a value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from graphmem.extraction.patterns import en_words as w
from graphmem.extraction.patterns.en_tokens import Token, text_of
from graphmem.extraction.patterns.en_verbs import is_done
from graphmem.extraction.patterns.sentences import words
from graphmem.model.claim import Mention


class Shape(StrEnum):
    """What a predicate takes for a value."""

    NAME = "name"
    """A name: written with capitals, or all there is if the speaker writes none."""
    PLACE = "place"
    ORGANISATION = "organisation"
    PERSON = "person"
    THING = "thing"
    TASTE = "taste"
    """A thing, an activity or a kind of thing one may like; places and times belong to it."""
    TEXT = "text"
    LANGUAGE = "language"
    DRINK = "drink"
    FOOD = "food"
    MEASURE = "measure"
    DATE = "date"
    NONE = "none"


_CONNECTORS = words(
    "'s of the de du la le van von der den del da dos das di al el bin & y o upon und"
)
_CUT_NAME = words(
    "not a an every back"
    " all my our most in at on for as near from by with to about after before because , ( . ; :"
)
_CUT_THING = words(
    "with for from at in on near to by as about like such including"
    "  after before during per than over instead since"
    " because and or but , ( . ; : - – — ! ? through via against into onto around together"
    " behind out up off down twice once every daily weekly"
)
_CUT_TASTE = words(
    "with for as than about after before during over instead because and or but , ( . ; : – — ! ?"
    " since too like including such"
)
_LINKS = _CUT_NAME | words("of per into onto through during over under around behind between and")
_PLACE_NOUNS = words(
    "flat house village town city suburb suburbs countryside apartment studio cottage farm island"
    " bungalow boat houseboat caravan condo farmhouse loft dorm neighbourhood neighborhood street"
    " area cabin townhouse coast mountains"
)
_ORG_NOUNS = words(
    "bakery company startup start-up school hospital university college bank shop store restaurant"
    " café cafe hotel firm agency factory library museum office council clinic nursery ministry"
    " warehouse supermarket pharmacy garage studio newspaper charity ngo lab laboratory zoo farm"
    " theatre theater church brewery bookshop salon practice centre center club choir team gym band"
    " orchestra society association group steelworks mill mine colliery pit shipyard"
    " dockyard refinery quarry distillery plant depot gasworks cannery sawmill"
    " brickworks bookmakers kennels surgery hospice"
)
_CARE_HOMES = (["care", "home"], ["nursing", "home"], ["funeral", "home"], ["call", "centre"])
_BARE = words("company firm organisation organization agency house apartment area street")
_DEICTIC = words("the this that these those")
_NO_TOWNS = words(
    "town towns uni university college school dorms student halls bed home work town there here"
    " denial peace fear hope style luxury squalor poverty comfort europe asia africa america"
    " apartments flats houses tents cities suburbia nature moment"
)
_TRAILING = words(
    "too either anyway though lol haha now again tbh imo btw please etc as well right yet much"
    " really lot already here there today instead myself together alone ok okay yeah xd :)"
    " either honestly actually already twice once anymore lately recently nowadays currently more"
    " someday eventually soon sometimes occasionally often regularly ngl fwiw sadly unfortunately"
    " obviously"
)


@dataclass(frozen=True, slots=True)
class Item:
    """One value taken from a clause, and the words left behind it."""

    text: str
    tokens: tuple[Token, ...]


_SOME = words("fluent a little bit of some any basic decent good native perfect")


def strip_determiner(tokens: Sequence[Token]) -> list[Token]:
    """Drop a leading article or adverb."""
    result = list(tokens)
    while result and (result[0].low in w.DETERMINERS or result[0].low in w.ADVERBS):
        if result[0].low == "the" and result[0].capital and len(result) > 1 and result[1].capital:
            break  # "The Hague": written large in mid-sentence, it is part of the name
        result = result[1:]
    return result


_AMOUNTS = words("bit lot lots ton tons loads plenty couple pair touch")


def _strip_amount(tokens: Sequence[Token]) -> list[Token]:
    """Drop "a bit of", "lots of" and the article before a noun."""
    head = strip_determiner(tokens)
    if len(head) > 2 and head[0].low in _AMOUNTS and head[1].low == "of":
        head = strip_determiner(head[2:])
    return head


def strip_trailing(tokens: Sequence[Token]) -> list[Token]:
    """Drop marks and chatter from the end."""
    result = list(tokens)
    while (
        result
        and result[-1].low != "'s"
        and (not result[-1].is_word or result[-1].low in _TRAILING | w.ADVERBS)
    ):
        result = result[:-1]
    return result


def is_noun_phrase(tokens: Sequence[Token], most: int = 6) -> bool:
    """Whether the words can name a thing by themselves."""
    if not tokens or len(tokens) > most:
        return False
    if any(token.low in w.BAD_IN_OBJECT or token.low in w.PLACEHOLDERS for token in tokens):
        return False
    if any(token.low in {"not", "never", "to"} for token in tokens):
        return False
    for before, token in pairwise(tokens):  # "my mum a scarf": two things
        joined = before.low in _LINKS or before.low.endswith("ing")
        if token.low in {"a", "an", "the", "my", "our"} and not joined:
            return False
    return tokens[-1].low not in w.CLAUSE_STARTS and _starts_noun(tokens)


def _starts_noun(tokens: Sequence[Token]) -> bool:
    """Whether the first word is one, or a year that tells models apart ("2014 Fiesta")."""
    first = tokens[0].text
    model = len(first) == 4 and first.isdigit() and len(tokens) > 1
    return model or any(char.isalpha() for char in first)


def name_length(tokens: Sequence[Token]) -> int:
    """Return how many of the first words make up one name."""
    length = 0
    for at, token in enumerate(tokens):
        if token.capital or (at and token.text[:1].isdigit()):
            length = at + 1
        elif token.low not in _CONNECTORS or (at == 0 and token.low != "the"):
            break
    return length


def cut(tokens: Sequence[Token], stops: Iterable[str]) -> tuple[list[Token], list[Token]]:
    """Split the words at the first of ``stops``."""
    marks = set(stops)
    for at, token in enumerate(tokens):
        if token.low in marks and at:
            return list(tokens[:at]), list(tokens[at:])
        if token.low in marks:
            return [], list(tokens)
    return list(tokens), []


def split_list(tokens: Sequence[Token]) -> list[list[Token]]:
    """Split "A, B and C" into its parts; without "and" or "or" only the first part counts."""
    parts: list[list[Token]] = [[]]
    joined = False
    if tokens and tokens[0].text in {",", ";", ".", "!", "?"}:
        return []  # "I don't eat (after seven), doing …": nothing is named
    tokens = _before_clause(tokens)
    for at, token in enumerate(tokens):
        if token.low in {"and", "or", "plus", "nor"} and at:
            joined = True
            parts.append([])
        elif token.text in {",", ";"}:
            if joined:
                break
            parts.append([])
        elif token.text in {"(", "–", "—", ":", ".", "!", "?", "-"}:
            break
        else:
            parts[-1].append(token)
    parts = [part for part in parts if part]
    return parts if joined else parts[:1]


_FINITE = words(
    "can could will would should may might is are was were has have had do does did help helps"
)


def _before_clause(tokens: Sequence[Token]) -> Sequence[Token]:
    """Drop what has a verb of its own after a comma ("music, and yoga can also help")."""
    for at, token in enumerate(tokens):
        if token.low in _FINITE and at:
            for comma in range(at - 1, -1, -1):
                if tokens[comma].text in {",", ";"}:
                    return tokens[:comma]
            return tokens
    return tokens


class Nouns:
    """Takes values from the words after a verb; ``text`` is the sentence."""

    def __init__(self, text: str) -> None:
        self._text = text
        letters = [char for char in text if char.isalpha()]
        self.lower_writer = bool(letters) and not any(char.isupper() for char in letters)

    def words(self, tokens: Sequence[Token]) -> str:
        """Return the words as written."""
        return text_of(self._text, tokens)

    def items(self, rest: Sequence[Token], shape: Shape) -> list[Item]:
        """Return the values at the head of ``rest`` that fit ``shape``; none if unsure."""
        found: list[Item] = []
        parts = split_list(rest)
        if shape is Shape.TASTE and len(parts) > 1 and _is_deictic(parts[0]):
            return []
        for part in parts:
            if part[0].low in {"no", "not", "neither", "never"}:
                break  # "two bikes and no car"
            tokens = strip_trailing(self._shaped(part, shape))
            if not tokens or (found and not _goes_on(found[0], tokens)):
                break
            found.append(Item(self.words(tokens), tuple(tokens)))
            left = [token for token in part if token.begin >= tokens[-1].stop]
            if any(
                token.is_word and token.low not in _TRAILING and not token.low.endswith("ly")
                for token in left
            ):
                break  # what follows "and" belongs to the words left out
        if shape is Shape.TASTE and _is_first_of_chain(found, rest):
            return []
        return _shared_head(found)

    def single(self, rest: Sequence[Token], shape: Shape) -> list[Item]:
        """Return the one value at the head of ``rest``, "and" being part of it if a name."""
        tokens = strip_trailing(self._shaped(list(rest), shape))
        return [Item(self.words(tokens), tuple(tokens))] if tokens else []

    def _unbroken(self, tokens: Sequence[Token]) -> Sequence[Token]:
        """Return the words up to where a time phrase was cut out ("choir (on Thursday) nights")."""
        for at, (before, token) in enumerate(pairwise(tokens), 1):
            if "\0" in self._text[before.stop : token.begin]:
                return tokens[:at]
        return tokens

    def _shaped(self, tokens: Sequence[Token], shape: Shape) -> list[Token]:
        tokens = self._unbroken(tokens)
        match shape:
            case Shape.NAME | Shape.PERSON:
                return self._name(tokens)
            case Shape.PLACE:
                name = self._name(tokens) or self._common(tokens, _PLACE_NOUNS)
                return name or self._careless_place(tokens)
            case Shape.ORGANISATION:
                tokens = _after_called(tokens)
                return self._name(tokens) or self._common(tokens, _ORG_NOUNS)
            case Shape.LANGUAGE:
                head = [token for token in tokens if token.low not in w.ADVERBS | _SOME]
                return head[:1] if head and _is_language(head[0]) else []
            case Shape.TASTE:
                return self._taste(tokens)
            case Shape.MEASURE:
                return _measure(tokens)
            case Shape.TEXT if tokens and tokens[0].low in _CUT_NAME:
                return []
            case Shape.TEXT:
                return strip_trailing(_until_stop(tokens))
            case _:
                return self._thing(tokens)

    def _name(self, tokens: Sequence[Token]) -> list[Token]:
        head = strip_determiner(tokens)
        length = name_length(head)
        if not length:
            return self._small_name(head) if self.lower_writer else []
        name, after = head[:length], head[length:]
        if after and after[0].low == "'s":  # "St Brendan's", "St Mary's hospital"
            name, after = head[: length + 1], head[length + 1 :]
        if after and after[0].is_word and after[0].low not in _CUT_NAME | w.CLAUSE_STARTS:
            # "Google headquarters": common words belong to it, up to where it must end.
            more, _ = cut(after, _CUT_NAME | w.CLAUSE_STARTS | _TRAILING)
            name += more
            if len(more) > 2:
                return []
        if any(token.low in w.BAD_IN_OBJECT for token in name) or name[0].low in w.OPENERS:
            return []
        return name

    def _small_name(self, head: Sequence[Token]) -> list[Token]:
        name, _ = cut(head, _CUT_NAME | w.CLAUSE_STARTS | _TRAILING)
        abstract = words("fear peace harmony denial hope school general particular bed love pain")
        if len(name) > 2 or not is_noun_phrase(name, 2) or name[0].low in abstract:
            return []
        return name

    def _careless_place(self, tokens: Sequence[Token]) -> list[Token]:
        """ "moved out of leeds": one small word, from somebody who begins sentences small."""
        small = tokens and not self._text.lstrip("\0 ")[:1].isupper()
        if not small or not tokens[0].low.isalpha() or tokens[0].low in _NO_TOWNS:
            return []
        return self._small_name(tokens[:1]) if len(strip_trailing(tokens)) == 1 else []

    def _common(self, tokens: Sequence[Token], heads: frozenset[str]) -> list[Token]:
        """ "a small town near Leeds": a determined noun of a known kind."""
        if not tokens or tokens[0].low not in {"a", "an", "the", "my", "our"}:
            return []
        noun, after = cut(strip_determiner(tokens), _CUT_THING | {"of"})
        noun = strip_trailing(noun)
        cared = [token.low for token in noun[-2:]] in _CARE_HOMES and heads is _ORG_NOUNS
        if not is_noun_phrase(noun, 4) or not (noun[-1].low in heads or cared):
            return []
        if len(noun) == 1 and noun[0].low in _BARE and not after:
            return []  # "a company": any
        described = tokens[0].low == "the" and len(noun) > 1
        if after and after[0].low in {"in", "near", "of", "outside", "on"}:
            name = self._name(after[1:]) if after[1:] and after[1].low != "a" else []
            if name:
                return [*noun, after[0], *(t for t in after[1:] if t.begin <= name[-1].begin)]
        return [] if described and heads is _PLACE_NOUNS else noun  # "the smallest house"

    def _thing(self, tokens: Sequence[Token]) -> list[Token]:
        noun, after = cut(_strip_amount(tokens), _CUT_THING | w.CLAUSE_STARTS)
        noun = strip_trailing(noun)
        if after and after[0].low == "by" and noun and is_done(noun[-1].low):
            return []  # "an audiobook narrated by …": not just any
        return noun if is_noun_phrase(noun) else []

    def _taste(self, tokens: Sequence[Token]) -> list[Token]:
        deictic = _is_deictic(tokens)
        head = _strip_amount(tokens)
        doing = bool(head) and head[0].low.endswith("ing")
        stops = _CUT_TASTE | (w.CLAUSE_STARTS - {"to", "where"})
        noun, after = cut(head, stops - {"with", "for", "about"} if doing else stops)
        noun = strip_trailing(noun)
        if after and after[0].low in {"that", "who", "which"}:
            return []  # "stories that move me": not just any
        if not is_noun_phrase(noun, 7):
            return []
        if deictic and not any(t.low in {"of", "in"} for t in noun):
            return []  # "the photo": which one, only this talk knows
        return noun


def _is_language(token: Token) -> bool:
    """Whether one speaks it: a known language, or one that is written like a name."""
    return token.low in w.LANGUAGES or (token.capital and token.low not in w.TOOLS)


def _after_called(tokens: Sequence[Token]) -> Sequence[Token]:
    """Step over "a startup called" to its name."""
    for at, token in enumerate(tokens[:6]):
        if token.low in w.CLAUSE_STARTS or not token.is_word:
            break
        if token.low in {"called", "named"} and at:
            return tokens[at + 1 :]
    return tokens


def _is_deictic(tokens: Sequence[Token]) -> bool:
    """Whether only this talk knows which one is meant ("the photo")."""
    return (
        len(tokens) > 1
        and tokens[0].low in _DEICTIC
        and not tokens[0].capital
        and not tokens[1].capital
    )


_GENERIC = words(
    "movies films music books games food stories novels shows flavors flavours dishes wines cheeses"
    " cuisine cuisines weather culture literature art novels sports drinks"
    " series podcasts songs clothes colours colors recipes desserts"
)


def _shared_head(items: list[Item]) -> list[Item]:
    """Give "action and sci-fi movies" its noun twice."""
    if len(items) < 2 or len(items[-1].tokens) < 2 or items[-1].tokens[-1].low not in _GENERIC:
        return items
    noun = items[-1].tokens[-1].text
    return [
        Item(f"{item.text} {noun}", item.tokens)
        if len(item.tokens) == 1 and not item.tokens[0].low.endswith(("s", "ing"))
        else item
        for item in items
    ]


def _goes_on(first: Item, tokens: Sequence[Token]) -> bool:
    """Whether a part is of one rank with the first, not inside it.

    "hiking in the hills and exploring forests" are two; "shooting near beaches and lakes" one.
    """
    doing = first.tokens[0].low.endswith("ing") and len(first.tokens) > 1
    return not doing or tokens[0].low.endswith("ing")


def _is_first_of_chain(found: list[Item], rest: Sequence[Token]) -> bool:
    """Whether a comma cut an adjective off its noun ("simple, minimal dependencies")."""
    if len(found) != 1:
        return False
    word = found[0].tokens[-1]
    after = [token for token in rest if token.begin >= word.stop][:2]
    if len(found[0].tokens) > 1:  # "creating a safe, inviting place"
        return after[:1] != [] and after[0].low == "," and found[0].tokens[-2].low in {"a", "an"}
    return (
        len(after) == 2
        and after[0].low == ","
        and after[1].text.islower()
        and after[1].low not in w.CLAUSE_STARTS | w.ADVERBS | w.OPENERS | w.BAD_IN_OBJECT
        and not word.low.endswith(("s", "ing"))
        and not word.capital
    )


def _measure(tokens: Sequence[Token]) -> list[Token]:
    """ "77 kg", "900 euros a month": a figure and its unit."""
    head = [token for token in tokens if token.low not in w.ADVERBS]
    while head and head[0].low in {"about", "around", "roughly", "of"}:
        head = head[1:]
    if not head or not any(char.isdigit() for char in head[0].text):
        return []
    figure, _ = cut(
        head,
        words(
            "and but , . ( – — so which for in on because now at shoes shirts jeans trousers boots"
        ),
    )
    return strip_trailing(figure[:5])


def _until_stop(tokens: Sequence[Token]) -> list[Token]:
    stop, _ = cut(tokens, {"(", "–", "—", ";", "!", "?"})
    return stop


def mention_of(text: str, *, types: tuple[str, ...] = ()) -> Mention:
    """Return words as an entity's mention."""
    return Mention(text, types=types)
