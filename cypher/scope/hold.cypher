// Takes the lock of a living scope; its writers wait until the end of the transaction.
// Parameters, in $p: key STRING of the scope.
// Returns: sid STRING; at, number INTEGER, of its last change.
MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
SET s.locked = true
WITH s
WHERE s.key IS NOT NULL
RETURN s.id AS sid, s.at AS at, s.number AS number
