// Lets what an indexer has in hand last longer.
// Parameters, in $p: all, owner STRING; now, until INTEGER.
// Returns: count INTEGER, of scopes; all of them count as one.
MERGE (all:Lease {sid: $p.all})
SET all.asked_at = $p.now
WITH all
MATCH (l:Lease {owner: $p.owner})
SET l.until = $p.until
RETURN count(l) AS count
