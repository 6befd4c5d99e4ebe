// Reads the points of things, in order of their ids, a page at a time.
// Parameters, in $p: sid, after STRING; limit INTEGER.
// Returns: rows LIST of {id, points LIST of STRING}.
MATCH (n:Entity)
USING INDEX SEEK n:Entity(sid, id)
WHERE n.sid = $p.sid AND n.id > $p.after
WITH n
ORDER BY n.sid, n.id
LIMIT $p.limit
RETURN collect({id: n.id, points: [n.id]}) AS rows
