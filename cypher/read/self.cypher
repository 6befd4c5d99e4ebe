// Reads a scope's own user.
// Parameters, in $p: key STRING, of the scope.
// Returns: entity MAP.
MATCH (:Scope {key: $p.key})-[:SELF]->(e:Entity)
RETURN e {.*, terms: null, weights: null} AS entity
