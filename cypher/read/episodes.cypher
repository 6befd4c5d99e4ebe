// Lists the turns of a scope.
// Parameters, in $p: key STRING, of the scope; session STRING, here null; last INTEGER, not after
//   which; begin INTEGER, where the page begins; limit INTEGER; after LIST or null, the place of
//   the last row before.
// Returns: total INTEGER; page LIST of MAP, newest first.
OPTIONAL MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
RETURN
  COUNT {
    MATCH (e:Episode)
    USING INDEX SEEK e:Episode(sid, occurred_at)
    WHERE e.sid = s.id AND e.occurred_at <= $p.last
      AND ($p.session IS NULL OR e.session = $p.session)
    RETURN e
  } AS total,
  COLLECT {
    MATCH (e:Episode)
    USING INDEX SEEK e:Episode(sid, occurred_at)
    WHERE e.sid = s.id AND e.occurred_at <= $p.begin
      AND ($p.session IS NULL OR e.session = $p.session)
      AND CASE WHEN $p.after IS NULL OR e.occurred_at < $p.after[0] THEN true
        WHEN e.occurred_at <> $p.after[0] THEN false
        ELSE e.place < $p.after[1] OR (e.place = $p.after[1] AND e.id < $p.after[2]) END
    WITH e
    ORDER BY e.sid DESC, e.occurred_at DESC, e.place DESC, e.id DESC
    LIMIT $p.limit
    RETURN e {.*, said: null}
  } AS page
