// Gives an indexer the oldest rows of scopes that nobody else has in hand, and takes those scopes.
// Parameters, in $p: all STRING, which stands for every scope; owner STRING; now, until, after, limit
//   INTEGER.
// Returns: barred BOOLEAN, whether another has all; rows LIST of MAP; held LIST of {tenant, user}.
MERGE (all:Lease {sid: $p.all})
SET all.asked_at = $p.now
WITH coalesce(all.owner <> $p.owner AND all.until > $p.now, false) AS barred
CALL (barred) {
  WITH barred
  WHERE NOT barred
  MATCH (l:Lease {owner: $p.owner})
  WHERE l.sid <> $p.all
  DELETE l
}
CALL (barred) {
  WITH barred
  WHERE NOT barred
  MATCH (o:Outbox)
  USING INDEX SEEK o:Outbox(seq)
  WHERE o.seq > $p.after AND o.parked IS NULL AND NOT EXISTS {
    MATCH (l:Lease {sid: o.sid})
    WHERE l.owner <> $p.owner AND l.until > $p.now
  }
  WITH o
  ORDER BY o.seq
  LIMIT $p.limit
  MATCH (s:Scope {id: o.sid})
  WITH o, s
  ORDER BY o.seq
  RETURN collect(o {.*, tenant: s.tenant, user: s.user}) AS rows
}
CALL (rows) {
  UNWIND rows AS row
  WITH DISTINCT row.sid AS sid
  MERGE (l:Lease {sid: sid})
  SET l.owner = $p.owner, l.until = $p.until
}
RETURN barred, rows, COLLECT {
  MATCH (l:Lease)
  USING INDEX SEEK l:Lease(until)
  WHERE l.until > $p.now AND l.owner <> $p.owner AND l.sid <> $p.all AND EXISTS {
    MATCH (o:Outbox)
    USING INDEX SEEK o:Outbox(sid, kind, id)
    WHERE o.sid = l.sid AND o.kind IS NOT NULL AND o.id IS NOT NULL AND o.parked IS NULL
  }
  MATCH (s:Scope {id: l.sid})
  RETURN {tenant: s.tenant, user: s.user}
} AS held
