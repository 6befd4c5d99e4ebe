-- Statements that answer a question: what its words mean, which candidates there are, and all of
-- those that are shown. ``:at`` is an instant of the record axis, as in read.sql.

-- name: words.entities
SELECT DISTINCT e.*
FROM json_each(:keys) j
CROSS JOIN entity_names n ON n.sid = :sid AND n.key = plain(j.value)
CROSS JOIN entities e ON e.row = n.entity
WHERE e.merged_into IS NULL
ORDER BY e.created_at DESC, e.key DESC
LIMIT :limit;

-- name: outline.facts
SELECT f.record, f.id, f.subject_key, f.subject_text, f.predicate, f.object_kind, f.object_key,
    f.object_text, f.polarity, f.qualifiers, f.statement, f.start, f.importance, f.said_at,
    f.said_turn, f.said_place, (
        SELECT count(*) FROM fact_claims r
        WHERE r.sid = f.sid AND r.fact = f.id AND r.created_at <= :at AND r.expired_at > :at
    )
FROM json_each(:records) j
CROSS JOIN fact_records f ON f.sid = :sid AND f.record = j.value
WHERE f.sid = :sid;

-- name: outline.last_said
SELECT r.fact, max(c.said_at)
FROM json_each(:facts) j
CROSS JOIN fact_claims r ON r.sid = :sid AND r.fact = j.value
    AND r.created_at <= :at AND r.expired_at > :at
CROSS JOIN claims c ON c.sid = r.sid AND c.id = r.claim
GROUP BY r.fact;

-- name: outline.resting
SELECT f.record, f.id, f.subject_key, f.subject_text, f.predicate, f.object_kind, f.object_key,
    f.object_text, f.polarity, f.qualifiers, f.statement, f.start, f.importance, f.said_at,
    f.said_turn, f.said_place, (
        SELECT count(*) FROM fact_claims r
        WHERE r.sid = f.sid AND r.fact = f.id AND r.created_at <= :at AND r.expired_at > :at
    )
FROM json_each(:facts) j CROSS JOIN fact_records f ON f.sid = :sid AND f.id = j.value
WHERE f.sid = :sid;

-- name: outline.turns
SELECT e.id, e.session, e.occurred_at, e.place, e.role, e.speaker, e.content
FROM json_each(:ids) j CROSS JOIN episodes e ON e.sid = :sid AND e.id = j.value;

-- name: outline.beside
SELECT DISTINCT n.id
FROM json_each(:ids) j
CROSS JOIN episodes t ON t.sid = :sid AND t.id = j.value
CROSS JOIN episodes n ON n.row IN (
    SELECT row FROM (
        SELECT e.row FROM episodes e
        WHERE e.sid = t.sid AND e.session IS t.session
            AND (e.occurred_at, e.place, e.id) > (t.occurred_at, t.place, t.id)
            AND (:known_at IS NULL OR e.created_at <= :known_at)
            AND (:agents IS NULL OR e.agent IN (SELECT plain(value) FROM json_each(:agents)))
        ORDER BY e.occurred_at, e.place, e.id
        LIMIT 2
    )
    UNION ALL
    SELECT row FROM (
        SELECT e.row FROM episodes e
        WHERE e.sid = t.sid AND e.session IS t.session
            AND (e.occurred_at, e.place, e.id) < (t.occurred_at, t.place, t.id)
            AND (:known_at IS NULL OR e.created_at <= :known_at)
            AND (:agents IS NULL OR e.agent IN (SELECT plain(value) FROM json_each(:agents)))
        ORDER BY e.occurred_at DESC, e.place DESC, e.id DESC
        LIMIT 2
    )
);

-- name: outline.grounds
SELECT c.episode, c.quote <> '', r.fact
FROM json_each(:ids) j
CROSS JOIN claims c ON c.sid = :sid AND c.episode = j.value
LEFT JOIN fact_claims r ON r.sid = c.sid AND r.claim = c.id
    AND r.created_at <= :at AND r.expired_at > :at;

-- name: outline.entities
SELECT e.*
FROM json_each(:ids) j CROSS JOIN entities e ON e.sid = :sid AND e.id = j.value
WHERE e.merged_into IS NULL;

-- name: shown.grounds
SELECT r.fact, c.id, c.statement, c.said_at, c.said_turn, c.said_place, c.quote, e.id, e.speaker,
    e.role, e.occurred_at, e.zone
FROM json_each(:facts) j
CROSS JOIN fact_claims r ON r.sid = :sid AND r.fact = j.value
    AND r.created_at <= :at AND r.expired_at > :at
CROSS JOIN claims c ON c.sid = r.sid AND c.id = r.claim
CROSS JOIN episodes e ON e.sid = c.sid AND e.id = c.episode
ORDER BY c.said_at, c.said_turn, c.said_place, c.id;

-- name: shown.causes
SELECT c.id, c.id, c.statement, c.said_at, c.said_turn, c.said_place, c.quote, e.id, e.speaker,
    e.role, e.occurred_at, e.zone
FROM json_each(:claims) j
CROSS JOIN claims c ON c.sid = :sid AND c.id = j.value
CROSS JOIN episodes e ON e.sid = c.sid AND e.id = c.episode;

-- name: shown.turns
SELECT e.* FROM json_each(:ids) j CROSS JOIN episodes e ON e.sid = :sid AND e.id = j.value;
