// Reads when claims entered, when their links did, and when they were withdrawn, in order of their
// ids, a page at a time.
// Parameters, in $p: sid, after STRING; limit INTEGER.
// Returns: rows LIST of {id, created_at, links LIST of INTEGER, withdrawn, withdrawn_why}.
MATCH (n:Claim)
USING INDEX SEEK n:Claim(sid, id)
WHERE n.sid = $p.sid AND n.id > $p.after
WITH n
ORDER BY n.sid, n.id
LIMIT $p.limit
RETURN collect(n {
  .id, .created_at, .withdrawn, .withdrawn_why,
  links: COLLECT { MATCH (n)-[k:ABOUT]->() RETURN k.created_at }
}) AS rows
