// Gives an indexer the oldest rows of scopes that nobody else has in hand, and takes those scopes.
// Who takes or lets go holds the lock of one common node for the moment of the statement.
// Parameters, in $p: all STRING, the sid of the lease of every scope; owner STRING; millis INTEGER,
//   for how long; limit INTEGER.
// Returns: barred BOOLEAN, whether another has all; rows LIST of MAP; held LIST of {tenant, user}.
MERGE (all:Lease {sid: $p.all})
SET all.asked_at = timestamp()
WITH coalesce(all.owner <> $p.owner AND all.until > timestamp(), false) AS barred
CALL (barred) {
  WITH barred
  WHERE NOT barred
  MATCH (l:Lease {owner: $p.owner})
  USING INDEX SEEK l:Lease(owner)
  WHERE l.sid <> $p.all
  DELETE l
}
CALL (barred) {
  WITH barred
  WHERE NOT barred
  MATCH (o:Outbox)
  USING INDEX SEEK o:Outbox(seq)
  WHERE o.seq > 0 AND o.parked IS NULL AND NOT EXISTS {
    MATCH (l:Lease {sid: o.sid})
    USING INDEX SEEK l:Lease(sid)
    WHERE l.owner <> $p.owner AND l.until > timestamp()
  }
  WITH o
  ORDER BY o.seq
  LIMIT $p.limit
  MATCH (s:Scope {id: o.sid})
  USING INDEX SEEK s:Scope(id)
  WITH o, s
  ORDER BY o.seq
  RETURN collect(o {.*, tenant: s.tenant, user: s.user}) AS rows
}
CALL (rows) {
  UNWIND rows AS row
  WITH DISTINCT row.sid AS sid
  MERGE (l:Lease {sid: sid})
  SET l.owner = $p.owner, l.until = timestamp() + $p.millis
}
RETURN barred, rows, COLLECT {
  MATCH (l:Lease)
  USING INDEX SEEK l:Lease(until)
  WHERE l.until > timestamp() AND l.owner <> $p.owner AND l.sid <> $p.all AND EXISTS {
    MATCH (o:Outbox)
    USING INDEX SEEK o:Outbox(sid, kind, id)
    WHERE o.sid = l.sid AND o.kind IS NOT NULL AND o.id IS NOT NULL AND o.parked IS NULL
  }
  MATCH (s:Scope {id: l.sid})
  USING INDEX SEEK s:Scope(id)
  RETURN {tenant: s.tenant, user: s.user}
} AS held
