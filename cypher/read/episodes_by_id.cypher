// Reads turns by their ids, in no order.
// Parameters, in $p: key STRING, of the scope; ids LIST of STRING; session, reading STRING or null;
//   last INTEGER, not after which.
// Returns: rows LIST of MAP.
MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
UNWIND $p.ids AS id
MATCH (e:Episode {sid: s.id, id: id})
USING INDEX SEEK e:Episode(sid, id)
WHERE e.occurred_at <= $p.last AND ($p.session IS NULL OR e.session = $p.session)
  AND ($p.reading IS NULL OR e.reading = $p.reading)
RETURN collect(e {.*, said: null}) AS rows
