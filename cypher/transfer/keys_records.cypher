// Reads when records of facts entered, in order of their ids, a page at a time.
// Parameters, in $p: sid, after STRING; limit INTEGER.
// Returns: rows LIST of [created_at, record].
MATCH (n:Record)
USING INDEX SEEK n:Record(sid, record)
WHERE n.sid = $p.sid AND n.record > $p.after
WITH n
ORDER BY n.sid, n.record
LIMIT $p.limit
RETURN collect([n.created_at, n.record]) AS rows
