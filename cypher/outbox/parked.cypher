// Reads the oldest outbox rows that were put aside.
// Parameters, in $p: since, limit INTEGER.
// Returns: row MAP.
MATCH (o:Outbox)
USING INDEX SEEK o:Outbox(parked_at)
WHERE o.parked_at > $p.since
WITH o
ORDER BY o.seq
LIMIT $p.limit
MATCH (s:Scope {id: o.sid})
RETURN o {.*, tenant: s.tenant, user: s.user} AS row
ORDER BY row.seq
