// Finds the node of a living scope.
// Parameters, in $p: key STRING of the scope.
// Returns: sid STRING the scope's node id; at, number INTEGER, of its last change.
MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
RETURN s.id AS sid, s.at AS at, s.number AS number
