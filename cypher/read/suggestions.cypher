// Reads which things may be one, newest first.
// Parameters, in $p: key STRING, of the scope.
// Returns: rows LIST of MAP.
MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
WITH s.id AS sid
MATCH ()-[r:SAME_AS]->()
USING INDEX SEEK r:SAME_AS(sid, id)
WHERE r.sid = sid AND r.id IS NOT NULL
WITH r, startNode(r).key AS first, endNode(r).key AS second
ORDER BY r.created_at DESC, first, second, r.id
RETURN collect(properties(r)) AS rows
