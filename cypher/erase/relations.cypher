// Removes what ties the things of an erased scope to each other, so much at most, while no other sweep
// is at it.
// Parameters, in $p: sid STRING; dead BOOLEAN, true; limit INTEGER.
// Returns: removed INTEGER.
MATCH (s:Scope {id: $p.sid})
USING INDEX SEEK s:Scope(id)
SET s.locked = true
WITH s
WHERE s.dead = $p.dead
CALL (s) {
  MATCH (n:Entity)
  USING INDEX SEEK n:Entity(sid, id)
  WHERE n.sid = s.id AND n.id IS NOT NULL
  MATCH (n)-[r]->(:Entity)
  WITH r
  LIMIT $p.limit
  DELETE r
  RETURN count(*) AS removed
}
RETURN removed
