// Notes how far the index is told of an erased scope.
// Parameters, in $p: sid, told STRING; telling STRING or null, when it is told all.
// Returns: nothing.
MATCH (s:Scope {id: $p.sid})
USING INDEX SEEK s:Scope(id)
SET s.telling = $p.telling, s.told = $p.told
FINISH
