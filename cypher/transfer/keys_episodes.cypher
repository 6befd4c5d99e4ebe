// Reads when turns entered, in order of their ids, a page at a time.
// Parameters, in $p: sid, after STRING; limit INTEGER.
// Returns: rows LIST of [created_at, id].
MATCH (n:Episode)
USING INDEX SEEK n:Episode(sid, id)
WHERE n.sid = $p.sid AND n.id > $p.after
WITH n
ORDER BY n.sid, n.id
LIMIT $p.limit
RETURN collect([n.created_at, n.id]) AS rows
