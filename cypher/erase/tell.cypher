// Tells the index which points of an erased scope it must forget.
// Parameters, in $p: sid STRING; outbox LIST of MAP.
// Returns: nothing.
UNWIND $p.outbox AS row
CALL (row) {
  MATCH (o:Outbox {sid: $p.sid, kind: row.kind, id: row.id})
  USING INDEX SEEK o:Outbox(sid, kind, id)
  WHERE size(o.removed) = 0
  DELETE o
}
CREATE (o:Outbox)
SET o = row, o.sid = $p.sid
FINISH
