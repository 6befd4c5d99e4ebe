// Reads the oldest outbox rows that were put aside.
// Parameters, in $p: limit INTEGER.
// Returns: rows LIST of MAP.
MATCH (o:Outbox)
USING INDEX SEEK o:Outbox(parked_at)
WHERE o.parked_at > 0
WITH o
ORDER BY o.seq
LIMIT $p.limit
MATCH (s:Scope {id: o.sid})
USING INDEX SEEK s:Scope(id)
WITH o, s
ORDER BY o.seq
RETURN collect(o {.*, tenant: s.tenant, user: s.user}) AS rows
