"""What is remembered in the trials: three users, English and Chinese, generated and dated.

Every word that is to be looked for in the files of a store afterwards is found nowhere else.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

PIECES = 6
"""Calls to ``ingest`` for each user."""


@dataclass(frozen=True)
class Call:
    """One call of the work: the turns of a session, or a fact that is stated directly."""

    user: str
    session: str
    turns: tuple[dict[str, str], ...] = ()
    fact: tuple[str, str] | None = None
    at: str = ""


ENGLISH = (
    "I live in {city}.",
    "I moved to {city} last month.",
    "I work at {firm}.",
    "I no longer work at {firm}.",
    "I'm allergic to {food}.",
    "I collect {thing}.",
    "My sister Ilse lives in {city}.",
    "I like {food}, and I've been to {city}.",
    "Hello there!",
)
CHINESE = (
    "我住在{city}。",
    "我上个月搬到了{city}。",
    "我在{firm}工作。",
    "我对{food}过敏。",
    "我喜欢{food}。",
    "我妹妹住在{city}。",
    "你好!",
)
WORDS = {
    "ana": {
        "city": ("Riga", "Cesis", "Lisbon", "Hangzhou", "Turku"),
        "firm": ("Larch", "Heron", "Kite"),
        "food": ("mango", "rye bread", "walnuts", "tofu"),
        "thing": ("stamps", "maps", "old radios"),
    },
    "bo": {
        "city": ("杭州", "成都", "里加", "苏州"),
        "firm": ("松木公司", "白鹭书店", "云台医院"),
        "food": ("芒果", "花生", "豆腐", "螃蟹"),
    },
    "cy": {
        "city": ("Aarhus", "Ghent", "Bremen", "Odense"),
        "firm": ("Quarry", "Anvil", "Tern"),
        "food": ("pears", "leeks", "oat milk"),
        "thing": ("shells", "postcards", "clocks"),
    },
}

GONE_USER = ("Zerbinovka", "Umbrelio", "quillfruit")
"""Words that only the user dora said."""
GONE_FACT = "vexberries"
"""Of a fact of ana's that is erased."""
GONE_TURN = "Plimvale"
"""Of a turn of cy's that is erased."""


def life(seed: int, size: int = 5, pieces: int = PIECES) -> list[Call]:
    """Return the calls of one run, in their order; ``size`` turns a call, ``pieces`` a user."""
    chance = random.Random(seed)  # noqa: S311 - the same life each time
    calls: list[Call] = []
    day = 0
    for piece in range(pieces):
        for user, words in WORDS.items():
            day += 1
            sentences = CHINESE if user == "bo" else ENGLISH
            turns = tuple(
                {
                    "role": "user",
                    "content": chance.choice(sentences).format(
                        **{name: chance.choice(options) for name, options in words.items()}
                    ),
                    "occurred_at": _at(day, minute),
                }
                for minute in range(size)
            )
            answer = {"role": "assistant", "content": "Noted.", "occurred_at": _at(day, size)}
            calls.append(Call(user, f"s{piece}", (*turns, answer)))
            if piece % 2:
                fact = ("visited", f"Village {piece} of {user}")
                calls.append(Call(user, f"s{piece}", fact=fact, at=_at(day, size + 1)))
    return calls


def doomed() -> list[Call]:
    """Return what is said and then erased."""
    city, firm, fruit = GONE_USER
    said = (
        ("dora", f"I live in {city}."),
        ("dora", f"I work at {firm}, and I'm allergic to {fruit}."),
        ("ana", f"I'm allergic to {GONE_FACT}."),
        ("cy", f"I live in {GONE_TURN}."),
    )
    return [
        Call(user, "gone", ({"role": "user", "content": text, "occurred_at": _at(200, n)},))
        for n, (user, text) in enumerate(said)
    ]


def _at(day: int, minute: int) -> str:
    return f"2025-{1 + day // 28:02}-{1 + day % 28:02}T10:{minute:02}:00+00:00"
