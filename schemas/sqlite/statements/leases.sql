-- Statements by which indexers share the outbox. A lease that has run out is none.

-- name: lease.barred
SELECT EXISTS (SELECT 1 FROM leases WHERE sid = 0 AND owner <> :owner AND until > :now);

-- name: lease.rows
SELECT o.seq, s.tenant, s.user, o.kind, o.id, o.change, o.removed, c.at, o.parked, o.sid
FROM outbox o JOIN scopes s ON s.sid = o.sid
LEFT JOIN changes c ON c.sid = o.sid AND c.number = o.change
WHERE o.parked IS NULL AND NOT EXISTS (
    SELECT 1 FROM leases l WHERE l.sid = o.sid AND l.owner <> :owner AND l.until > :now
)
ORDER BY o.seq
LIMIT :limit;

-- name: lease.held
SELECT s.tenant, s.user
FROM leases l JOIN scopes s ON s.sid = l.sid
WHERE l.owner <> :owner AND l.until > :now
    AND EXISTS (SELECT 1 FROM outbox o WHERE o.sid = l.sid AND o.parked IS NULL);

-- name: lease.others
SELECT EXISTS (SELECT 1 FROM leases WHERE owner <> :owner AND until > :now);

-- name: lease.other
SELECT EXISTS (
    SELECT 1 FROM leases WHERE sid IN (:sid, 0) AND owner <> :owner AND until > :now
);

-- name: lease.take
INSERT INTO leases (sid, owner, until) VALUES (:sid, :owner, :until)
ON CONFLICT (sid) DO UPDATE SET owner = excluded.owner, until = excluded.until;

-- name: lease.renew
UPDATE leases SET until = :until WHERE owner = :owner;

-- name: lease.release_scopes
DELETE FROM leases WHERE owner = :owner AND sid <> 0;

-- name: lease.release
DELETE FROM leases WHERE owner = :owner OR until <= :now;

-- name: outbox.park
UPDATE outbox SET parked = :reason WHERE seq = :seq;

-- name: outbox.parked
SELECT o.seq, s.tenant, s.user, o.kind, o.id, o.change, o.removed, c.at, o.parked
FROM outbox o JOIN scopes s ON s.sid = o.sid
LEFT JOIN changes c ON c.sid = o.sid AND c.number = o.change
WHERE o.parked IS NOT NULL
ORDER BY o.seq
LIMIT :limit;

-- name: outbox.unpark
UPDATE outbox SET parked = NULL WHERE parked IS NOT NULL;

-- name: outbox.unpark_scope
UPDATE outbox SET parked = NULL WHERE parked IS NOT NULL AND sid = :sid;
