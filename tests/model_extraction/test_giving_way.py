"""What gives way to what, and for how long, by a model's claims and the words of the turn."""

import asyncio
from typing import Any

import pytest

from graphmem.extraction.claims import claim_of
from graphmem.extraction.model import ModelExtractor
from graphmem.model.claim import Form, Modality, Polarity
from graphmem.model.draft import Draft, Known, KnownFact
from graphmem.model.ontology import default_ontology
from graphmem.model.time import from_micros
from graphmem.testing.models import ScriptedModel

from .kit import a_batch, a_claim, a_known, a_turn, an_answer, shown


def read(text: str, *claims: dict[str, Any], facts: tuple[KnownFact, ...] = ()) -> list[Draft]:
    # Any: claims as a model writes them.
    known = Known(facts={f"F{n}": fact for n, fact in enumerate(facts, 1)})
    model = ScriptedModel([an_answer(*claims)])
    batch = a_batch(text, known=known)
    return list(asyncio.run(ModelExtractor(model, default_ontology()).extract(batch)).drafts)


@pytest.mark.parametrize(
    ("text", "who", "was", "thing"),
    [
        ("Juno takes over the Larch choir.", "Juno", "Bram", "Larch choir"),
        ("小满接手晨光合唱团。", "小满", "阿布", "晨光合唱团"),
    ],
)
def test_who_is_taken_over_from_leads_no_more(text: str, who: str, was: str, thing: str) -> None:
    """The thing is one, though a person may lead many."""
    claim = a_claim(text, "leads", thing, subject=who, form="change", replaces="F1")
    drafts = read(text, claim, facts=(a_known("leads", thing, was),))
    assert [(*shown(d), d.form) for d in drafts] == [
        (who, "leads", thing, Form.CHANGE),
        (was, "leads", thing, Form.END),
    ]


def test_a_plan_called_off_ends_nothing() -> None:
    """Who was to give way to it stays."""
    text = "Juno is not taking over the Larch choir after all."
    claim = a_claim(text, "leads", "Larch choir", subject="Juno", form="cancel", modality="planned")
    holder = a_known("leads", "Larch choir", "Bram", ending=True)
    drafts = read(text, claim, facts=(holder,))
    assert [(shown(d)[0], d.form) for d in drafts] == [("Juno", Form.CANCEL), ("Bram", Form.CANCEL)]


@pytest.mark.parametrize(
    ("text", "announced", "called_off"),
    [
        ("I'm not leaving Orrin Mills after all.", True, True),
        ("I'm not leaving Orrin Mills after all.", False, False),
        ("I'm still at Orrin Mills.", True, False),
    ],
)
def test_staying_after_all_calls_off_the_leaving(
    text: str, announced: bool, called_off: bool
) -> None:
    """Only words of staying do, and only where an end was announced."""
    claim = a_claim(text, "works_at", "Orrin Mills", form="since")
    drafts = read(text, claim, facts=(a_known("works_at", "Orrin Mills", ending=announced),))
    assert (Form.CANCEL in [d.form for d in drafts]) is called_off


@pytest.mark.parametrize(
    ("text", "predicate", "value"),
    [
        ("I don't speak Danish any more.", "speaks", "Danish"),
        ("我不再抽烟了。", "smokes", ""),
    ],
)
def test_what_is_no_longer_so_is_not_so(text: str, predicate: str, value: str) -> None:
    """An ending told by a denial of the verb holds as a denial."""
    (draft,) = read(text, a_claim(text, predicate, value, form="end"))
    assert (draft.polarity, draft.form) == (Polarity.NEGATIVE, Form.STATE)


@pytest.mark.parametrize(
    ("text", "fields", "days"),
    [
        ("I live in Porto this month.", {"at": "this month"}, ("2024-06-01", "2024-07-01")),
        ("这个月我住在曲阜。", {"at": "这个月"}, ("2024-06-01", "2024-07-01")),
        (
            "Bo covers for me in Porto during August: he lives in Porto in August.",
            {"at": "in August", "modality": "planned"},
            ("2024-08-01", "2024-09-01"),
        ),
    ],
)
def test_what_is_told_of_a_time_ends_with_it(
    text: str, fields: dict[str, str], days: tuple[str, str]
) -> None:
    """It goes on no longer than the month it is told of."""
    place = "曲阜" if "曲阜" in text else "Porto"
    (draft,) = read(text, a_claim(text, "lives_in", place, **fields))
    claim = claim_of(draft, a_turn(text), 0, {})
    assert claim.start is not None
    assert claim.start.span is not None
    assert claim.end is not None
    assert claim.end.span is not None
    found = [
        from_micros(at + 8 * 3600 * 10**6) for at in (claim.start.span.first, claim.end.span.first)
    ]
    assert tuple(f"{day:%Y-%m-%d}" for day in found) == days


def test_a_planned_date_is_a_value() -> None:
    """It is known now; it does not begin on its day."""
    text = "The Larch fair is planned for 9 July."
    claim = a_claim(
        text, "happened_on", "9 July", subject="Larch fair", at="9 July", modality="planned"
    )
    (draft,) = read(text, claim)
    assert (draft.modality, draft.start) == (Modality.ASSERTED, None)
