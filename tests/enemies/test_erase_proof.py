"""Once a receipt says clean, nothing of what was erased is in any file, in any form."""

from __future__ import annotations

import asyncio
import hashlib
import json
import struct
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory
from graphmem.errors import InputError, NotFoundError
from graphmem.model.episode import content_digest
from graphmem.model.receipt import ErasureReceipt
from graphmem.model.text import normal_key
from graphmem.testing.embedders import HashEmbedder
from tests.engine.conftest import Make
from tests.engine.kit import bytes_under, day, the

pytestmark = pytest.mark.embedded("looks at the bytes of its files")

SECRET_EN, SECRET_ZH = "Zanzibarquux", "紫薇巷尾"
KEY = "sk-proj-abcdefghij0123456789XYZ"
LONG = f"{SECRET_EN} {'word ' * 1000}{SECRET_ZH}{'，字' * 1000} {SECRET_EN}end"
"""Several pages of the database, with secrets at both ends and in the middle."""


def forms(text: str) -> Iterator[bytes]:
    """Yield a text as it might lie in a file: itself, folded, escaped, hashed, encoded."""
    for shape in {text, text.casefold(), text.upper(), normal_key(text)}:
        for encoding in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "gb18030"):
            yield shape.encode(encoding)
        yield json.dumps(shape)[1:-1].encode()
        yield shape.encode().hex().encode()
        yield hashlib.blake2b(normal_key(shape).encode(), digest_size=16).hexdigest().encode()


def prints(content: str) -> dict[str, bytes]:
    """Return the hash and the vector of a whole turn, as they lie in files."""
    (vector,) = asyncio.run(HashEmbedder().documents([f"user: {content}"]))
    return {"hash": content_digest(content).encode(), "vector": struct.pack("<8f", *vector[:8])}


def holding(folder: Path, needles: set[bytes]) -> list[tuple[str, bytes]]:
    """Return which files hold which needles; short ones would be found anywhere."""
    assert all(len(needle) >= 8 for needle in needles)
    # Preallocated files are mostly zeros, which hold nothing and take long to look through.
    files = {n: data.replace(bytes(512), b"") for n, data in bytes_under(folder).items()}
    return [(name, n[:40]) for name, data in files.items() for n in needles if n in data]


def needles_of(*texts: str) -> set[bytes]:
    return {form for text in texts for form in forms(text)}


def tell(mem: Memory) -> dict[str, str]:
    """Tell secrets in every way there is, beside things that stay; return episodes by kind."""
    ids: dict[str, str] = {}
    mem.add(
        ["I like tea.", "我喜欢喝茶。", "My sister Tilda lives in Cork."], user="ana", session="s"
    )
    said = {
        "english": f"I live in {SECRET_EN}. I'm allergic to {SECRET_EN} nuts.",
        "chinese": f"我住在{SECRET_ZH}。我对{SECRET_ZH}过敏。",
        "person": f"My friend {SECRET_EN} Berg works at {SECRET_ZH}. She is a {SECRET_EN}ist.",
        "long": LONG,
        "masked": f"I live in {SECRET_ZH} and my password is {KEY}.",
    }
    for kind, text in said.items():
        message = {"content": text, "id": f"{kind} {SECRET_EN}", "name": "Ana"}
        (turn,) = mem.add([message], user="ana", session=f"about {SECRET_EN}", me="Ana").turns
        ids[kind] = turn.episode or ""
    fact = the(
        mem.add_fact(
            "me",
            f"collects_{SECRET_EN.lower()}",
            f"{SECRET_EN} {SECRET_ZH}",
            user="ana",
            qualifiers={"where": SECRET_ZH},
            statement=f"Ana hoards {SECRET_EN} in {SECRET_ZH}.",
            source_name=f"{SECRET_EN} diary",
            session=f"{SECRET_EN} talk",
            agent=f"{SECRET_EN} agent",
        )
    )
    ids["direct"] = mem.explain(fact.id, user="ana").sources[0].episode
    other = the(mem.add_fact(f"{SECRET_ZH} Berg", "works_at", "Larch", user="ana"))
    ids["other"] = mem.explain(other.id, user="ana").sources[0].episode
    mem.retract(fact.id, user="ana", reason=f"a jest about {SECRET_EN}")
    mem.restore(fact.id, user="ana")
    mem.merge([f"{SECRET_EN} Berg"], into=f"{SECRET_ZH} Berg", user="ana")
    mem.search(f"{SECRET_EN} {SECRET_ZH}", user="ana")
    return ids


ALL = needles_of(SECRET_EN, SECRET_ZH)
SECRET = needles_of(KEY)


def test_secrets_are_masked_in_every_file(make: Make, tmp_path: Path) -> None:
    """A password is in no file, not even before anything is erased."""
    tell(make())
    assert holding(tmp_path, ALL)
    assert not holding(tmp_path, SECRET)


def test_what_is_looked_for_would_be_found(make: Make, tmp_path: Path) -> None:
    """The proof below is none unless hash and vector of a turn are there before."""
    text = f"I live in {SECRET_EN}."
    make().add(text, user="ana")
    for print_ in prints(text).values():
        assert holding(tmp_path, {print_})


def every_turn(mem: Memory, ids: dict[str, str]) -> list[ErasureReceipt]:
    return [mem.erase(user="ana", episode=episode) for episode in ids.values()]


def the_user(mem: Memory, ids: dict[str, str]) -> list[ErasureReceipt]:
    return [mem.erase(user="ana")]


WAYS: dict[str, Callable[[Memory, dict[str, str]], list[ErasureReceipt]]] = {
    "every turn": every_turn,
    "the user": the_user,
}


@pytest.mark.parametrize("way", WAYS)
def test_no_form_of_it_is_left_in_any_file(make: Make, tmp_path: Path, way: str) -> None:
    """Text, names, keys, hashes, terms, vectors: after the last clean receipt all are gone."""
    mem = make()
    ids = tell(mem)
    hashes = set(prints(f"我住在{SECRET_ZH}。我对{SECRET_ZH}过敏。").values())
    receipts = WAYS[way](mem, ids)
    assert receipts[-1].clean
    assert not receipts[-1].waiting
    assert not holding(tmp_path, ALL | hashes | {i.encode() for i in ids.values()})
    assert mem.verify().clean
    if way == "every turn":
        kept = {f.object.text for f in mem.facts(user="ana").items if f.object}
        assert {"tea", "茶", "Cork"} <= kept


@pytest.mark.parametrize("language", ["english", "chinese"])
def test_an_erased_fact_leaves_its_turn_without_the_words(
    make: Make, tmp_path: Path, language: str
) -> None:
    """The quotes go, and what the turn says besides stays."""
    texts = {
        "english": f"I live in {SECRET_EN}. I like tea.",
        "chinese": f"我住在{SECRET_ZH}。我喜欢喝茶。",
    }
    mem = make()
    mem.add(texts[language], user="ana")
    (fact,) = mem.facts(user="ana", predicate="lives_in").items
    receipt = mem.erase(user="ana", fact=fact.id)
    assert receipt.clean
    assert not holding(tmp_path, ALL | {*prints(texts[language]).values(), fact.id.encode()})
    assert mem.facts(user="ana").total == 1
    assert mem.verify().clean


def test_what_was_corrected_and_taken_back_goes_too(make: Make, tmp_path: Path) -> None:
    """Revisions, reasons and what a correction replaced leave nothing behind."""
    mem = make()
    old = the(mem.add_fact("me", "lives_in", SECRET_EN, user="ana", occurred_at=day(-9)))
    new = the(mem.correct(old.id, user="ana", object="Riga"))
    other = the(mem.add_fact("me", "likes", SECRET_ZH, user="ana"))
    mem.retract(other.id, user="ana", reason=f"{SECRET_EN}, in jest")
    for fact in (old.id, other.id):
        assert mem.erase(user="ana", fact=fact).clean
    assert not holding(tmp_path, ALL)
    assert [f.object.text for f in mem.facts(user="ana").items if f.object] == ["Riga"]
    assert mem.get(new.id, user="ana").object is not None
    assert mem.verify().clean


READER = """
import sqlite3, sys
c = sqlite3.connect(sys.argv[1], isolation_level=None)
c.execute("BEGIN")
c.execute("SELECT count(*) FROM episodes").fetchone()
print("reading", flush=True)
sys.stdin.readline()
"""


@contextmanager
def another_reader(file: Path) -> Generator[None]:
    """Hold a read transaction open in another process."""
    command = [sys.executable, "-c", READER, str(file)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "reading\n"
        try:
            yield
        finally:
            process.communicate("\n", timeout=60)


def by_repair(mem: Memory, make: Make) -> None:
    assert mem.repair().clean


def by_erasing_again(mem: Memory, make: Make) -> None:
    assert mem.erase(user="nobody").clean


def by_opening_again(mem: Memory, make: Make) -> None:
    make().facts(user="ana")


def by_closing(mem: Memory, make: Make) -> None:
    mem.close()


@pytest.mark.parametrize("finish", [by_repair, by_erasing_again, by_opening_again, by_closing])
def test_a_reader_keeps_it_unclean_until_it_is_finished(
    make: Make, tmp_path: Path, finish: Callable[[Memory, Make], None]
) -> None:
    """While another process reads, the receipt says what it waits for; then it is finished."""
    mem = make()
    text = f"I live in {SECRET_EN}. 我对{SECRET_ZH}过敏。"
    (turn,) = mem.add([text], user="ana").turns
    with another_reader(tmp_path / "memory" / "graph.sqlite3"):
        receipt = mem.erase(user="ana", episode=turn.episode or "")
        assert not receipt.clean
        assert "readers" in " ".join(receipt.waiting)
        assert not mem.repair().clean
        assert not mem.search(f"{SECRET_EN} {SECRET_ZH}", user="ana").hits
    finish(mem, make)
    assert not holding(tmp_path, ALL)


def rows(mem: Memory, tmp_path: Path) -> dict[str, set[str]]:
    """Return what is there, by kind, from an export."""
    mem.export(tmp_path / "all.jsonl", user="ana")
    with (tmp_path / "all.jsonl").open(encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    (tmp_path / "all.jsonl").unlink()
    kinds = {"episode": "episodes", "claim": "claims", "entity": "entities"}
    result = {name: {r["id"] for r in found if r["kind"] == kind} for kind, name in kinds.items()}
    page = mem.facts(
        user="ana", include_ended=True, include_disputed=True, include_retracted=True, limit=1000
    )
    return result | {"facts": {f.id for f in page.items}}


def test_a_receipt_counts_what_really_went(make: Make, tmp_path: Path) -> None:
    """Counts by kind are those of a comparison before and after, and reopened facts are named."""
    mem = make()
    ids = tell(mem)
    mem.add_fact("me", "lives_in", "Riga", user="ana", occurred_at=day(-99))
    for kind in ("english", "person", "direct", "long"):
        before = rows(mem, tmp_path)
        held = {f.id for f in mem.facts(user="ana").items}
        receipt = mem.erase(user="ana", episode=ids[kind])
        after = rows(mem, tmp_path)
        went = Counter({name: len(before[name] - after[name]) for name in before})
        assert {name: receipt.removed[name] for name in before} == went, kind
        now = {f.id for f in mem.facts(user="ana").items}
        assert {f.id for f in receipt.reopened} == now - held, kind
    before = rows(mem, tmp_path)
    receipt = mem.erase(user="ana")
    assert {name: receipt.removed[name] for name in before} == {
        name: len(ids) for name, ids in before.items()
    }


def test_others_keep_everything(mem: Memory) -> None:
    """Erasing a user, or what looks like a pattern of users, takes no one else's."""
    for user in ("ana", "bob", "an%", "*"):
        mem.add(["I live in Riga. I like tea.", "I'm allergic to mango."], user=user)
    for odd in ("an", "an_", "%", "bo*"):
        assert not sum(mem.erase(user=odd).removed.values())
    mem.erase(user="an%")
    mem.erase(user="*")
    assert [mem.facts(user=user).total for user in ("ana", "bob", "an%", "*")] == [3, 3, 0, 0]
    assert mem.verify().clean


def test_one_wrong_fact_of_ten_is_taken_back_and_stays_so(mem: Memory) -> None:
    """A retraction is reversible, and reading the same source again does not undo it."""
    places = ("Riga", "Cork", "Oslo", "Bonn", "Lima", "Bern", "Graz", "Pisa", "Turku", "Kiel")
    turns = [{"content": f"I visited {place}.", "id": place} for place in places]
    mem.add(turns, user="ana")
    (wrong,) = mem.facts(user="ana", object="Oslo").items
    mem.retract(wrong.id, user="ana", reason="that was somebody else")
    mem.add(turns, user="ana")
    assert mem.facts(user="ana").total == 9
    assert "somebody else" in mem.explain(wrong.id, user="ana").why
    mem.restore(wrong.id, user="ana")
    assert mem.facts(user="ana").total == 10


def test_the_id_that_search_shows_is_the_one_to_erase(mem: Memory) -> None:
    """Hits of both kinds give ids that erasing takes."""
    mem.add(["I live in Riga.", "The weather in the harbour was dreadful today."], user="ana")
    (fact, *_) = [h for h in mem.search("where do I live?", user="ana").hits if h.fact]
    assert mem.erase(user="ana", fact=fact.id).removed["facts"] == 1
    (said, *_) = [h for h in mem.search("harbour weather", user="ana").hits if not h.fact]
    assert mem.erase(user="ana", episode=said.sources[0].episode).removed["episodes"] == 1
    assert not mem.search("harbour weather", user="ana").hits


def test_everything_is_erased_only_by_saying_so(mem: Memory) -> None:
    """An id that a program failed to find is no request to erase the whole user."""
    mem.add("I live in Riga.", user="ana")
    nothing: Any = None  # Any: what a look-up gave that found nothing
    with pytest.raises(InputError, match="everything"):
        mem.erase(user="ana", fact=nothing)
    with pytest.raises(InputError, match="everything"):
        mem.erase(user="ana", episode=nothing)
    with pytest.raises(NotFoundError):
        mem.erase(user="ana", fact="")
    assert mem.facts(user="ana").total == 1
