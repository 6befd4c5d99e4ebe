// Reads which things may be one, newest first.
// Parameters, in $p: sid STRING.
// Returns: rows LIST of MAP.
MATCH (a:Entity)-[r:SAME_AS]->(b:Entity)
WHERE r.sid = $p.sid AND r.id IS NOT NULL
WITH r, a.key AS first, b.key AS second
ORDER BY r.created_at DESC, first, second, r.id
RETURN collect(properties(r)) AS rows
