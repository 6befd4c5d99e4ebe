// Removes changes of an erased scope, so many at most, while no other sweep is at it.
// Parameters, in $p: sid STRING; dead BOOLEAN, true; limit INTEGER.
// Returns: removed INTEGER.
MATCH (s:Scope {id: $p.sid})
USING INDEX SEEK s:Scope(id)
SET s.locked = true
WITH s
WHERE s.dead = $p.dead
CALL (s) {
  MATCH (n:Change)
  USING INDEX SEEK n:Change(sid, number)
  WHERE n.sid = s.id AND n.number IS NOT NULL
  WITH n
  LIMIT $p.limit
  DETACH DELETE n
  RETURN count(*) AS removed
}
RETURN removed
