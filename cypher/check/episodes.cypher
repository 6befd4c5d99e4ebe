// Gives turns without pieces, a page at a time in order of their ids, and the keywords of the others'
// pieces to be counted.
// Parameters, in $p: sid, after STRING; limit INTEGER.
// Returns: last STRING or null, the last id of the page; rows LIST of MAP, turns; terms LIST of LIST.
CALL () {
  MATCH (n:Episode)
  USING INDEX SEEK n:Episode(sid, id)
  WHERE n.sid = $p.sid AND n.id > $p.after
  WITH n
  ORDER BY n.sid, n.id
  LIMIT $p.limit
  RETURN n
}
WITH collect(n) AS page
RETURN last(page).id AS last,
  COLLECT {
    UNWIND page AS n
    WITH n
    WHERE NOT EXISTS { MATCH (:Chunk)-[:PART_OF]->(n) }
    RETURN n {.*, said: null}
  } AS rows,
  COLLECT {
    UNWIND page AS n
    MATCH (k:Chunk)-[:PART_OF]->(n)
    RETURN coalesce(k.terms, [])
  } AS terms
