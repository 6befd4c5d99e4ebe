"""Slots: which claims of a subject and predicate speak of the same thing, and what they give."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from graphmem.model.claim import Claim, Form, LinkedClaim, Modality, Polarity, Qualifiers
from graphmem.model.entity import Value
from graphmem.model.fact import Cause, Fact, Rule, Status
from graphmem.model.predicate import Cardinality, Predicate
from graphmem.model.time import Bound, Interval, Stated
from graphmem.resolution.corrections import Corrected, apply_corrections
from graphmem.resolution.events import happenings
from graphmem.resolution.timeline import Believed, timeline
from graphmem.resolution.told import ANY, NO, YES, Told

_SEPARATOR = "\x1f"
_PART = "#"


@dataclass(frozen=True, slots=True)
class Heard:
    """A standing claim of a family, with its value as seen from the family's subject.

    Attributes:
        linked: the claim. at: the instant it speaks of where it gives no date.
        object: what it says, seen from the subject; key: that value's key, "" for none.
        part: tells apart the places in which one correction stands.
    """

    linked: LinkedClaim
    at: int
    object: Value | None
    part: int

    @property
    def claim(self) -> Claim:
        """The claim's own words."""
        return self.linked.claim

    @property
    def key(self) -> str:
        """The object's key; empty if it names none."""
        return self.object.key if self.object else ""

    @property
    def negative(self) -> bool:
        """Whether it denies."""
        return self.linked.link.polarity is Polarity.NEGATIVE

    @property
    def names(self) -> bool:
        """Whether it tells that something is so (not that it ends or is called off)."""
        return self.claim.form not in (Form.END, Form.CANCEL) and not self.negative


def resolve(
    subject: Value,
    claims: Iterable[LinkedClaim],
    predicate: Predicate,
    wider: Mapping[str, frozenset[str]] | None = None,
    corrected: Corrected | None = None,
) -> list[Fact]:
    """Compute every fact of ``subject`` and ``predicate`` from the claims about them.

    Args:
        subject: the entity, as a value.
        claims: all claims of the family, withdrawn ones too; for a symmetric predicate also
            those told from the other side.
        predicate: from the registry.
        wider: by a value's key, the keys of values known to contain it.
        corrected: what stands of them, where more claims than these have a say in that.

    Returns:
        Facts without ids and record times.
    """
    known = {c.claim.id: c for c in claims}
    corrected = corrected or apply_corrections(known.values())
    heard = _heard(subject, known.values(), corrected)
    makers = _Makers(subject, predicate, known)
    facts: list[Fact] = []
    if predicate.is_event:
        for group in _by_object(heard).values():
            tolds = [_told(h, NO if h.negative else YES) for h in group]
            facts += makers.facts(happenings(tolds), group[0].object)
    elif predicate.cardinality is Cardinality.ONE:
        facts += _single(heard, predicate, makers, wider or {})
    else:
        facts += _many(heard, predicate, makers)
    facts += makers.taken_back({c: by for c, by in corrected.taken_back.items() if c in known})
    return sorted(facts, key=lambda f: (f.interval.may_from, f.said, f.predicate, f.statement))


def _heard(subject: Value, claims: Iterable[LinkedClaim], corrected: Corrected) -> list[Heard]:
    return [
        Heard(linked, at, _other(subject, linked), part)
        for claim in sorted(claims, key=lambda c: (c.claim.said, c.claim.id))
        for part, (linked, at) in enumerate(corrected.standing.get(claim.claim.id, ()))
    ]


def _other(subject: Value, linked: LinkedClaim) -> Value | None:
    """Return a claim's object as seen from ``subject``, which a symmetric claim may name last."""
    link, other = linked.link, linked.link.object
    if link.subject != subject.key and other is not None and other.key == subject.key:
        return replace(other, key=link.subject, text=linked.claim.subject.text)
    return other


def _by_object(heard: Iterable[Heard]) -> dict[str, list[Heard]]:
    groups: defaultdict[str, list[Heard]] = defaultdict(list)
    for item in heard:
        groups[item.key].append(item)
    return dict(groups)


def _told(heard: Heard, value: str, *, shadow: bool = False, end: bool = False) -> Told:
    """Reduce a claim to what one slot hears; ``end`` turns a negative into an ending."""
    claim = heard.claim
    start, finish, form = claim.start, claim.end, claim.form
    negates = end and form is not Form.END
    now = form is Form.SINCE or (form is Form.STATE and _read(start) is None)
    if end and form is not Form.CANCEL:
        start, finish, form = None, start if form is not Form.END else finish or start, Form.END
    elif form is Form.END:
        start, finish = None, finish or start
    return Told(
        claim=f"{claim.id}{_PART}{heard.part}",
        value=value,
        form=form,
        said=claim.said,
        at=heard.at,
        modality=claim.modality,
        authority=claim.authority,
        start=_read(start),
        end=_read(finish),
        negates=negates,
        unseen=negates and now,
        shadow=shadow,
    )


def _read(stated: Stated | None) -> Stated | None:
    return stated if stated is not None and stated.span is not None else None


# --- yes/no slots


def _many(heard: Sequence[Heard], predicate: Predicate, makers: _Makers) -> list[Fact]:
    """One yes/no slot an object; what names no object speaks in each of them."""
    groups = _by_object(heard)
    none = groups.pop("", [])
    facts: list[Fact] = []
    for group in groups.values():
        for slot in _without_exceptions(group):
            tolds, wider = _yes_no(slot, none)
            found = timeline(tolds, yes_no=True, wider=wider)
            facts += makers.facts(found, slot[0].object)
    if none:
        tolds = [_told(h, _yes_no_value(h)) for h in none]
        tolds += [_told(h, YES, shadow=True) for group in groups.values() for h in group if h.names]
        facts += makers.facts(timeline(tolds, yes_no=True), None)
    return facts


def _without_exceptions(group: Sequence[Heard]) -> list[list[Heard]]:
    """Set apart negatives with a qualifier that no yes has: "no coffee after four"."""
    qualified = {pair for h in group if h.names for pair in h.claim.qualifiers}
    main: list[Heard] = []
    apart: defaultdict[Qualifiers, list[Heard]] = defaultdict(list)
    for heard in group:
        qualifiers = heard.claim.qualifiers
        if heard.negative and qualifiers and not set(qualifiers) <= qualified:
            apart[qualifiers].append(heard)
        else:
            main.append(heard)
    return [slot for slot in (main, *apart.values()) if slot]


def _yes_no(
    slot: Sequence[Heard], none: Sequence[Heard]
) -> tuple[list[Told], dict[str, frozenset[str]]]:
    telling = _telling(slot)
    tolds = [_told(h, _yes_no_value(h) + _detail(h, telling)) for h in slot]
    for heard in none:
        if heard.claim.form is Form.CANCEL:
            tolds.append(_told(heard, ANY, shadow=True))
        elif heard.claim.form is Form.END or heard.negative:
            # As if it named this one: "quit my job" ends no "I don't work at Larch".
            tolds.append(_told(heard, _yes_no_value(heard), shadow=True))
    return tolds, _less_precise({t.value for t in tolds})


def _yes_no_value(heard: Heard) -> str:
    return NO if heard.negative else YES


def _telling(slot: Iterable[Heard]) -> tuple[str, ...]:
    """Return the names of qualifiers that differ between claims of one value."""
    values: defaultdict[str, set[str]] = defaultdict(set)
    for heard in slot:
        for name, value in heard.claim.qualifiers:
            values[name].add(value)
    return tuple(sorted(name for name, found in values.items() if len(found) > 1))


def _detail(heard: Heard, telling: Sequence[str]) -> str:
    pairs = [f"{name}={value}" for name, value in heard.claim.qualifiers if name in telling]
    return _SEPARATOR + _SEPARATOR.join(pairs) if pairs else ""


def _less_precise(values: Iterable[str]) -> dict[str, frozenset[str]]:
    """Map each value told with qualifiers to those that tell the same with fewer."""
    split = {
        value: (value.split(_SEPARATOR)[0], set(value.split(_SEPARATOR)[1:])) for value in values
    }
    result: dict[str, frozenset[str]] = {}
    for value, (base, details) in split.items():
        fewer = {v for v, (b, d) in split.items() if b == base and d < details}
        if fewer:
            result[value] = frozenset(fewer)
    return result


# --- single-valued slots


def _single(
    heard: Sequence[Heard],
    predicate: Predicate,
    makers: _Makers,
    contains: Mapping[str, frozenset[str]],
) -> list[Fact]:
    """A slot for each telling qualifier; values held beside others, and noes, in their own."""
    main: defaultdict[Qualifiers, list[Heard]] = defaultdict(list)
    beside: defaultdict[str, list[Heard]] = defaultdict(list)
    rest: list[Heard] = []
    for item in heard:
        if not item.names:
            rest.append(item)
        elif item.claim.beside:
            beside[item.key].append(item)
        else:
            main[_discriminator(item, predicate)].append(item)
    facts: list[Fact] = []
    slots = list(main) or [()]
    for slot in slots:
        group = main.get(slot, [])
        others = [h for h in rest if _concerns(h, slot, slots, main, beside, predicate)]
        facts += _single_slot(group, others, makers, contains)
    negatives = {h.key for h in rest if h.negative and h.key}
    for key in {*beside, *negatives}:
        own = [*beside[key], *(h for h in rest if h.key == key)]
        if not beside[key]:
            own = [h for h in own if h.negative]
        tolds = [_told(h, _yes_no_value(h)) for h in own]
        tolds += [_told(h, YES, shadow=True) for g in main.values() for h in g if h.key == key]
        for item in rest:
            if not item.key:
                value = ANY if item.claim.form is Form.CANCEL else _yes_no_value(item)
                tolds.append(_told(item, value, shadow=True))
        shown = next((h.object for h in own if h.object), None)
        facts += makers.facts(timeline(tolds, yes_no=True), shown)
    return facts


def _discriminator(heard: Heard, predicate: Predicate) -> Qualifiers:
    return tuple(q for q in heard.claim.qualifiers if q[0] in predicate.discriminators)


def _concerns(
    heard: Heard,
    slot: Qualifiers,
    slots: Sequence[Qualifiers],
    main: Mapping[Qualifiers, Sequence[Heard]],
    beside: Mapping[str, Sequence[Heard]],
    predicate: Predicate,
) -> bool:
    """Whether a no, an ending or a calling off is meant for this slot."""
    own = _discriminator(heard, predicate)
    if own:
        return own == slot
    if not heard.key:
        return True
    holding = [s for s in slots if any(h.key == heard.key for h in main.get(s, ()))]
    if holding:
        return slot in holding
    return not beside.get(heard.key) and slot == slots[0]


def _single_slot(
    group: Sequence[Heard],
    others: Sequence[Heard],
    makers: _Makers,
    contains: Mapping[str, frozenset[str]],
) -> list[Fact]:
    by_key = _by_object([*group, *others])
    telling = {key: _telling(items) for key, items in by_key.items()}
    shown = {
        key: next((h.object for h in items if h.object), None) for key, items in by_key.items()
    }
    tolds = [_told(h, h.key + _detail(h, telling[h.key])) for h in group]
    for heard in others:
        ends = heard.claim.form in (Form.END, Form.CANCEL)
        if not heard.key:
            # "No job" is a value of the slot: it takes the place of others until the next one.
            tolds.append(_told(heard, ANY if ends else ""))
        else:
            tolds.append(_told(heard, heard.key, end=True))
    values = {t.value for t in tolds}
    wider = _less_precise(values)
    for value in values:
        more = contains.get(value.split(_SEPARATOR)[0], frozenset()) & values
        if more:
            wider[value] = wider.get(value, frozenset()) | more
    found = timeline(tolds, yes_no=False, wider=wider)
    return makers.single_facts(found, shown)


# --- from beliefs to facts


class _Makers:
    """Turns what is believed of one subject and predicate into facts."""

    def __init__(
        self, subject: Value, predicate: Predicate, known: Mapping[str, LinkedClaim]
    ) -> None:
        self.subject = subject
        self.predicate = predicate
        self.known = known

    def facts(self, found: Iterable[Believed], value: Value | None) -> list[Fact]:
        """Make facts of a yes/no slot about ``value``."""
        return [
            self._fact(b, value, Polarity.NEGATIVE if b.value.startswith(NO) else Polarity.POSITIVE)
            for b in found
        ]

    def single_facts(
        self, found: Iterable[Believed], shown: Mapping[str, Value | None]
    ) -> list[Fact]:
        """Make facts of a single-valued slot; the value without an object is a no."""
        result: list[Fact] = []
        for believed in found:
            key = believed.value.split(_SEPARATOR)[0]
            polarity = Polarity.POSITIVE if key else Polarity.NEGATIVE
            result.append(self._fact(believed, shown.get(key), polarity))
        return result

    def taken_back(self, gone: Mapping[str, str]) -> list[Fact]:
        """Make retracted facts of claims that others correct."""
        groups: defaultdict[tuple[str, str, Polarity], list[LinkedClaim]] = defaultdict(list)
        for claim, by in gone.items():
            linked = self.known[claim]
            if linked.claim.form in (Form.END, Form.CANCEL):
                continue
            other = _other(self.subject, linked)
            key = other.key if other else ""
            groups[by, key, linked.link.polarity].append(linked)
        result: list[Fact] = []
        for (by, _, polarity), group in groups.items():
            group.sort(key=lambda c: (c.claim.said, c.claim.id))
            first = group[0].claim
            span = first.start.span if first.start else None
            bound = (
                Bound(span.first, span.last, phrase=first.start.phrase if first.start else None)
                if span
                else Bound(None, first.said.at, stated=False)
            )
            believed = Believed(
                value="",
                interval=Interval(bound),
                status=Status.RETRACTED,
                modality=first.modality,
                claims=tuple(c.claim.id for c in group),
                cause=Cause(Rule.CORRECTED_BY, by),
            )
            result.append(self._fact(believed, _other(self.subject, group[0]), polarity))
        return result

    def _fact(self, believed: Believed, value: Value | None, polarity: Polarity) -> Fact:
        ids = tuple(dict.fromkeys(claim.split(_PART)[0] for claim in believed.claims))
        claims = [self.known[claim].claim for claim in ids]
        strongest = max(claim.authority for claim in claims)
        lead = next(claim for claim in claims if claim.authority == strongest)
        cause = believed.cause
        if cause is not None and cause.claim is not None:
            cause = replace(cause, claim=cause.claim.split(_PART)[0])
        return Fact(
            id="",
            record="",
            subject=self.subject,
            predicate=self.predicate.slug,
            object=value,
            polarity=polarity,
            modality=believed.modality,
            qualifiers=_joined(claims),
            statement=lead.statement,
            interval=believed.interval,
            status=believed.status,
            event=self.predicate.is_event and polarity is Polarity.POSITIVE,
            confidence=lead.confidence,
            importance=lead.importance,
            said=lead.said,
            claims=ids,
            cause=cause,
        )


def _joined(claims: Sequence[Claim]) -> Qualifiers:
    """Put together the qualifiers of claims of one value; the later said wins where two differ."""
    pairs: dict[str, str] = {}
    for claim in claims:
        if claim.modality is not Modality.POSSIBLE:
            pairs.update(dict(claim.qualifiers))
    return tuple(sorted(pairs.items()))
