-- Statements that a write looks around with: no totals, a few rows each.

-- name: glance.named
SELECT name, types FROM entities WHERE sid = :sid AND merged_into IS NULL AND is_self = 0
ORDER BY created_at DESC, key DESC LIMIT :limit;

-- name: glance.there
SELECT 1
FROM json_each(:keys) j CROSS JOIN episodes e ON e.sid = :sid AND e.key = plain(j.value)
    AND e.key IS NOT NULL
LIMIT 1;

-- name: glance.entities
SELECT * FROM entities WHERE sid = :sid AND merged_into IS NULL
ORDER BY created_at DESC, key DESC LIMIT :limit;

-- name: glance.statements
SELECT statement FROM fact_records
WHERE sid = :sid AND status = 'held' AND expired_at = 4611686018427387904
ORDER BY said_at DESC, said_turn DESC, said_place DESC, record LIMIT :limit;

-- name: glance.episodes
SELECT * FROM episodes WHERE sid = :sid AND session = :session AND occurred_at < :before
ORDER BY occurred_at DESC, place DESC, id DESC LIMIT :limit;

-- Words that more than ``most`` names hold tell nothing, and are passed over.
-- name: alike.words
WITH telling AS (
    SELECT j.value AS word
    FROM json_each(:words) j
    WHERE (
        SELECT count(*) FROM (
            SELECT 1 FROM entity_words w WHERE w.sid = :sid AND w.word = j.value LIMIT :most + 1
        )
    ) <= :most
)
SELECT e.*
FROM (
    SELECT w.entity AS row, round(sum(w.weight), 9) AS score
    FROM telling t CROSS JOIN entity_words w ON w.sid = :sid AND w.word = t.word
    GROUP BY w.entity
) t
CROSS JOIN entities e ON e.row = t.row
ORDER BY t.score DESC, e.key
LIMIT :limit;

-- name: alike.keys
SELECT e.*
FROM json_each(:keys) j CROSS JOIN entity_names n ON n.sid = :sid AND n.key = plain(j.value)
CROSS JOIN entities e ON e.row = n.entity
WHERE e.merged_into IS NULL
ORDER BY e.created_at DESC, e.key DESC;
