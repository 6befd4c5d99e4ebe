// Reads the points of facts, in order of their ids, a page at a time.
// Parameters, in $p: sid, after STRING; limit INTEGER.
// Returns: rows LIST of {id, points LIST of STRING}.
MATCH (n:Fact)
USING INDEX SEEK n:Fact(sid, id)
WHERE n.sid = $p.sid AND n.id > $p.after
WITH n
ORDER BY n.sid, n.id
LIMIT $p.limit
RETURN collect({
  id: n.id,
  points: COLLECT {
    MATCH (old:Record)
    USING INDEX SEEK old:Record(sid, id, created_at)
    WHERE old.sid = n.sid AND old.id = n.id AND old.created_at IS NOT NULL
    RETURN old.record
  }
}) AS rows
