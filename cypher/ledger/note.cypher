// Notes that a migration was applied.
// Parameters, in $p: number INTEGER; name STRING; at INTEGER microseconds since 1970.
// Returns: nothing.
MERGE (m:Migration {number: $p.number})
ON CREATE SET m.name = $p.name, m.at = $p.at
