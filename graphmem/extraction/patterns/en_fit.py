"""Whether a value makes sense with an English frame: the nouns a predicate takes, and not."""

from __future__ import annotations

from collections.abc import Callable

from graphmem.extraction.patterns import en_words as w
from graphmem.extraction.patterns.en_clause import Clause
from graphmem.extraction.patterns.en_frames import Frame
from graphmem.extraction.patterns.en_nouns import Item, Shape
from graphmem.extraction.patterns.en_people import role_at
from graphmem.extraction.patterns.sentences import words

CLUBS = words(
    "club association society choir team church band gym union party league orchestra committee"
    " board army navy group community network federation guild squad association"
)
SCHOOLS = words("university college school uni academy polytechnic kindergarten nursery")
_NO_SUBJECT = words(
    "hard how about more lots from that the to a an ton tons lot people kids children students"
    " class"
    " classes others folks lessons lesson new stuff things someone much so us me them work"
)
_NO_FOOD = words(
    "out well healthy healthily dinner lunch breakfast food much less more home up together late"
    " early meals meal clean properly enough lot lots anything dinner. good great ton tons"
)
_ABSTRACT = words(
    "time way weight hope interest track touch game mind temper job sleep money faith love heart"
    " motivation focus attention courage shit lot bit things place idea sense today everything"
    " day night week fun feelings ground balance trust support message feedback day."
)
_PERSONAL = words(
    "idea ideas way fact thought thoughts point answer suggestion suggestions advice plan vibe"
    " sound look enthusiasm attitude support question photo picture pic passion spirit vibes energy"
    " outcome response kind theme words result results perspective concept approach version"
)
_NOT_MADE = words("sense progress mistakes plans friends decisions noises jokes things calls ends")
BUSINESSES = words(
    "bakery company startup ferry restaurant café cafe shop farm hotel bar pub bookshop studio"
    " gallery school nursery hostel brewery workshop business charity podcast blog newsletter"
    " foundation clinic agency garage store salon bookstore blog club"
)
_CONCRETE = words("uses makes causes sells runs leads created")
_VAGUE_NOUN = words("more problems problem things exercises questions it some any few")
_NOT_MINE = words(
    "owns uses collects avoids listens_to reads watches supports runs has wants needs practises"
    " plays drinks eats cooks leads drives taught_subject"
)
_NO_ALLERGEN = w.WEEKDAYS | words(
    "mornings mondays sundays work exercise people children kids commitment drama nonsense bullshit"
    " stupidity idiots effort responsibility cardio housework cooking talk meetings politics rules"
    " bureaucracy spreadsheets change failure boredom gym romance fun happiness money men love"
    " maths bs deadlines paperwork chores cleaning life adulting feelings school criticism"
    " compliments advice praise"
)
_NAMED = words("works_on watches attended attends started finished lives_with")
_OF_THINGS = words("collects owns drives bought sold lost won received wants")

_SERVED = words("black white strong weak sweet hot cold plain rare well-done toasted on served")
_NO_SHOP = words("attended bought watches reads finished started won lost met")


def _is_cut_short(clause: Clause, frame: Frame, item: Item) -> bool:
    """Whether the words that make a value what it is stand behind it."""
    slug, last = frame.predicate, item.tokens[-1]
    if last.low == "'s" and slug in _NO_SHOP:
        return True  # "I attended Michele's (6 PM) workshop"
    if frame.flipped and frame.shape is Shape.PERSON and last.text.islower():
        return True  # "I hired Stephanie's agency"
    after = next((token.low for token in clause.rest if token.begin >= last.stop), "")
    if slug in {"likes", "dislikes"} and item.tokens[0].low in w.POSSESSIVE:
        return after in {"too", "so", "very"} or after in _SERVED  # "my coffee too sweet"
    return slug == "prefers" and after in {"with", "that", "which"}  # "sneakers with …"


# What a predicate's value must end in.
_HEADS = {
    "works_as": w.OCCUPATIONS,
    "plays": w.INSTRUMENTS_OR_GAMES,
    "has_injury": w.BODY,
    "follows_diet": w.DIETS | {"diet"},
}
# What it must not contain.
_WEIGHTS = words("kilo kilos kg pounds stone lbs weight minutes hours points")
_IDEAS = words(
    "plot packets thread count connection signal data power appetite cool marbles bearings rag"
    " momentum internet wifi will nerve lot voice patience"
)
_TASTES = ("likes", "dislikes", "prefers", "interested_in", "fears")
_GENERAL = words("activities things places hobbies stuff time times day days one ones")
# What "going to …" plans for good; of other habits it tells one occasion.
PLANNABLE = words("has_pet owns studies member_of uses follows_diet lives_with attends")
_NOT_OF = dict.fromkeys(_TASTES, _PERSONAL) | {
    "studies": _NO_SUBJECT,
    "taught_subject": _NO_SUBJECT,
    "practises": _VAGUE_NOUN,
    "allergic_to": _NO_ALLERGEN,
    "lost": _ABSTRACT | _WEIGHTS | _IDEAS,
    "won": _ABSTRACT | words("argument bet debate case fight me"),
    "bought": _ABSTRACT | words("size wrong one"),
    "received": _ABSTRACT | words("compliments praise encouragement criticism news email emails"),
}


def fits(clause: Clause, frame: Frame, item: Item) -> bool:
    """Whether a value makes sense with the predicate."""
    lows = [token.low for token in item.tokens]
    if not lows or not item.text:
        return False
    slug, head = frame.predicate, lows[-1]
    if _is_cut_short(clause, frame, item):
        return False
    if slug == "lost" and lows[0] in w.POSSESSIVE and role_at(item.tokens, 1):
        return False
    ours = slug in {"leads", "runs"} and any(token.capital for token in item.tokens[1:])
    if lows[0] in w.POSSESSIVE and slug in _NOT_MINE and not ours:
        return False  # "I own my mistakes", "I collect my kids at five"
    if slug == "works_as" and lows[0] == "head" and lows[1:2] == ["of"] and len(lows) < 5:
        return True
    if slug in _HEADS:
        return head in _HEADS[slug] or item.text.casefold() in _HEADS[slug]
    if slug in _NOT_OF:
        # "my coffee black": how, not what.
        if lows[0] in w.POSSESSIVE and any(token.low == "than" for token in clause.rest):
            return False  # "I love my bed more than people"
        bare = slug in _TASTES and (lows[0] in _GENERAL or (lows[0] in w.POSSESSIVE and lows[2:]))
        return not bare and not (set(lows) & _NOT_OF[slug])
    if slug in _CONCRETE:
        return _concrete(frame, item) and (slug != "makes" or clause.low_subject not in w.SELF)
    if slug in _NAMED:
        return item.tokens[-1].capital or item.tokens[0].capital
    rule = _RULES.get(slug)
    if rule is not None:
        return rule(clause, item)
    return head not in _ABSTRACT or slug not in _OF_THINGS


def _food(clause: Clause, item: Item) -> bool:
    lows = [token.low for token in item.tokens]
    refused = _NO_FOOD | w.DIETS
    return len(lows) <= 3 and lows[0] not in _NO_FOOD and lows[-1] not in refused


def _employer(clause: Clause, item: Item) -> bool:
    joined = clause.group.lemma == "join"
    club = any(token.low in CLUBS for token in item.tokens)
    if clause.group.lemma in {"start", "join"} and item.tokens[-1].low in SCHOOLS:
        return False  # to teach there or to study
    return not joined or item.tokens[0].capital or club


def _club(clause: Clause, item: Item) -> bool:
    """ "I'm on the swim team", but not "I'm on holiday"."""
    if clause.group.lemma not in {"be", "sing", "play"}:
        return True
    start = [token.low for token in clause.rest[:2]]
    if start[:1] == ["on"] and not set(start[1:]) & words("the a an our my this"):
        return False  # "I'm on board", "I'm on team Edward"
    lows = {token.low for token in item.tokens}
    return bool(lows & CLUBS) or "member" in {token.low for token in clause.rest}


def _pet(clause: Clause, item: Item) -> bool:
    role = role_at(item.tokens, len(item.tokens) - 1)
    return role is not None and w.ROLES[role[0]] == "has_pet"


def _whole(clause: Clause, item: Item) -> bool:
    """A dish contains, a person only puts in."""
    return clause.low_subject not in w.SELF | {"he", "she"}


def _reading(clause: Clause, item: Item) -> bool:
    """ "I read Camus" may have been long ago."""
    group = clause.group
    told = group.lemma != "read" or group.progressive or group.perfect or "still" in group.flags
    return told and (item.tokens[-1].capital or item.tokens[0].capital)


def _home(clause: Clause, item: Item) -> bool:
    return not any(token.low in w.TOOLS for token in item.tokens)


def _from(clause: Clause, item: Item) -> bool:
    return any(token.capital for token in item.tokens) or item.tokens[0].low not in {"a", "an"}


def _place(clause: Clause, item: Item) -> bool:
    return item.tokens[0].low not in w.WEEKDAYS | w.MONTHS


def _kept(clause: Clause, item: Item) -> bool:
    """ "The server sits in rack 4", but not "I sit in the garden"."""
    first = clause.subject[0]
    return clause.group.lemma != "sit" or (first.low == "the" and not clause.group.past)


_RULES: dict[str, Callable[[Clause, Item], bool]] = {
    "eats": _food,
    "drinks": _food,
    "cooks": _food,
    "works_at": _employer,
    "lives_in": _home,
    "reads": _reading,
    "comes_from": _from,
    "member_of": _club,
    "has_pet": _pet,
    "kept_in": _kept,
    "contains": _whole,
    "visited": _place,
    "located_in": _place,
}


def _concrete(frame: Frame, item: Item) -> bool:
    """Whether a verb of many senses is said of a named or plainly concrete thing."""
    lows = [token.low for token in item.tokens]
    if set(lows) & (w.EVALUATIVE | _PERSONAL) or lows[-1] in _ABSTRACT:
        return False
    ours = lows[0] in w.POSSESSIVE and any(token.capital for token in item.tokens)
    if item.tokens[0].capital or item.tokens[-1].capital or ours:
        return True
    if frame.predicate in {"makes", "sells"}:
        return len(lows) <= 3 and lows[-1].endswith("s") and lows[-1] not in _NOT_MADE
    return (
        frame.predicate in {"runs", "causes"}
        and len(lows) <= 3
        and (frame.predicate == "causes" or lows[-1] in BUSINESSES)
    )
