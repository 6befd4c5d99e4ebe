// Removes outbox rows that were applied, and lets go of what an indexer has in hand, and of what has
// run out.
// Parameters, in $p: all STRING, the sid of the lease of every scope; owner STRING; seqs LIST of
//   INTEGER.
// Returns: nothing.
MERGE (all:Lease {sid: $p.all})
SET all.asked_at = timestamp()
WITH all
CALL () {
  UNWIND $p.seqs AS seq
  MATCH (o:Outbox {seq: seq})
  USING INDEX SEEK o:Outbox(seq)
  DELETE o
}
CALL (all) {
  WITH all
  WHERE all.owner = $p.owner OR all.until <= timestamp()
  REMOVE all.owner, all.until
}
CALL () {
  MATCH (l:Lease {owner: $p.owner})
  USING INDEX SEEK l:Lease(owner)
  WHERE l.sid <> $p.all
  DELETE l
}
CALL () {
  MATCH (l:Lease)
  USING INDEX SEEK l:Lease(until)
  WHERE l.until <= timestamp() AND l.sid <> $p.all
  DELETE l
}
FINISH
