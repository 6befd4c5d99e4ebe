// Reads a scope's last record time and change number.
// Parameters, in $p: sid STRING.
// Returns: at, number INTEGER.
MATCH (s:Scope {id: $p.sid})
USING INDEX SEEK s:Scope(id)
RETURN s.at AS at, s.number AS number
