"""Takes an English sentence apart into clauses: subject, verb group, and the rest."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from graphmem.extraction.patterns import en_words as w
from graphmem.extraction.patterns.en_clause import Clause, give_times, of_unread
from graphmem.extraction.patterns.en_group import HAS_DONE, Group, read_group
from graphmem.extraction.patterns.en_times import TimePhrase
from graphmem.extraction.patterns.en_tokens import Token
from graphmem.extraction.patterns.en_verbs import VerbForm, Verbs
from graphmem.extraction.patterns.sentences import words
from graphmem.model.claim import Modality

_JOINERS = words(", ; : – — - ( ) and but so plus or yet")
_FACTIVE = words("because since as although though whereas while and but so plus yet")
_CONDITION = words("if unless provided providing assuming supposing")
_NARROWING = words("when whenever while until till once before after where")
_ASIDE = words("which who whom whose that whether how why what like than")
_DONE = words(
    "moved joined started quit become stopped bought got graduated sold taken begun switched met"
    " finished returned visited"
)
"""Participles after which "'s" is "has": "Mum's stopped …"; of "Tom's left hand" nobody knows."""
_BEGINS = _JOINERS | _FACTIVE | _CONDITION | _NARROWING | _ASIDE
_CONNECTORS = words("of the de du la le van von der den del da dos das di al el bin & and for y o")
_AFTER_IS = words(
    "a an the not in at on from been called named my our allergic from very so too really still"
    " now also always never going back born married engaged based fluent about good afraid scared"
    " into originally currently retired and vegan vegetarian away here there out off home ill sick"
    " late pregnant single divorced tired"
)
_COMPLEMENT_TAKERS = words(
    "say tell think hope guess believe hear suppose wonder imagine dream pretend doubt assume bet"
    " claim wish swear suspect feel reckon expect worry suggest mention explain read see"
)


_PRONOUNS = words("i we he she they")


class ClauseReader:
    """Reads clauses with a given stock of verbs."""

    def __init__(self, verbs: Verbs) -> None:
        self._verbs = verbs

    def read(self, tokens: list[Token], times: list[TimePhrase]) -> list[Clause]:
        """Return the clauses of a sentence that say how things are, in order."""
        clauses: list[Clause] = []
        veiled = skipped = False
        unread: list[list[Token]] = []
        first: tuple[str, list[Token]] | None = None
        segments = self._segments(tokens)
        for number, (opener, segment) in enumerate(segments):
            if number and opener in _CONDITION and _is_offer(segment):
                continue  # "…, if you need it": so all the same
            if opener in _CONDITION:
                del clauses[len(clauses) - bool(number) :]
                veiled = number == 0
                continue
            if veiled and opener in {",", "then", ""}:
                veiled = False
                continue
            relative = self._relative(opener, segment, segments[number - 1][1] if number else [])
            if relative is not None:
                clauses.append(relative)
                skipped = False
                continue
            if opener in _ASIDE | _NARROWING:
                if clauses and number:
                    clauses[-1].condition, clauses[-1].opener = segment, opener
                    clauses.extend(self._turns(opener, segment))
                elif opener in _NARROWING:
                    first = (opener, segment)
                skipped = True
                continue
            # After an aside, a verb without a subject belongs to the aside.
            clause = self.clause(segment, clauses[-1] if clauses and not skipped else None)
            if clause is None:
                unread += [segment] if segment and segment[0].low in _PRONOUNS else []
                continue
            _doubt(tokens, clause)
            skipped = False
            if first is not None:
                clause.opener, clause.condition, clause.opener_first = *first, True
                first = None
            clauses.append(clause)
        give_times(clauses, [t for t in times if not of_unread(unread, clauses, t)])
        return clauses

    def _turns(self, opener: str, segment: list[Token]) -> list[Clause]:
        """ "… before I moved to Utrecht in 2023": a turn in a life, told by the way."""
        turn = self.clause(segment, None) if opener in _NARROWING else None
        return [turn] if turn is not None and _is_turn(turn.group) else []

    def _relative(self, opener: str, segment: list[Token], before: list[Token]) -> Clause | None:
        """ "My sister Tilda, who lives in Cork, …": what is said of her by the way."""
        while before and not before[-1].is_word:
            before = before[:-1]
        if opener != "who" or not before or not before[-1].capital:
            return None
        begin = len(before) - 1
        while begin and (
            before[begin - 1].capital or before[begin - 1].low in w.POSSESSIVE | {"&"}
        ):
            begin -= 1
        for at in range(max(0, begin - 3), begin):  # "my sister"
            if before[at].low in w.POSSESSIVE:
                begin = at
                break
        read = read_group(segment, 0, self._verbs)
        if read is None:
            return None
        group, after = read
        return Clause(segment, before[begin:], group, segment[after:], inherited=True)

    def _segments(self, tokens: list[Token]) -> list[tuple[str, list[Token]]]:
        """Cut before every word that joins on a clause, returning each with that word."""
        result: list[tuple[str, list[Token]]] = []
        opener, start, at = "", 0, 0
        while at < len(tokens):
            if tokens[at].low in _BEGINS or at == 0:
                ahead, word = self._after_joiners(tokens, at)
                subordinate = word in _CONDITION | _NARROWING | _ASIDE
                listed = word in {"and", "or"} and not self._has_verb(tokens[start:at])
                if word == "or" and not self.subject(tokens, ahead):
                    listed = True  # "never placed or received": one clause
                if not listed and self._begins_clause(
                    tokens, ahead, bare=not subordinate and at > start, after=tokens[start:at]
                ):
                    if at > start:
                        result.append((opener, tokens[start:at]))
                    opener, start, at = word, ahead, ahead
                    at += 1
                    continue
                at = max(at + 1, ahead if at == 0 else at + 1)
                continue
            at += 1
        result.append((opener, tokens[start:]))
        return result

    def _has_verb(self, tokens: list[Token]) -> bool:
        """Whether a clause stands there already, so that "and" can begin another."""
        at, _ = self._after_joiners(tokens, 0) if tokens else (0, "")
        return at < len(tokens) and (
            self.subject(tokens, at) is not None or self._bare_verb(tokens, at)
        )

    def _after_joiners(self, tokens: list[Token], at: int) -> tuple[int, str]:
        """Step over joining words and openers; return the place and the word that counts."""
        word = tokens[at].low if tokens[at].low in _BEGINS else ""
        while at < len(tokens):
            low = tokens[at].low
            if low == "like" and at and tokens[at - 1].low in w.ADVERBS | {"and", "but"}:
                break  # "and also quite like soy": the verb
            if low in _BEGINS:
                if low not in _JOINERS or word in {"", ","}:
                    word = low
            elif (
                low not in w.OPENERS and low not in w.ADVERBS and low not in w.MAYBES
            ) or low in w.SELF:
                break
            at += 1
        return at, word

    def _begins_clause(
        self, tokens: list[Token], at: int, *, bare: bool, after: Sequence[Token]
    ) -> bool:
        if at >= len(tokens):
            return False
        if self.subject(tokens, at) is not None:
            return True
        if bare and tokens[at].low in _PRONOUNS and self._has_verb(list(after)):
            return at + 1 < len(tokens) and tokens[at + 1].is_word  # "…, we facetime on Sundays"
        if at and tokens[at - 1].low in {"who", "which"}:  # the word itself is the subject
            return self._verb_at(tokens, at, plural=True)
        if not bare or not self._bare_verb(tokens, at) or not self._has_verb(list(after)):
            return False
        if tokens[at - 1].low in {"no", "any"} or tokens[at].low in {"raised", "bred"}:
            return False  # "so no smoke please"
        # "excited to guide and mentor", "I don't drink and smoke": no clause of its own.
        finite = self._verbs.is_finite(tokens[at].low) or tokens[at].low in _AUXILIARIES
        return finite or not any(token.low in _TAKES_BASE for token in after)

    def _bare_verb(self, tokens: list[Token], at: int) -> bool:
        """Whether a finite verb stands at ``at`` and something follows it."""
        low = tokens[at].low
        following = tokens[at + 1].low if at + 1 < len(tokens) else ""
        if low in {"am", "is", "are", "was", "were", "have", "has", "had", "do", "does", "did"}:
            return bool(following)
        if low in {"can", "will", "'m", "'s"}:
            return bool(following)
        if low in {"left", "quit", "resigned"} and not following[:1].isalnum():
            return True
        if self._verbs.base(low, VerbForm.BASE, VerbForm.THIRD, VerbForm.PAST) is None:
            return False
        return bool(following) and following not in _JOINERS and following[:1].isalnum()

    def clause(self, tokens: list[Token], before: Clause | None) -> Clause | None:
        """Read one clause; it takes over the subject of ``before`` if it has none."""
        at = 0
        while at < len(tokens) and (
            (tokens[at].low in w.OPENERS and tokens[at].low not in w.SELF)
            or tokens[at].low in w.ADVERBS
            or not tokens[at].is_word
        ):
            at += 1
        found = self.subject(tokens, at)
        if found is not None:
            subject, verb = tokens[at:found], found
            inherited = False
        elif before is not None and self._inherits(tokens, at, before):
            subject, verb, inherited = before.subject, at, True
        else:
            return None
        read = read_group(tokens, verb, self._verbs)
        if read is None:
            return None
        group, after = read
        rest = [token.low for token in tokens[after:]]
        group.flags |= set(rest) & {"again", "too", "now"}
        if ("once", "more") in pairwise(rest):
            group.flags.add("again")
        return Clause(tokens[at:], subject, group, tokens[after:], inherited)

    def _inherits(self, tokens: list[Token], at: int, before: Clause) -> bool:
        """Whether a clause without a subject can have that of the clause before."""
        if at >= len(tokens) or not self._bare_verb(tokens, at):
            return False
        low = tokens[at].low
        speaker = before.subject[-1].low in w.SELF
        past = self._verbs.base(low, VerbForm.PAST) and not self._verbs.base(low, VerbForm.BASE)
        if speaker and self._verbs.base(low, VerbForm.BASE, VerbForm.PAST) is None:
            return low in {"am", "was"} or (
                low == "can" and before.group.can
            )  # "I … my brother, … and works": not my work
        group = before.group
        # A verb in a tense of its own does not share "not" or "can".
        own = low in _AUXILIARIES or (past and not group.perfect and not group.unreal)
        shares = group.negated or group.unreal or group.to_do or group.can
        return own or not (shares or group.modality is not Modality.ASSERTED)

    def subject(self, tokens: list[Token], at: int) -> int | None:
        """Return where the verb begins, if a subject stands at ``at``."""
        if at >= len(tokens):
            return None
        low = tokens[at].low
        if low in w.SELF or low in w.THIRD_PERSON or low == "you" or low in w.PLACEHOLDERS:
            if low in {"him", "her", "them"} and low != "her":
                return None
            if low in {"this", "that"} and at == 0 and self._names_one_before(tokens):
                return 2
            if low != "her":
                return at + 1 if self._verb_at(tokens, at + 1, plural=True) else None
        return self._noun_subject(tokens, at)

    def _names_one_before(self, tokens: list[Token]) -> bool:
        """ "That bakery buys …": a noun that a sentence before may have introduced."""
        plain = len(tokens) > 3 and tokens[1].is_word and not tokens[1].capital
        return (
            plain
            and not self._verb_at(tokens, 1, plural=False)
            and self._verb_at(tokens, 2, plural=False)
        )

    def _noun_subject(self, tokens: list[Token], at: int) -> int | None:
        found = self._plain_subject(tokens, at)
        return self._contracted(tokens, at) if found is None else found

    def _contracted(self, tokens: list[Token], at: int) -> int | None:
        """ "My salary's 52k": a short "is" where no other verb stands in the clause."""
        owned = tokens[at].low in w.POSSESSIVE | words("the his her their") or tokens[at].capital
        named = at + 1 < len(tokens) and tokens[at + 1].low == "'s" and len(tokens[at].low) > 2
        owned = owned or named  # "goran's ill"
        if not owned or tokens[at].low in w.PLACEHOLDERS | w.OPENERS | w.THIRD_PERSON:
            return None
        for place in range(at + 1, min(len(tokens) - 1, at + 5)):
            low, following = tokens[place].low, tokens[place + 1]
            if low in _BEGINS or not (tokens[place].is_word or low == "'s"):
                return None
            if low == "'s" and following.low not in w.OPENERS and following.is_word:
                return place
        return None

    def _plain_subject(self, tokens: list[Token], at: int) -> int | None:
        determined = tokens[at].low in w.POSSESSIVE | words("the a an his her their your its")
        if not determined and not tokens[at].capital:
            return self._lower_subject(tokens, at)
        place = at + 1
        while place < min(len(tokens), at + 10):
            token = tokens[place]
            low = token.low
            if low == "'s":
                if place + 1 == len(tokens):
                    return None
                if self._is_short_is(tokens, place):
                    return place
                determined = True
                place += 1
                continue
            if low in {",", "("}:
                return self._after_apposition(tokens, place)
            if self._verb_at(tokens, place, plural=_is_plural(tokens, at, place)):
                return place
            if low in _BEGINS and low not in {"and", "like"}:
                return None
            if not token.is_word and low != "&":
                return None
            if low in w.SELF and tokens[place - 1].low != "and":
                return None  # "as a kid I …"
            if not determined and not _in_a_name(token):
                return None
            place += 1
        return None

    def _lower_subject(self, tokens: list[Token], at: int) -> int | None:
        """A bare noun before "is" ("tea is my favourite"), or a name written small."""
        low = tokens[at].low
        if low == "me" and [t.low for t in tokens[at + 1 : at + 2]] == ["and"]:
            return self.subject(tokens, at + 2)  # "me and Tess split up"
        if low in w.KIN_NAMES and self._verb_at(tokens, at + 1, plural=False):
            return at + 1  # "mum lives with us"
        if at + 1 < len(tokens) and tokens[at].is_word and tokens[at + 1].low in {"is", "are"}:
            known = self._verbs.base(low) is not None or low in w.ADVERBS or low in _BEGINS
            return None if known else at + 1
        return None

    def _after_apposition(self, tokens: list[Token], comma: int) -> int | None:
        """ "My ex, Kim, has …": the place after the second comma, if a verb stands there."""
        for place in range(comma + 1, min(comma + 5, len(tokens))):
            if tokens[place].low in {",", ")"}:
                return place + 1 if self._verb_at(tokens, place + 1, plural=False) else None
            if not (tokens[place].capital or tokens[place].low.isdigit()):
                return None
        return None

    def _is_short_is(self, tokens: list[Token], at: int) -> bool:
        """Whether the "'s" at ``at`` is a verb, by what stands around it."""
        following = tokens[at + 1].low
        return (
            following in _AFTER_IS
            or following.isdigit()
            or following in w.NUMBERS
            or (following in _DONE and self._verbs.base(following, VerbForm.PARTICIPLE) in HAS_DONE)
            or self._is_ing(following)
            or self._is_passive(tokens, at + 1)
            or tokens[at - 1].low in {"name", "birthday"}
        )

    def _is_passive(self, tokens: list[Token], at: int) -> bool:
        """ "Bea's managed by Yusuf"."""
        by = at + 1 < len(tokens) and tokens[at + 1].low == "by"
        return by and self._verbs.base(tokens[at].low, VerbForm.PARTICIPLE) is not None

    def _is_ing(self, low: str) -> bool:
        return low.endswith("ing") and self._verbs.base(low, VerbForm.ING) is not None

    def _verb_at(self, tokens: list[Token], at: int, *, plural: bool) -> bool:
        """Whether a finite verb group can begin at ``at``."""
        while at < len(tokens) and (
            tokens[at].low in w.ADVERBS
            or tokens[at].low in w.MAYBES | w.HEDGES | {"never", "no", "longer", "not"}
        ):
            at += 1
        if at >= len(tokens):
            return False
        low = tokens[at].low
        if low in _AUXILIARIES:
            return low != "'s" or plural or at > 0
        if self._verbs.is_finite(low):
            return True
        return plural and self._verbs.base(low, VerbForm.BASE) is not None


_TAKES_BASE = words(
    "to will can could would should might may must do does did not 'd let please help make going"
)
_AUXILIARIES = words(
    "am is are was were have has had do does did can could will would shall should may might must"
    " 'd 's be"
)


_OFFERS = words("need want care wonder wonders ever are ask asked must like")


_TURNS = words("move join start become marry retire graduate retrain")


def _is_turn(group: Group) -> bool:
    """Whether a clause of time tells of a turn in a life, done and certain."""
    told = group.past and not (group.perfect or group.negated or group.unreal or group.to_do)
    return told and group.lemma in _TURNS


def _is_offer(segment: Sequence[Token]) -> bool:
    return len(segment) > 1 and segment[0].low == "you" and segment[1].low in _OFFERS


def _doubt(tokens: Sequence[Token], clause: Clause) -> None:
    """Make a clause possible that "maybe" stands before."""
    first = clause.tokens[0]
    at = next(n for n, token in enumerate(tokens) if token.begin == first.begin)
    if any(token.low in w.MAYBES for token in tokens[max(0, at - 2) : at]):
        clause.group.modality = Modality.POSSIBLE


def _in_a_name(token: Token) -> bool:
    """Whether a word can stand in a name that no article opens ("Sam and Tilda in Rome")."""
    joins = token.low in _CONNECTORS | words("in at on with and")
    return token.capital or joins or token.low.isdigit()


def _is_plural(tokens: list[Token], begin: int, stop: int) -> bool:
    """Whether the subject takes a plural verb: "my parents", "Sam and Tilda"."""
    heads = tokens[begin:stop]
    last = heads[-1].low
    if last == "'s":
        return False
    return any(token.low == "and" for token in heads) or (
        (last.endswith("s") and not last.endswith("ss") and not heads[-1].capital)
        or last in {"children", "people", "folks"}
    )


def takes_complement(clause: Clause) -> bool:
    """Whether what follows the clause is only said, thought or hoped by it."""
    return clause.group.lemma in _COMPLEMENT_TAKERS
