// Takes all scopes in hand, unless another indexer has them; others are given none from then on.
// Parameters, in $p: all STRING, the sid of the lease of every scope; owner STRING; millis INTEGER,
//   for how long.
// Returns: taken BOOLEAN, whether nobody else has any of them now.
MERGE (all:Lease {sid: $p.all})
SET all.asked_at = timestamp()
WITH all, coalesce(all.owner <> $p.owner AND all.until > timestamp(), false) AS barred
CALL (all, barred) {
  WITH all, barred
  WHERE NOT barred
  SET all.owner = $p.owner, all.until = timestamp() + $p.millis
}
RETURN NOT barred AND NOT EXISTS {
  MATCH (l:Lease)
  USING INDEX SEEK l:Lease(until)
  WHERE l.until > timestamp() AND l.owner <> $p.owner
} AS taken
