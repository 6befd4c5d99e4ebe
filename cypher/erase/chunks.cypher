// Removes pieces of turns of an erased scope, so many at most, while no other sweep is at it.
// Parameters, in $p: sid STRING; dead BOOLEAN, true; limit INTEGER.
// Returns: removed INTEGER.
MATCH (s:Scope {id: $p.sid})
USING INDEX SEEK s:Scope(id)
SET s.locked = true
WITH s
WHERE s.dead = $p.dead
CALL (s) {
  MATCH (n:Chunk)
  USING INDEX SEEK n:Chunk(sid, id)
  WHERE n.sid = s.id AND n.id IS NOT NULL
  WITH n
  LIMIT $p.limit
  DETACH DELETE n
  RETURN count(*) AS removed
}
RETURN removed
