// Lists things by their ids, also those that were merged away.
// Parameters, in $p: key STRING, of the scope; ids LIST of STRING; keys LIST of STRING or null, of
//   their names; limit INTEGER; after LIST or null, the place of the last row before.
// Returns: total INTEGER; page LIST of {entity, facts}, newest first.
OPTIONAL MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
CALL (s) {
  UNWIND $p.ids AS id
  MATCH (e:Entity {sid: s.id, id: id})
  USING INDEX SEEK e:Entity(sid, id)
  WHERE $p.keys IS NULL OR EXISTS { MATCH (e)<-[:NAMES]-(n:Name) WHERE n.key IN $p.keys }
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
