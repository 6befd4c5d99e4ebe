// Lists things by the keys of their names, but for those that were merged away.
// Parameters, in $p: sid STRING; keys LIST of STRING; limit INTEGER; after LIST or null, the place of the last row
//   before.
// Returns: total INTEGER; page LIST of {entity, facts}, newest first.
RETURN
  COUNT {
    UNWIND $p.keys AS key
    MATCH (:Name {sid: $p.sid, key: key})-[:NAMES]->(e:Entity)
    WHERE e.merged_into IS NULL
    WITH DISTINCT e
    RETURN e
  } AS total,
  COLLECT {
    UNWIND $p.keys AS key
    MATCH (:Name {sid: $p.sid, key: key})-[:NAMES]->(e:Entity)
    WHERE e.merged_into IS NULL
    WITH DISTINCT e
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
