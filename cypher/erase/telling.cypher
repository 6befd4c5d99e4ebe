// Takes the lock of an erased scope and reads how far the index is told of it.
// Parameters, in $p: sid STRING; dead BOOLEAN, true.
// Returns: telling STRING, the kind it is at; told STRING, the last thing; at, number INTEGER, of the
//   scope's last change.
MATCH (s:Scope {id: $p.sid})
USING INDEX SEEK s:Scope(id)
SET s.locked = true
WITH s
WHERE s.dead = $p.dead AND s.telling IS NOT NULL
RETURN s.telling AS telling, s.told AS told, s.at AS at, s.number AS number
