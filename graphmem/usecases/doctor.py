"""What a memory is made of, and whether it is well."""

from __future__ import annotations

import statistics
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from graphmem.errors import GraphmemError, StoreError
from graphmem.model.about import About
from graphmem.usecases.doctor_model import look_at_model
from graphmem.usecases.finding import Finding
from graphmem.usecases.services import Services
from graphmem.usecases.transfer import unfinished
from graphmem.usecases.upkeep import VerifyReport, verify

COMPARED = 5_000
"""Points up to which the index is compared with the graph, as verify does: a second or two."""
MOST_PARKED, REASONS = 1000, 3
"""Rows put aside that are looked at, and reasons that are told."""
UNREAD = "turns not read yet"
"""What the finding is called that counts them."""
TRIES = 5
"""Round trips of which the median is told."""


@dataclass(frozen=True, slots=True)
class Report:
    """Findings in order. ``well`` is False if any of them is not."""

    findings: tuple[Finding, ...]

    @property
    def well(self) -> bool:
        """Whether nothing needs attention."""
        return all(finding.well for finding in self.findings)


async def doctor(
    services: Services,
    notes: Sequence[str] = (),
    away: StoreError | None = None,
    *,
    probe: bool = False,
) -> Report:
    """Look at every part; nothing is changed. Servers and the embedder's endpoint are asked.

    ``away`` is why the graph store is known not to answer; it is not asked again then. With
    ``probe`` the chat model's endpoint is asked too, once for each way to ask it for JSON.
    """
    reads = services.extractor.identity if services.extractor else "none: turns stay pending"
    ontology = services.ontology
    found = await _store(services, away)
    is_away = not found[0].well
    found += [
        Finding("extractor", reads, well=services.extractor is not None),
        *await look_at_model(services, probe=probe, is_away=is_away),
        *await _embedder(services),
        *await _index(services, is_away=is_away),
        Finding("predicates", f"{len(ontology)} (digest {ontology.digest[:12]})"),
        Finding("timezone", services.zone),
    ]
    if not is_away:
        found += await _agreement(services)
    found += [Finding("note", note, well=False) for note in notes]
    return Report(tuple(found))


async def _store(services: Services, away: StoreError | None) -> list[Finding]:
    store = services.store
    try:
        if away is not None:
            raise away
        about = await store.about()
        unread = await store.unread()
        found = [
            Finding("store", _what(about)),
            Finding("schema", *_schema(about)),
            _indexes("indexes of the store", about),
            Finding("scopes", str(len(await store.scopes()))),
            Finding(
                UNREAD,
                f"{unread}; retry-pending reads them" if unread else "0",
                well=not unread,
            ),
        ]
        if about.remote:
            found += await _trips("the store", lambda: store.get_meta("ontology"), about)
    except StoreError as error:
        return [Finding("store", str(error), well=False)]
    return found


def _what(about: About) -> str:
    words = [about.kind, about.version, about.edition]
    return f"{' '.join(word for word in words if word)}: {about.place}"


def _schema(about: About) -> tuple[str, bool]:
    if about.schema == about.known_schema:
        return f"version {about.schema}", True
    return f"version {about.schema}; this graphmem knows {about.known_schema}", False


def _indexes(name: str, about: About) -> Finding:
    ready = len(about.parts) - len(about.unready)
    unique = sum(part.unique for part in about.parts)
    words = [f"{ready} online, {unique} of them unique"]
    words += [f"{part.name} {part.state}" for part in about.unready]
    if about.missing:
        words.append(f"missing: {', '.join(about.missing)}")
    return Finding(name, "; ".join(words), well=not (about.missing or about.unready))


async def _trips(
    what: str, ask: Callable[[], Awaitable[object]], about: About | None = None
) -> list[Finding]:
    """Return the median of some round trips, and how many calls were begun anew so far."""
    times: list[float] = []
    for _ in range(TRIES):
        began = time.perf_counter()
        await ask()
        times.append(time.perf_counter() - began)
    value = f"{1000 * statistics.median(times):.1f} ms, median of {TRIES}"
    if about is not None:
        value += f"; {about.retries} calls begun anew"
    return [Finding(f"round trip to {what}", value)]


async def _embedder(services: Services) -> list[Finding]:
    embedder = services.indexer.embedder
    if embedder is None:
        return [Finding("embedder", "none: keywords and graph only")]
    try:
        size = await embedder.size()
        await embedder.queries(["?"])  # the first one may load the model
        return [
            Finding("embedder", f"{embedder.identity}, {size} numbers"),
            *await _trips("the embedder", lambda: embedder.queries(["?"])),
        ]
    except GraphmemError as error:
        return [Finding("embedder", f"{embedder.identity}: {error}", well=False)]


async def _index(services: Services, *, is_away: bool) -> list[Finding]:
    index = services.indexer.index
    if index is None:
        return [Finding("vector index", "none: keywords come from the graph store")]
    try:
        about = await index.about()
        found = [Finding("index kept by", "; ".join([_what(about), *about.notes]))]
        if about.parts or about.missing:
            found.append(_indexes("indexes of the index", about))
        if about.remote:
            found += await _trips("the index", index.about, about)
        if is_away:  # whose index it is cannot be asked
            return found
        info, count = await index.info(), await index.count()
    except GraphmemError as error:
        return [Finding("vector index", str(error), well=False)]
    points = f"{count} points of {info.embedder}"
    if not count and await services.store.scopes():
        value = f"{points}; the next search or write fills it"
        return [*found, Finding("vector index", value, well=False)]
    value = f"{points}; {info.note}" if info.note else points
    return [*found, Finding("vector index", value)]


async def _agreement(services: Services) -> list[Finding]:
    """Say what waits, what was put aside, and whether store and index say the same."""
    store = services.store
    backlog = await services.indexer.waiting()
    found = [
        Finding("records waiting to be indexed", str(backlog), well=not backlog),
        await _parked(services),
    ]
    report = await _compared(services)
    if report is None:
        problems = [*await unfinished(store), *await store.check()]
        found.append(Finding("drift", "not looked for in so large an index; verify does"))
    else:
        problems = [*report.findings]
        faults = sum(len(scope.faults) for scope in report.scopes) + len(report.extra)
        value = f"{faults} points; repair mends them" if faults else "none"
        found.append(Finding("drift", value, well=not faults))
    sound = Finding("store check", "; ".join(problems) or "sound", well=not problems)
    return [*found, sound]


async def _parked(services: Services) -> Finding:
    parked = await services.store.parked(MOST_PARKED)
    reasons = Counter(row.parked for row in parked)
    words = [f"{count} times {reason}" for reason, count in reasons.most_common(REASONS)]
    value = "; ".join([*words, "repair tries again"]) if words else "0"
    return Finding("records that cannot be indexed", value, well=not parked)


async def _compared(services: Services) -> VerifyReport | None:
    """Compare store and index; None if there is no index, it is away, or it is a large one."""
    index = services.indexer.index
    try:
        if index is None or await index.count() > COMPARED:
            return None
    except GraphmemError:
        return None
    return await verify(services.indexer)
