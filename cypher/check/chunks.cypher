// Looks for pieces of turns that are not there, a page at a time in order of their ids.
// Parameters, in $p: sid, after STRING; limit INTEGER.
// Returns: last STRING or null, the last id of the page; leftover_terms LIST of STRING, ids.
CALL () {
  MATCH (n:Chunk)
  USING INDEX SEEK n:Chunk(sid, id)
  WHERE n.sid = $p.sid AND n.id > $p.after
  WITH n
  ORDER BY n.sid, n.id
  LIMIT $p.limit
  RETURN n
}
WITH collect(n) AS page
RETURN last(page).id AS last, COLLECT {
  UNWIND page AS n
  WITH n
  WHERE COLLECT { MATCH (n)-[:PART_OF]->(e:Episode) RETURN e.id } <> [n.episode]
  RETURN n.id
} AS leftover_terms
