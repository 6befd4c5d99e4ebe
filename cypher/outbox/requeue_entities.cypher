// Writes an outbox row for each thing of a scope, in batches.
// Parameters, in $p: sid, kind STRING; first, change, at, batch INTEGER; removed LIST, of nothing.
// Returns: count INTEGER.
MATCH (n:Entity)
USING INDEX SEEK n:Entity(sid, id)
WHERE n.sid = $p.sid AND n.id IS NOT NULL
WITH collect(n.id) AS ids
UNWIND range(0, size(ids) - 1) AS place
CALL (ids, place) {
  CREATE (:Outbox {
    sid: $p.sid, seq: $p.first + place, kind: $p.kind, id: ids[place], change: $p.change, at: $p.at,
    removed: $p.removed
  })
} IN TRANSACTIONS OF $p.batch ROWS
RETURN count(place) AS count
