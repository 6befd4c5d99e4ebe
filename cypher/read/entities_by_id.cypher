// Lists things by their ids, also those that were merged away.
// Parameters, in $p: sid STRING; ids LIST of STRING; keys LIST of STRING or null; limit INTEGER; after LIST or null, the place of the last row
//   before.
// Returns: total INTEGER; page LIST of {entity, facts}, newest first.
RETURN
  COUNT {
    UNWIND $p.ids AS id
    MATCH (e:Entity {sid: $p.sid, id: id})
    WHERE $p.keys IS NULL OR EXISTS {
      MATCH (n:Name)-[:NAMES]->(e) WHERE n.key IN $p.keys
    }
    RETURN e
  } AS total,
  COLLECT {
    UNWIND $p.ids AS id
    MATCH (e:Entity {sid: $p.sid, id: id})
    WHERE $p.keys IS NULL OR EXISTS {
      MATCH (n:Name)-[:NAMES]->(e) WHERE n.key IN $p.keys
    }
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
