"""Values to JSON objects with stable field names: what the command line and servers print.

Times are ISO text in the memory's zone, null where there is none. Ids are whole.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo
from typing import TYPE_CHECKING, Any, TypeVar

from graphmem.model.claim import LinkedClaim, Mention
from graphmem.model.dates import fact_words, iso
from graphmem.model.draft import Usage
from graphmem.model.entity import Suggestion, Value, ValueKind
from graphmem.model.episode import Episode
from graphmem.model.estimate import Estimate
from graphmem.model.explanation import Explanation
from graphmem.model.fact import Cause, Fact
from graphmem.model.receipt import ErasureReceipt, Receipt
from graphmem.model.search import Context, EntityView, Hit, Page, SearchResult, Source
from graphmem.model.time import Bound, Stated

if TYPE_CHECKING:  # these bring the engine, which help must not wait for
    from graphmem.usecases.doctor import Report
    from graphmem.usecases.indexing import IndexState
    from graphmem.usecases.migrate import Migration
    from graphmem.usecases.transfer import Transfer
    from graphmem.usecases.upkeep import VerifyReport

Json = dict[str, Any]  # Any: a JSON object.
T = TypeVar("T")


def value_json(value: Value | None) -> Json | None:
    """An entity has its id, a literal its text."""
    if value is None:
        return None
    if value.kind is ValueKind.ENTITY:
        return {"kind": "entity", "id": value.key, "text": value.text}
    return {"kind": value.kind.value, "text": value.text}


def bound_json(bound: Bound | None, zone: tzinfo) -> Json | None:
    """Both readings, whether it was stated, and the words it came from."""
    if bound is None:
        return None
    return {
        "earliest": None if bound.earliest is None else iso(bound.earliest, zone),
        "latest": iso(bound.latest, zone),
        "stated": bound.stated,
        "phrase": bound.phrase,
    }


def cause_json(cause: Cause | None) -> Json | None:
    """What ended or retracted something."""
    if cause is None:
        return None
    return {"rule": cause.rule, "claim": cause.claim, "reason": cause.reason}


def fact_json(fact: Fact, zone: tzinfo) -> Json:
    """One record of a fact; ``when`` is the interval in words."""
    return {
        "id": fact.id,
        "statement": fact.statement,
        "subject": value_json(fact.subject),
        "predicate": fact.predicate,
        "object": value_json(fact.object),
        "polarity": fact.polarity.value,
        "modality": fact.modality.value,
        "status": fact.status.value,
        "qualifiers": dict(fact.qualifiers),
        "when": fact_words(fact, zone),
        "valid_from": bound_json(fact.interval.start, zone),
        "valid_to": bound_json(fact.interval.end, zone),
        "event": fact.event,
        "confidence": fact.confidence,
        "importance": fact.importance,
        "said_at": iso(fact.said.at, zone),
        "claims": list(fact.claims),
        "cause": cause_json(fact.cause),
        "record": fact.record,
        "created_at": iso(fact.created_at, zone),
        "expired_at": iso(fact.expired_at, zone),
        "successor": fact.successor,
    }


def episode_json(episode: Episode, zone: tzinfo) -> Json:
    """One turn."""
    return {
        "id": episode.id,
        "session": episode.session,
        "agent": episode.agent,
        "role": episode.role.value,
        "speaker": episode.speaker,
        "content": episode.content,
        "occurred_at": iso(episode.occurred_at, zone),
        "time_given": episode.time_given,
        "zone": episode.zone,
        "created_at": iso(episode.created_at, zone),
        "channel": episode.channel.value,
        "reading": episode.reading.value,
        "reason": episode.reason,
    }


def _mention_json(mention: Mention | None) -> Json | None:
    if mention is None:
        return None
    return {"text": mention.text, "kind": mention.kind.value, "is_self": mention.is_self}


def _stated_json(stated: Stated | None, zone: tzinfo) -> Json | None:
    if stated is None:
        return None
    span = stated.span
    return {
        "phrase": stated.phrase,
        "first": iso(span.first, zone) if span else None,
        "after": iso(span.after, zone) if span else None,
        "grain": span.grain.value if span else None,
    }


def claim_json(linked: LinkedClaim, zone: tzinfo) -> Json:
    """One thing an episode says, with its words and what they are linked to."""
    claim = linked.claim
    return {
        "id": claim.id,
        "episode": claim.episode,
        "statement": claim.statement,
        "quote": claim.quote,
        "said_at": iso(claim.said.at, zone),
        "subject": _mention_json(claim.subject),
        "predicate": claim.predicate,
        "object": _mention_json(claim.object),
        "polarity": claim.polarity.value,
        "modality": claim.modality.value,
        "form": claim.form.value,
        "start": _stated_json(claim.start, zone),
        "end": _stated_json(claim.end, zone),
        "qualifiers": dict(claim.qualifiers),
        "beside": claim.beside,
        "source": claim.source.value,
        "authority": claim.authority,
        "confidence": claim.confidence,
        "importance": claim.importance,
        "withdrawn": linked.withdrawn,
        "linked_subject": linked.link.subject,
        "linked_object": value_json(linked.link.object),
    }


def source_json(source: Source, zone: tzinfo) -> Json:
    """Where a hit comes from."""
    return {
        "episode": source.episode,
        "speaker": source.speaker,
        "quote": source.quote,
        "occurred_at": iso(source.occurred_at, zone),
    }


def hit_json(hit: Hit, zone: tzinfo) -> Json:
    """One answer."""
    return {
        "id": hit.id,
        "kind": hit.kind.value,
        "text": hit.text,
        "score": hit.score,
        "parts": dict(hit.parts),
        "label": hit.label,
        "certainty": hit.certainty.value,
        "why": hit.why,
        "turn": hit.turn,
        "path": [fact_json(fact, zone) for fact in hit.path],
        "sources": [source_json(source, zone) for source in hit.sources],
        "fact": fact_json(hit.fact, zone) if hit.fact else None,
        "episode": episode_json(hit.episode, zone) if hit.episode else None,
    }


def result_json(result: SearchResult, zone: tzinfo) -> Json:
    """Answers, best first."""
    return {
        "hits": [hit_json(hit, zone) for hit in result.hits],
        "hidden": result.hidden,
        "notes": list(result.notes),
        "channels": list(result.channels),
    }


def context_json(context: Context, zone: tzinfo) -> Json:
    """A packed context."""
    return {
        "text": context.text,
        "tokens": context.tokens,
        "omitted": context.omitted,
        "notes": list(context.notes),
        "hits": [hit_json(hit, zone) for hit in context.hits],
    }


def page_json(page: Page[T], each: Callable[[T], Json]) -> Json:
    """Part of a listing; ``cursor`` is null at its end."""
    return {"items": [each(i) for i in page.items], "total": page.total, "cursor": page.cursor}


def receipt_json(receipt: Receipt, zone: tzinfo) -> Json:
    """What a write did."""
    return {
        "turns": [
            {
                "index": turn.index,
                "state": turn.state.value,
                "episode": turn.episode,
                "reason": turn.reason,
                "unmatched": turn.unmatched,
            }
            for turn in receipt.turns
        ],
        "facts": [
            {
                "change": outcome.change.value,
                "cause": cause_json(outcome.cause),
                "fact": fact_json(outcome.fact, zone),
            }
            for outcome in receipt.outcomes
        ],
        "refused": [
            {"kind": refusal.kind, "count": refusal.count, "reason": refusal.reason}
            for refusal in receipt.refused
        ],
        "usage": usage_json(receipt.usage),
        "steps": {step: usage_json(usage) for step, usage in receipt.steps.items()},
        "notes": list(receipt.notes),
    }


def usage_json(usage: Usage) -> Json:
    """What calls of a model cost."""
    return {
        "calls": usage.calls,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cached_tokens": usage.cached_tokens,
        "estimated": usage.estimated,
        "seconds": round(usage.seconds, 3),
    }


def estimate_json(estimate: Estimate) -> Json:
    """What reading turns would cost."""
    return {
        "turns": estimate.turns,
        "known": estimate.known,
        "read": estimate.read,
        "calls": estimate.calls,
        "prompt_tokens": estimate.prompt_tokens,
        "static_tokens": estimate.static_tokens,
        "said_tokens": estimate.said_tokens,
        "completion_tokens": estimate.completion_tokens,
    }


def erasure_json(receipt: ErasureReceipt, zone: tzinfo) -> Json:
    """What an erasure removed."""
    return {
        "removed": dict(receipt.removed),
        "reopened": [fact_json(fact, zone) for fact in receipt.reopened],
        "clean": receipt.clean,
        "waiting": list(receipt.waiting),
    }


def entity_json(view: EntityView, zone: tzinfo) -> Json:
    """An entity, and how many live facts touch it."""
    entity = view.entity
    return {
        "id": entity.id,
        "name": entity.name,
        "types": list(entity.types),
        "aliases": list(entity.aliases),
        "is_self": entity.is_self,
        "merged_into": entity.merged_into,
        "created_at": iso(entity.created_at, zone),
        "facts": view.facts,
    }


def suggestion_json(suggestion: Suggestion, zone: tzinfo) -> Json:
    """Two entities that may be one."""
    return {
        "id": suggestion.id,
        "first": suggestion.first,
        "second": suggestion.second,
        "reason": suggestion.reason,
        "state": suggestion.state.value,
        "created_at": iso(suggestion.created_at, zone),
    }


def explanation_json(explanation: Explanation, zone: tzinfo) -> Json:
    """Why a fact is what it is."""
    ended_by, replaced_by = explanation.ended_by, explanation.replaced_by
    return {
        "fact": fact_json(explanation.fact, zone),
        "why": explanation.why,
        "claims": [claim_json(claim, zone) for claim in explanation.claims],
        "sources": [source_json(source, zone) for source in explanation.sources],
        "ended_by": source_json(ended_by, zone) if ended_by else None,
        "replaced_by": fact_json(replaced_by, zone) if replaced_by else None,
        "ended": [fact_json(fact, zone) for fact in explanation.ended],
    }


def transfer_json(transfer: Transfer) -> Json:
    """What an export or import moved."""
    return {
        "path": transfer.path,
        "scopes": transfer.scopes,
        "rows": transfer.rows,
        "new": transfer.new,
        "notes": list(transfer.notes),
    }


def migration_json(migration: Migration) -> Json:
    """What a migration copied, and from where to where."""
    return {
        "source": migration.source,
        "target": migration.target,
        "scopes": migration.scopes,
        "rows": migration.rows,
        "new": migration.new,
        "indexed": migration.indexed,
        "notes": list(migration.notes),
    }


def verify_json(report: VerifyReport) -> Json:
    """How store and index compare; counts of what is wrong."""
    from graphmem.usecases.upkeep import Trouble

    return {
        "clean": report.clean,
        "backlog": report.backlog,
        "parked": [
            {
                "tenant": row.scope.tenant,
                "user": row.scope.user,
                "kind": row.kind.value,
                "id": row.id,
                "reason": row.parked,
            }
            for row in report.parked
        ],
        "findings": list(report.findings),
        "extra": len(report.extra),
        "scopes": [
            {
                "tenant": one.scope.tenant,
                "user": one.scope.user,
                "points": one.points,
                "missing": one.count(Trouble.MISSING),
                "stale": one.count(Trouble.STALE),
                "unembedded": one.count(Trouble.UNEMBEDDED),
            }
            for one in report.scopes
        ],
        "notes": list(report.notes),
    }


def index_json(state: IndexState) -> Json:
    """What building the index anew did."""
    return {
        "applied": state.applied,
        "backlog": state.backlog,
        "unembedded": state.unembedded,
        "notes": list(state.notes),
    }


def report_json(report: Report) -> Json:
    """What the doctor found."""
    return {
        "well": report.well,
        "findings": [
            {"name": item.name, "value": item.value, "well": item.well} for item in report.findings
        ],
    }
