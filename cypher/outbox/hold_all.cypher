// Takes all scopes in hand, unless another indexer has them; others are given none from then on.
// Parameters, in $p: all, owner STRING; now, until INTEGER.
// Returns: taken BOOLEAN, whether nobody else has any of them now.
MERGE (all:Lease {sid: $p.all})
SET all.asked_at = $p.now
WITH all, coalesce(all.owner <> $p.owner AND all.until > $p.now, false) AS barred
CALL (all, barred) {
  WITH all, barred
  WHERE NOT barred
  SET all.owner = $p.owner, all.until = $p.until
}
RETURN NOT barred AND NOT EXISTS {
  MATCH (l:Lease)
  USING INDEX SEEK l:Lease(until)
  WHERE l.until > $p.now AND l.owner <> $p.owner
} AS taken
