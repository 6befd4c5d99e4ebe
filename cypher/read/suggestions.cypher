// Reads which things may be one, newest first.
// Parameters, in $p: sid STRING.
// Returns: suggestion MAP.
MATCH ()-[r:SAME_AS]->()
WHERE r.sid = $p.sid AND r.id IS NOT NULL
WITH r
ORDER BY r.created_at DESC, r.id
RETURN properties(r) AS suggestion
