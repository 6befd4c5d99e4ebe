// Takes a scope in hand, unless another indexer has it or all; one that holds nothing is free.
// Parameters, in $p: all STRING, the sid of the lease of every scope; key STRING of the scope; owner
//   STRING; millis INTEGER, for how long.
// Returns: taken BOOLEAN.
MERGE (all:Lease {sid: $p.all})
SET all.asked_at = timestamp()
WITH all
OPTIONAL MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
WITH s, coalesce(all.owner <> $p.owner AND all.until > timestamp(), false) OR EXISTS {
  MATCH (l:Lease {sid: s.id})
  USING INDEX SEEK l:Lease(sid)
  WHERE l.owner <> $p.owner AND l.until > timestamp()
} AS barred
CALL (s, barred) {
  WITH s, barred
  WHERE NOT barred AND s IS NOT NULL
  MERGE (l:Lease {sid: s.id})
  SET l.owner = $p.owner, l.until = timestamp() + $p.millis
}
RETURN s IS NULL OR NOT barred AS taken
