// Reads what facts rest or rested on and what they gave way to, in order of their ids, a page at a
// time.
// Parameters, in $p: sid, after STRING; limit INTEGER.
// Returns: rows LIST of {id, rests LIST of [created_at, claim, expired_at], successors LIST of
//   [created_at, id]}.
MATCH (n:Fact)
USING INDEX SEEK n:Fact(sid, id)
WHERE n.sid = $p.sid AND n.id > $p.after
WITH n
ORDER BY n.sid, n.id
LIMIT $p.limit
RETURN collect({
  id: n.id,
  rests: COLLECT {
    MATCH (n)-[r:RESTS_ON]->(c:Claim)
    RETURN [r.created_at, c.id, r.expired_at]
  },
  successors: COLLECT {
    MATCH (n)-[r:GAVE_WAY_TO]->(s:Fact)
    RETURN [r.created_at, s.id]
  }
}) AS rows
