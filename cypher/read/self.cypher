// Reads a scope's own user.
// Parameters, in $p: key STRING, of the scope.
// Returns: entity MAP.
MATCH (s:Scope {key: $p.key})-[:SELF]->(e:Entity)
USING INDEX SEEK s:Scope(key)
RETURN e {.*, terms: null, weights: null} AS entity
