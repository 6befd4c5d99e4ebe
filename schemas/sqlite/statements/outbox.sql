-- Statements of the outbox, the scopes and the meta table.

-- name: outbox.drop_unsent
DELETE FROM outbox WHERE sid = :sid AND kind = :kind AND id = :id AND removed = '[]';

-- name: outbox.insert
INSERT INTO outbox (sid, kind, id, change, removed) VALUES (:sid, :kind, :id, :change, :removed);

-- name: outbox.read
SELECT o.seq, s.tenant, s.user, o.kind, o.id, o.change, o.removed, c.at, o.parked
FROM outbox o JOIN scopes s ON s.sid = o.sid
LEFT JOIN changes c ON c.sid = o.sid AND c.number = o.change
WHERE o.seq > :after AND o.parked IS NULL
ORDER BY o.seq
LIMIT :limit;

-- name: outbox.waiting
SELECT seq, kind, id FROM outbox WHERE seq > 0 AND parked IS NULL ORDER BY seq LIMIT :limit;

-- name: outbox.settle
DELETE FROM outbox WHERE seq IN (SELECT value FROM json_each(:seqs));

-- name: outbox.count
SELECT (SELECT count(*) FROM outbox) - (SELECT count(*) FROM outbox WHERE parked IS NOT NULL);

-- name: outbox.drop_scope
DELETE FROM outbox WHERE sid = :sid AND removed = '[]';

-- name: outbox.requeue_episodes
INSERT INTO outbox (sid, kind, id, change, removed)
SELECT e.sid, 'chunk', e.id, s.number, '[]'
FROM episodes e JOIN scopes s ON s.sid = e.sid WHERE e.sid = :sid ORDER BY e.row;

-- name: outbox.requeue_entities
INSERT INTO outbox (sid, kind, id, change, removed)
SELECT e.sid, 'entity', e.id, s.number, '[]'
FROM entities e JOIN scopes s ON s.sid = e.sid WHERE e.sid = :sid ORDER BY e.row;

-- name: outbox.requeue_facts
INSERT INTO outbox (sid, kind, id, change, removed)
SELECT f.sid, 'fact', f.id, s.number, '[]'
FROM fact_records f JOIN scopes s ON s.sid = f.sid
WHERE f.sid = :sid GROUP BY f.id ORDER BY min(f.row);

-- name: outbox.forget_episodes
INSERT INTO outbox (sid, kind, id, change, removed)
SELECT :sid, 'chunk', e.id, :change, json_group_array(d.ref)
FROM documents d JOIN episodes e ON e.row = d.target
WHERE d.sid = :sid AND d.kind = 'chunk' GROUP BY e.row;

-- name: outbox.forget_entities
INSERT INTO outbox (sid, kind, id, change, removed)
SELECT :sid, 'entity', e.id, :change, json_array(e.id) FROM entities e WHERE e.sid = :sid;

-- name: outbox.forget_facts
INSERT INTO outbox (sid, kind, id, change, removed)
SELECT :sid, 'fact', f.id, :change, json_group_array(f.record)
FROM fact_records f WHERE f.sid = :sid GROUP BY f.id;

-- name: scope.list
SELECT tenant, user FROM scopes WHERE dead = 0 ORDER BY tenant, user;

-- name: scope.unread
SELECT count(*)
FROM scopes CROSS JOIN episodes ON episodes.sid = scopes.sid
WHERE scopes.dead = 0 AND episodes.reading = :reading;

-- name: scope.sids
SELECT sid FROM scopes WHERE dead = 0;

-- name: scope.kill
UPDATE scopes SET dead = 1 WHERE sid = :sid;

-- name: scope.counts
SELECT
    (SELECT count(*) FROM episodes WHERE sid = :sid) AS episodes,
    (SELECT count(*) FROM entities WHERE sid = :sid) AS entities,
    (SELECT count(*) FROM claims WHERE sid = :sid) AS claims,
    (SELECT count(DISTINCT id) FROM fact_records WHERE sid = :sid) AS facts,
    (SELECT count(*) FROM fact_records WHERE sid = :sid) AS records,
    (SELECT count(*) FROM suggestions WHERE sid = :sid) AS suggestions;

-- name: meta.get
SELECT value FROM meta WHERE key = :key;

-- name: meta.list
SELECT key, value FROM meta WHERE key >= :prefix AND key < :prefix || char(1114111);

-- name: meta.put
INSERT INTO meta (key, value) VALUES (:key, :value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- name: meta.first
INSERT INTO meta (key, value) VALUES (:key, :value)
ON CONFLICT (key) DO NOTHING;

-- name: meta.swap
INSERT INTO meta (key, value) SELECT :key, :value
WHERE coalesce((SELECT value FROM meta WHERE key = :key), '') = :before
ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- Counters of erasures never go down, so that two processes that sweep at once cannot take one
-- erasure for another.

-- name: meta.bump
INSERT INTO meta (key, value) VALUES (:key, '1')
ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT);

-- name: meta.raise
INSERT INTO meta (key, value) VALUES (:key, :value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value
WHERE CAST(excluded.value AS INTEGER) > CAST(value AS INTEGER);

-- name: meta.counter
SELECT CAST(value AS INTEGER) FROM meta WHERE key = :key;
