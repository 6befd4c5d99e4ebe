// Reads a scope's own user.
// Parameters, in $p: sid STRING.
// Returns: entity MAP.
MATCH (:Scope {id: $p.sid})-[:SELF]->(e:Entity)
RETURN e {.*, terms: null, weights: null} AS entity
