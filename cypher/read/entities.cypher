// Lists the things of a scope, but for those that were merged away.
// Parameters, in $p: sid STRING; limit INTEGER; after LIST or null, the place of the last row
//   before.
// Returns: total INTEGER; page LIST of {entity, facts}, newest first.
RETURN
  COUNT {
    MATCH (e:Entity)
    USING INDEX SEEK e:Entity(sid, created_at)
    WHERE e.sid = $p.sid AND e.created_at IS NOT NULL AND e.merged_into IS NULL
    RETURN e
  } AS total,
  COLLECT {
    MATCH (e:Entity)
    USING INDEX SEEK e:Entity(sid, created_at)
    WHERE e.sid = $p.sid AND e.created_at IS NOT NULL AND e.merged_into IS NULL
    WITH e, coalesce(e.sorts_as, e.key) AS place
    WHERE $p.after IS NULL OR e.created_at < $p.after[0]
      OR (e.created_at = $p.after[0] AND place < $p.after[1])
    WITH e, place
    ORDER BY e.created_at DESC, place DESC
    LIMIT $p.limit
    RETURN {
      entity: e {.*, terms: null, weights: null},
      facts: COUNT { (e)-[:SUBJECT_OF]->(:Fact) }
        + COUNT { MATCH (e)<-[:OBJECT]-(f:Fact) WHERE f.subject_key <> e.id RETURN f }
    }
  } AS page
