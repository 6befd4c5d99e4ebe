// Makes a scope invisible; what the index must be told of it begins with its first kind of thing.
// Parameters, in $p: sid, telling STRING, a kind; erasures STRING, a key of Meta.
// Returns: nothing.
MATCH (s:Scope {id: $p.sid})
REMOVE s.key
SET s.dead = true, s.telling = $p.telling, s.told = ''
MERGE (m:Meta {key: $p.erasures})
SET m.value = toString(coalesce(toInteger(m.value), 0) + 1)
FINISH
