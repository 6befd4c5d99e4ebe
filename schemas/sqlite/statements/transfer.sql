-- Statements that export a scope: kinds in this order, rows by record time, then id.

-- name: export.scope
SELECT tenant, user, at, number FROM scopes WHERE sid = :sid;

-- name: export.episode
SELECT id, key, session, agent, place, role, speaker, content, occurred_at, zone, time_given,
    created_at, channel, digest, reading, reason
FROM episodes WHERE sid = :sid ORDER BY created_at, id;

-- name: export.entity
SELECT id, name, key, types, aliases, is_self, merged_into, created_at
FROM entities WHERE sid = :sid ORDER BY created_at, id;

-- name: export.claim
SELECT id, episode, session, subject, predicate, object, polarity, modality, form, start, "end",
    qualifiers, beside, correction, quote, said_at, said_turn, said_place, source, authority,
    confidence, importance, statement, created_at
FROM claims WHERE sid = :sid ORDER BY created_at, id;

-- name: export.link
SELECT claim, subject, predicate, object_kind, object_key, object_text, polarity, created_at,
    expired_at
FROM claim_links WHERE sid = :sid ORDER BY created_at, claim;

-- name: export.withdrawal
SELECT claim, reason, created_at, expired_at
FROM withdrawals WHERE sid = :sid ORDER BY created_at, claim;

-- name: export.fact
SELECT record, id, subject_kind, subject_key, subject_text, predicate, object_kind, object_key,
    object_text, polarity, modality, qualifiers, statement, start, "end", status, event,
    confidence, importance, said_at, said_turn, said_place, cause_rule, cause_claim, cause_reason,
    created_at, expired_at
FROM fact_records WHERE sid = :sid ORDER BY created_at, record;

-- name: export.rests
SELECT fact, claim, created_at, expired_at
FROM fact_claims WHERE sid = :sid ORDER BY created_at, fact, claim;

-- name: export.successor
SELECT fact, successor, created_at FROM successors WHERE sid = :sid ORDER BY created_at, fact;

-- name: export.suggestion
SELECT id, first, second, reason, state, created_at
FROM suggestions WHERE sid = :sid ORDER BY created_at, id;

-- name: export.change
SELECT number, at, change_id FROM changes WHERE sid = :sid ORDER BY at, number;

-- Whether a row of a kind is there already.

-- name: load.has_episode
SELECT 1 FROM episodes WHERE sid = :sid AND id = :id;

-- name: load.has_entity
SELECT 1 FROM entities WHERE sid = :sid AND id = :id;

-- name: load.has_claim
SELECT 1 FROM claims WHERE sid = :sid AND id = :id;

-- name: load.has_link
SELECT 1 FROM claim_links WHERE sid = :sid AND claim = :claim AND created_at = :created_at;

-- name: load.has_withdrawal
SELECT 1 FROM withdrawals WHERE sid = :sid AND claim = :claim AND created_at = :created_at;

-- name: load.has_fact
SELECT 1 FROM fact_records WHERE sid = :sid AND record = :record;

-- name: load.has_rests
SELECT 1 FROM fact_claims
WHERE sid = :sid AND fact = :fact AND claim = :claim AND created_at = :created_at;

-- name: load.has_successor
SELECT 1 FROM successors WHERE sid = :sid AND fact = :fact;

-- name: load.has_suggestion
SELECT 1 FROM suggestions WHERE sid = :sid AND id = :id;

-- name: load.has_change
SELECT 1 FROM changes WHERE sid = :sid AND number = :number;
