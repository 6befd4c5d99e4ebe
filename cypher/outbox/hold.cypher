// Takes a scope in hand, unless another indexer has it or all.
// Parameters, in $p: all, sid, owner STRING; now, until INTEGER.
// Returns: taken BOOLEAN.
MERGE (all:Lease {sid: $p.all})
SET all.asked_at = $p.now
WITH coalesce(all.owner <> $p.owner AND all.until > $p.now, false) OR EXISTS {
  MATCH (l:Lease {sid: $p.sid})
  WHERE l.owner <> $p.owner AND l.until > $p.now
} AS barred
CALL (barred) {
  WITH barred
  WHERE NOT barred
  MERGE (l:Lease {sid: $p.sid})
  SET l.owner = $p.owner, l.until = $p.until
}
RETURN NOT barred AS taken
