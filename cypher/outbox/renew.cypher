// Lets what an indexer has in hand last longer.
// Parameters, in $p: all STRING, the sid of the lease of every scope; owner STRING; millis INTEGER,
//   for how long.
// Returns: count INTEGER, of scopes; all of them count as one.
MERGE (all:Lease {sid: $p.all})
SET all.asked_at = timestamp()
WITH all
MATCH (l:Lease {owner: $p.owner})
USING INDEX SEEK l:Lease(owner)
SET l.until = timestamp() + $p.millis
RETURN count(l) AS count
