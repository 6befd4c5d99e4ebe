"""What a memory is made of, and whether it is well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.errors import GraphmemError
from graphmem.model.episode import Reading
from graphmem.ports.graph_store import EpisodeQuery
from graphmem.usecases.services import Services
from graphmem.usecases.transfer import unfinished

_MOST_PARKED, _REASONS = 1000, 3


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of a report: what was looked at, what was found, and whether that is well."""

    name: str
    value: str
    well: bool = True


@dataclass(frozen=True, slots=True)
class Report:
    """Findings in order. ``well`` is False if any of them is not."""

    findings: tuple[Finding, ...]

    @property
    def well(self) -> bool:
        """Whether nothing needs attention."""
        return all(finding.well for finding in self.findings)


async def doctor(services: Services, notes: Sequence[str] = ()) -> Report:
    """Look at every part; nothing is changed, and nothing is asked over a network."""
    found = [Finding("store", services.store.name)]
    scopes = await services.store.scopes()
    found.append(Finding("scopes", str(len(scopes))))
    pending = 0
    for scope in scopes:
        query = EpisodeQuery(reading=Reading.PENDING, limit=1)
        pending += (await services.store.episodes(scope, query)).total
    found.append(
        Finding(
            "turns not read yet",
            f"{pending}; retry-pending reads them" if pending else "0",
            well=not pending,
        )
    )
    reads = services.extractor.identity if services.extractor else "none: turns stay pending"
    found.append(Finding("extractor", reads, well=services.extractor is not None))
    found.append(await _embedder(services))
    found.append(await _index(services))
    backlog = await services.store.backlog()
    found.append(Finding("records waiting to be indexed", str(backlog), well=not backlog))
    found += await _parked(services)
    ontology = services.ontology
    found.append(Finding("predicates", f"{len(ontology)} (digest {ontology.digest[:12]})"))
    found.append(Finding("timezone", services.zone))
    problems = [*await unfinished(services.store), *await services.store.check()]
    found.append(Finding("store check", "; ".join(problems) or "sound", well=not problems))
    found += [Finding("note", note, well=False) for note in notes]
    return Report(tuple(found))


async def _parked(services: Services) -> list[Finding]:
    parked = await services.store.parked(_MOST_PARKED)
    if not parked:
        return []
    reasons = Counter(row.parked for row in parked)
    value = "; ".join(f"{count} times {reason}" for reason, count in reasons.most_common(_REASONS))
    return [Finding("records that cannot be indexed", f"{value}; repair tries again", well=False)]


async def _embedder(services: Services) -> Finding:
    embedder = services.indexer.embedder
    if embedder is None:
        return Finding("embedder", "none: keywords and graph only")
    try:
        return Finding("embedder", f"{embedder.identity}, {await embedder.size()} numbers")
    except GraphmemError as error:
        return Finding("embedder", f"{embedder.identity}: {error}", well=False)


async def _index(services: Services) -> Finding:
    index = services.indexer.index
    if index is None:
        return Finding("vector index", "none: keywords come from the graph store")
    try:
        info, count = await index.info(), await index.count()
    except GraphmemError as error:
        return Finding("vector index", str(error), well=False)
    points = f"{count} points of {info.embedder}"
    if not count and await services.store.scopes():
        return Finding("vector index", f"{points}; the next search or write fills it", well=False)
    return Finding("vector index", f"{points}; {info.note}" if info.note else points)
