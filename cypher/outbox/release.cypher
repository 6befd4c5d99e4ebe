// Lets go of what an indexer has in hand, and of what has run out.
// Parameters, in $p: all, owner STRING; now INTEGER.
// Returns: nothing.
MERGE (all:Lease {sid: $p.all})
SET all.asked_at = $p.now
WITH all
CALL (all) {
  WITH all
  WHERE all.owner = $p.owner OR all.until <= $p.now
  REMOVE all.owner, all.until
}
CALL () {
  MATCH (l:Lease {owner: $p.owner})
  WHERE l.sid <> $p.all
  DELETE l
}
CALL () {
  MATCH (l:Lease)
  USING INDEX SEEK l:Lease(until)
  WHERE l.until <= $p.now AND l.sid <> $p.all
  DELETE l
}
FINISH
