// Reads how often words are counted, a page at a time in order.
// Parameters, in $p: sid, after STRING; limit INTEGER.
// Returns: last STRING or null, the last word of the page; rows LIST of [term, records].
CALL () {
  MATCH (n:Term)
  USING INDEX SEEK n:Term(sid, term)
  WHERE n.sid = $p.sid AND n.term > $p.after
  WITH n
  ORDER BY n.sid, n.term
  LIMIT $p.limit
  RETURN n
}
WITH collect([n.term, n.records]) AS rows
RETURN last(rows)[0] AS last, rows
