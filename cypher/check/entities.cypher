// Looks for what is wrong with things, a page at a time in order of their ids, and gives their names
// to be compared and their keywords to be counted.
// Parameters, in $p: sid, after, held STRING; forever, limit INTEGER.
// Returns: last STRING or null, the last id of the page; rows LIST of {entity, names}; terms LIST of
//   LIST; shown INTEGER, relationships that stand for a held fact; merged_entity, entity_terms,
//   entity_words, self LIST of STRING, ids; drifted LIST of STRING, facts whose relationship is not
//   what they say, or is there twice.
CALL () {
  MATCH (n:Entity)
  USING INDEX SEEK n:Entity(sid, id)
  WHERE n.sid = $p.sid AND n.id > $p.after
  WITH n
  ORDER BY n.sid, n.id
  LIMIT $p.limit
  RETURN n, COUNT { MATCH (:Term)-[:IN_NAME]->(n) } AS words
}
WITH collect({n: n, words: words}) AS page
RETURN last(page).n.id AS last,
  COLLECT {
    UNWIND page AS row
    WITH row.n AS n
    RETURN {
      entity: n {.*, terms: null, weights: null},
      names: COLLECT { MATCH (k:Name)-[:NAMES]->(n) RETURN k.key }
    }
  } AS rows,
  [row IN page WHERE row.n.terms IS NOT NULL | row.n.terms] AS terms,
  [
    row IN page
    WHERE row.n.terms IS NULL OR size(row.n.terms) <> size(row.n.weights)
    | row.n.id
  ] AS entity_terms,
  [row IN page WHERE row.words <> coalesce(size(row.n.terms), 0) | row.n.id] AS entity_words,
  COLLECT {
    UNWIND page AS row
    WITH row.n AS n
    WHERE n.merged_into IS NOT NULL AND NOT EXISTS {
      MATCH (e:Entity {sid: n.sid, id: n.merged_into})
      USING INDEX SEEK e:Entity(sid, id)
    }
    RETURN n.id
  } AS merged_entity,
  COLLECT {
    UNWIND page AS row
    WITH row.n AS n
    WHERE (n.is_self = 1) <> EXISTS { MATCH (n)<-[:SELF]-(s:Scope) WHERE s.id = n.sid }
    RETURN n.id
  } AS self,
  COUNT {
    UNWIND page AS row
    MATCH (n:Entity {sid: $p.sid, id: row.n.id})-[r]->(:Entity)
    USING INDEX SEEK n:Entity(sid, id)
    WHERE r.fact_id IS NOT NULL
    RETURN r
  } AS shown,
  COLLECT {
    UNWIND page AS row
    MATCH (n:Entity {sid: $p.sid, id: row.n.id})-[r]->(m:Entity)
    USING INDEX SEEK n:Entity(sid, id)
    WHERE r.fact_id IS NOT NULL
    WITH n, m, r.fact_id AS id, collect(r) AS edges
    OPTIONAL MATCH (f:Fact {sid: $p.sid, id: id})
    USING INDEX SEEK f:Fact(sid, id)
    WITH n, m, id, edges, head(edges) AS r, f
    WHERE size(edges) > 1 OR NOT coalesce(
      f.expired_at = $p.forever AND f.status = $p.held AND f.subject_key = n.id
        AND f.object_key = m.id AND f.predicate = r.predicate AND f.polarity = r.polarity
        AND f.reads_from = r.from AND f.reads_until = r.to,
      false
    )
    RETURN DISTINCT id
  } AS drifted
