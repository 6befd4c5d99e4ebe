// Looks for suggestions that lie between other things than they name, a page at a time in order.
// Parameters, in $p: sid, after STRING; limit INTEGER.
// Returns: last STRING or null, the last id of the page; suggestion_entity LIST of STRING, ids.
CALL () {
  MATCH (a)-[r:SAME_AS]->(b)
  USING INDEX SEEK r:SAME_AS(sid, id)
  WHERE r.sid = $p.sid AND r.id > $p.after
  WITH a, r, b
  ORDER BY r.sid, r.id
  LIMIT $p.limit
  RETURN a, r, b
}
WITH collect([r.id, a.id = r.first AND b.id = r.second]) AS page
RETURN last(page)[0] AS last, [one IN page WHERE NOT one[1] | one[0]] AS suggestion_entity
