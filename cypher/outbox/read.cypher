// Reads the oldest outbox rows behind a number, those put aside apart.
// Parameters, in $p: after, limit INTEGER.
// Returns: rows LIST of MAP.
MATCH (o:Outbox)
USING INDEX SEEK o:Outbox(seq)
WHERE o.seq > $p.after AND o.parked IS NULL
WITH o
ORDER BY o.seq
LIMIT $p.limit
MATCH (s:Scope {id: o.sid})
USING INDEX SEEK s:Scope(id)
WITH o, s
ORDER BY o.seq
RETURN collect(o {.*, tenant: s.tenant, user: s.user}) AS rows
