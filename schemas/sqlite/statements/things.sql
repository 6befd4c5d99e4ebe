-- Statements that read what outbox rows name.

-- name: things.records
SELECT f.*
FROM json_each(:facts) j CROSS JOIN fact_records f ON f.sid = :sid AND f.id = j.value
ORDER BY f.created_at, f.record;

-- name: things.entities
SELECT e.* FROM json_each(:ids) j CROSS JOIN entities e ON e.sid = :sid AND e.id = j.value;

-- name: things.episodes
SELECT e.* FROM json_each(:ids) j CROSS JOIN episodes e ON e.sid = :sid AND e.id = j.value;

-- Both are the first step into an index.
-- name: things.labelled
SELECT EXISTS (SELECT 1 FROM episodes WHERE sid = :sid AND session >= '')
    OR EXISTS (SELECT 1 FROM episodes WHERE sid = :sid AND agent IS NOT NULL);

-- name: things.labels
SELECT DISTINCT f.record, e.session, e.agent
FROM json_each(:facts) j
CROSS JOIN fact_records f ON f.sid = :sid AND f.id = j.value
CROSS JOIN fact_claims r ON r.sid = f.sid AND r.fact = f.id
    AND r.created_at <= f.expired_at - 1 AND r.expired_at > f.expired_at - 1
CROSS JOIN claims c ON c.sid = r.sid AND c.id = r.claim
CROSS JOIN episodes e ON e.sid = c.sid AND e.id = c.episode
WHERE e.session IS NOT NULL OR e.agent IS NOT NULL;
