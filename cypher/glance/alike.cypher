// Reads things that are like a name: by words they share with it, by key, and the newest. Words that
// more than ``most`` names hold tell nothing, and are passed over.
// Parameters, in $p: key STRING, of the scope; queries LIST of {words, most, keys}; limit INTEGER, most by words;
//   newest INTEGER, how many; places INTEGER, of a score.
// Returns: found LIST of {words, keys}, each LIST of MAP, in the order of the queries; newest LIST of
//   MAP; none that was merged away.
OPTIONAL MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
RETURN
  COLLECT {
    UNWIND $p.queries AS query
    CALL (s, query) {
      UNWIND query.words AS word
      MATCH (t:Term {sid: s.id, term: word})
      USING INDEX SEEK t:Term(sid, term)
      WHERE COUNT { (t)-[:IN_NAME]->() } <= query.most
      MATCH (t)-[r:IN_NAME]->(e:Entity)
      WITH e, round(sum(r.weight), $p.places) AS score
      ORDER BY score DESC, e.key
      LIMIT $p.limit
      RETURN collect(e {.*, terms: null, weights: null}) AS words
    }
    CALL (s, query) {
      UNWIND query.keys AS key
      MATCH (n:Name {sid: s.id, key: key})-[:NAMES]->(e:Entity)
      USING INDEX SEEK n:Name(sid, key)
      WHERE e.merged_into IS NULL
      WITH DISTINCT e
      ORDER BY e.created_at DESC, e.key DESC
      RETURN collect(e {.*, terms: null, weights: null}) AS keys
    }
    RETURN {words: words, keys: keys}
  } AS found,
  COLLECT {
    MATCH (e:Entity)
    USING INDEX SEEK e:Entity(sid, created_at)
    WHERE e.sid = s.id AND e.created_at IS NOT NULL AND e.merged_into IS NULL
    WITH e
    ORDER BY e.sid DESC, e.created_at DESC, e.key DESC
    LIMIT $p.newest
    RETURN e {.*, terms: null, weights: null}
  } AS newest
