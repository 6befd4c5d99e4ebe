"""What a change set is checked against: asked for in one statement, and kept up to date while the
change is planned, as if each part of it had been written before the next is looked at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from graphmem.adapters.neo4j.names import indexed
from graphmem.adapters.neo4j.rows import Node, Properties, withdrawals_of
from graphmem.adapters.neo4j.tx import Tx
from graphmem.model.changes import ChangeSet
from graphmem.model.claim import Claim
from graphmem.model.rows import claim_from
from graphmem.model.time import FOREVER

_FEW = 32
"""Claims under a fact that are looked through, rather than those of a session."""


class There:
    """What is in the scope of the things a change set names.

    Attributes:
        episodes: ids; keys: what episodes are known by.
        entities: by id, as ``change/there`` returns them; holders: by key, whose it is.
        claims: ids of claims that are there. withdrawn: by claim, its intervals.
        linked: claims whose links may be replaced; live_links: by claim, since when its link is.
        facts: by id, its live record. rests: by fact, its live evidence: claim, since when.
        records: record ids. suggestions: by id, when it was made.
        labels: pairs of fact and episode; the fact's evidence has the episode's labels.
        own: id of the scope's own user.
    """

    def __init__(self, found: Mapping[str, Any], own: str | None) -> None:
        self.own = own
        self.episodes = {row["id"] for row in found["episodes"]}
        self.keys = {row["known_as"] for row in found["episodes"]}
        self.entities: dict[str, Properties] = {
            row["entity"]["id"]: row for row in found["entities"]
        }
        self.holders: dict[str, str] = {row["key"]: row["id"] for row in found["holders"]}
        self.claims = {row["id"] for row in found["claims"]}
        self.withdrawn = {row["id"]: withdrawals_of(row) for row in found["claims"]}
        self.linked: dict[str, Claim] = {
            row["claim"]["id"]: claim_from(Node(row["claim"])) for row in found["linked"]
        }
        self.live_links: dict[str, int] = {
            row["claim"]["id"]: row["live"] for row in found["linked"] if row["live"] is not None
        }
        self.facts: dict[str, Properties] = {row["id"]: row for row in found["facts"]}
        self.rests: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for row in found["resting"]:
            self.rests[row["fact"]][row["claim"]] = row["created_at"]
        self.records = set(found["records"])
        self.suggestions: dict[str, int] = {
            row["id"]: row["created_at"] for row in found["suggestions"]
        }
        self.labels = {(row["fact"], row["episode"]) for row in found["labels"]}


async def there(tx: Tx, sid: str, changes: ChangeSet, own: str | None) -> There:
    """Return what is in the scope of what ``changes`` names."""
    (found,) = await tx.run("change/there", sid=sid, forever=FOREVER, few=_FEW, **wanted(changes))
    return There(found, own)


def wanted(changes: ChangeSet) -> dict[str, list[Any]]:  # Any: ids, or rows
    """Return the parameters of ``change/there`` for a change set."""
    rebuilt = () if changes.erased is None else changes.erased.records
    new = {claim.id: claim for claim in changes.claims}
    more = {rests.fact for rests in changes.rests if rests.more}
    facts = [fact.id for fact in (*changes.facts, *rebuilt)]
    ended = [one.fact for one in changes.gave_way]
    resting = {
        *(fact for fact in (*facts, *ended) if fact not in more),
        *(rests.fact for rests in changes.rests if not rests.more),
    }
    suggested = changes.suggestions
    return {
        "episodes": _ids(
            *(episode.id for episode in changes.episodes),
            *(claim.episode for claim in changes.claims),
            *(mark.episode for mark in changes.reads),
        ),
        "episode_keys": _ids(
            *(indexed(one.key) for one in changes.episodes if one.key is not None)
        ),
        "entities": _ids(
            *(entity.id for entity in changes.entities),
            *(end for one in suggested for end in (one.first, one.second)),
        ),
        "keys": _ids(*(entity.key for entity in changes.entities)),
        "claims": _ids(
            *new,
            *(link.claim for link in changes.links),
            *(withdrawal.claim for withdrawal in changes.withdrawals),
            *(claim for rests in changes.rests for claim in rests.claims),
            *(claim for fact in (*changes.facts, *rebuilt) for claim in fact.claims),
        ),
        "linked": _ids(*(link.claim for link in changes.links if link.claim not in new)),
        "facts": _ids(*facts, *ended, *(rests.fact for rests in changes.rests)),
        "resting": _ids(*resting),
        "records": _ids(*(fact.record for fact in (*changes.facts, *rebuilt))),
        "suggestions": _ids(*(one.id for one in suggested)),
        "labels": _labels(changes, new),
    }


def _labels(changes: ChangeSet, new: Mapping[str, Claim]) -> list[Properties]:
    """Return which labels the evidence of facts may gain, by the episodes of new claims."""
    episodes = {episode.id: episode for episode in changes.episodes}
    rows: dict[tuple[str, str], Properties] = {}
    for rests in changes.rests:
        for claim in (new[one] for one in rests.claims if rests.more and one in new):
            own = episodes.get(claim.episode)
            rows[rests.fact, claim.episode] = {
                "fact": rests.fact,
                "episode": claim.episode,
                "session_key": None if own is None else indexed(own.session),
                "agent_key": None if own is None else indexed(own.agent),
            }
    return list(rows.values())


def _ids(*ids: str) -> list[str]:
    return list(dict.fromkeys(ids))
