// Lists the things of a scope, but for those that were merged away.
// Parameters, in $p: key STRING, of the scope; created_by INTEGER, where the page begins; limit
//   INTEGER; after LIST or null, the place of the last row before.
// Returns: total INTEGER; page LIST of {entity, facts}, newest first.
OPTIONAL MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
RETURN
  COUNT {
    MATCH (e:Entity)
    USING INDEX SEEK e:Entity(sid, created_at)
    WHERE e.sid = s.id AND e.created_at IS NOT NULL AND e.merged_into IS NULL
    RETURN e
  } AS total,
  COLLECT {
    MATCH (e:Entity)
    USING INDEX SEEK e:Entity(sid, created_at)
    WHERE e.sid = s.id AND e.created_at <= $p.created_by AND e.merged_into IS NULL
    WITH e, coalesce(e.sorts_as, e.key) AS place
    WHERE CASE WHEN $p.after IS NULL OR e.created_at < $p.after[0] THEN true
        WHEN e.created_at > $p.after[0] THEN false ELSE place < $p.after[1] END
    WITH e, place
    ORDER BY e.sid DESC, e.created_at DESC, place DESC
    LIMIT $p.limit
    RETURN {
      entity: e {.*, terms: null, weights: null},
      facts: COUNT { (e)-[:SUBJECT_OF]->() }
        + COUNT { MATCH (e)<-[:OBJECT]-(f:Fact) WHERE f.subject_key <> e.id RETURN f }
    }
  } AS page
