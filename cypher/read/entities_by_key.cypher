// Lists things by the keys of their names, but for those that were merged away.
// Parameters, in $p: key STRING, of the scope; keys LIST of STRING; limit INTEGER; after LIST or
//   null, the place of the last row before.
// Returns: total INTEGER; page LIST of {entity, facts}, newest first.
OPTIONAL MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
CALL (s) {
  UNWIND $p.keys AS key
  MATCH (n:Name {sid: s.id, key: key})-[:NAMES]->(e:Entity)
  USING INDEX SEEK n:Name(sid, key)
  WHERE e.merged_into IS NULL
  RETURN collect(DISTINCT e) AS found
}
RETURN
  size(found) AS total,
  COLLECT {
    UNWIND found AS e
    WITH e, coalesce(e.sorts_as, e.key) AS place
    WHERE CASE WHEN $p.after IS NULL OR e.created_at < $p.after[0] THEN true
        WHEN e.created_at > $p.after[0] THEN false ELSE place < $p.after[1] END
    WITH e, place
    ORDER BY e.created_at DESC, place DESC
    LIMIT $p.limit
    RETURN {
      entity: e {.*, terms: null, weights: null},
      facts: COUNT { (e)-[:SUBJECT_OF]->() }
        + COUNT { MATCH (e)<-[:OBJECT]-(f:Fact) WHERE f.subject_key <> e.id RETURN f }
    }
  } AS page
