-- Statements that answer a question: what its words mean, which candidates there are, and all of
-- those that are shown. ``:at`` is an instant of the record axis, as in read.sql.

-- name: words.entities
SELECT DISTINCT e.*
FROM json_each(:keys) j
CROSS JOIN entity_names n ON n.sid = :sid AND n.key = plain(j.value)
CROSS JOIN entities e ON e.row = n.entity
WHERE e.merged_into IS NULL
ORDER BY e.created_at DESC, e.id DESC
LIMIT :limit;

-- name: outline.facts
SELECT f.record, f.id, f.subject_key, f.subject_text, f.predicate, f.object_kind, f.object_key,
    f.object_text, f.polarity, f.qualifiers, f.statement, f.start, f.importance, f.said_at,
    f.said_turn, f.said_place, (
        SELECT count(*) FROM fact_claims r
        WHERE r.sid = f.sid AND r.fact = f.id AND r.created_at <= :at AND r.expired_at > :at
    ), (
        SELECT max(c.said_at) FROM fact_claims r
        CROSS JOIN claims c ON c.sid = r.sid AND c.id = r.claim
        WHERE r.sid = f.sid AND r.fact = f.id AND r.created_at <= :at AND r.expired_at > :at
    )
FROM json_each(:records) j
CROSS JOIN fact_records f ON f.sid = :sid AND f.record = j.value
WHERE f.sid = :sid;

-- name: outline.listed
SELECT f.record
FROM (
    SELECT row FROM fact_records
    WHERE sid = :sid AND subject_key IN (SELECT value FROM json_each(:around))
        AND predicate IN (SELECT plain(value) FROM json_each(:relations))
    UNION
    SELECT row FROM fact_records
    WHERE sid = :sid AND object_key IN (SELECT value FROM json_each(:around))
        AND predicate IN (SELECT plain(value) FROM json_each(:relations))
) t
CROSS JOIN fact_records f ON f.row = t.row
WHERE f.sid = :sid;

-- name: outline.turns
SELECT e.id, e.session, e.occurred_at, e.place, e.role, e.speaker, e.content
FROM json_each(:ids) j CROSS JOIN episodes e ON e.sid = :sid AND e.id = j.value;

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

-- name: shown.episodes
SELECT e.* FROM json_each(:ids) j CROSS JOIN episodes e ON e.sid = :sid AND e.id = j.value;
