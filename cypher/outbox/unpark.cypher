// Brings outbox rows back that were put aside, of one scope or of all.
// Parameters, in $p: sid STRING or null.
// Returns: count INTEGER.
MATCH (o:Outbox)
USING INDEX SEEK o:Outbox(parked_at)
WHERE o.parked_at > 0 AND ($p.sid IS NULL OR o.sid = $p.sid)
REMOVE o.parked, o.parked_at
RETURN count(o) AS count
