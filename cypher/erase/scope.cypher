// Removes the node of an erased scope with its lease, once nothing of it waits to be told; or counts
// what waits.
// Parameters, in $p: sid STRING; dead BOOLEAN, true.
// Returns: unsettled INTEGER, rows of the outbox.
MATCH (s:Scope {id: $p.sid})
USING INDEX SEEK s:Scope(id)
SET s.locked = true
WITH s
WHERE s.dead = $p.dead
WITH s, COUNT {
  MATCH (o:Outbox)
  USING INDEX SEEK o:Outbox(sid, kind, id)
  WHERE o.sid = s.id AND o.kind IS NOT NULL AND o.id IS NOT NULL
} AS unsettled
CALL (s, unsettled) {
  WITH s, unsettled
  WHERE unsettled = 0
  OPTIONAL MATCH (l:Lease {sid: s.id})
  USING INDEX SEEK l:Lease(sid)
  DETACH DELETE l, s
}
RETURN unsettled
