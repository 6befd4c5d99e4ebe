// Reads suggestions in order of their ids, a page at a time.
// Parameters, in $p: sid, after STRING; limit INTEGER.
// Returns: rows LIST of MAP.
MATCH ()-[r:SAME_AS]->()
USING INDEX SEEK r:SAME_AS(sid, id)
WHERE r.sid = $p.sid AND r.id > $p.after
WITH r
ORDER BY r.sid, r.id
LIMIT $p.limit
RETURN collect(properties(r)) AS rows
