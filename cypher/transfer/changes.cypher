// Reads changes in order of their numbers, a page at a time.
// Parameters, in $p: sid STRING; after, limit INTEGER.
// Returns: rows LIST of [at, number, change_id].
MATCH (n:Change)
USING INDEX SEEK n:Change(sid, number)
WHERE n.sid = $p.sid AND n.number > $p.after
WITH n
ORDER BY n.sid, n.number
LIMIT $p.limit
RETURN collect([n.at, n.number, n.change_id]) AS rows
