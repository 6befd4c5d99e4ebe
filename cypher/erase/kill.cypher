// Makes a scope invisible; what the index must be told of it begins with its first kind of thing.
// Parameters, in $p: sid STRING; telling STRING, a kind.
// Returns: nothing.
MATCH (s:Scope {id: $p.sid})
USING INDEX SEEK s:Scope(id)
REMOVE s.key
SET s.dead = true, s.telling = $p.telling, s.told = ''
FINISH
