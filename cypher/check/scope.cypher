// Reads what a scope says of itself.
// Parameters, in $p: sid STRING.
// Returns: points INTEGER, records with keywords; selves INTEGER, things that are its own user.
MATCH (s:Scope {id: $p.sid})
USING INDEX SEEK s:Scope(id)
RETURN s.points AS points, COUNT { MATCH (s)-[:SELF]->(:Entity) } AS selves
