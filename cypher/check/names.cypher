// Looks for names of nothing, a page at a time in order.
// Parameters, in $p: sid, after STRING; limit INTEGER.
// Returns: last STRING or null, the last name of the page; nameless LIST of STRING.
CALL () {
  MATCH (n:Name)
  USING INDEX SEEK n:Name(sid, key)
  WHERE n.sid = $p.sid AND n.key > $p.after
  WITH n
  ORDER BY n.sid, n.key
  LIMIT $p.limit
  RETURN n
}
WITH collect(n) AS page
RETURN last(page).key AS last, COLLECT {
  UNWIND page AS n
  WITH n
  WHERE NOT EXISTS { MATCH (n)-[:NAMES]->(:Entity) }
  RETURN n.key
} AS nameless
