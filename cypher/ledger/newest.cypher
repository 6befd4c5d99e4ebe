// Reads which migration was applied last. In a new database there is no index for it yet.
// Parameters, in $p: none.
// Returns: number INTEGER or null.
MATCH (m:Migration)
WHERE m.number IS NOT NULL
RETURN max(m.number) AS number
