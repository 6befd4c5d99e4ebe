// Reads which things a question names, and how telling its terms are.
// Parameters, in $p: key STRING, of the scope; keys, terms LIST of STRING; limit INTEGER, most things.
// Returns: own LIST of MAP, the scope's own user; named LIST of MAP, newest first; points
//   INTEGER or null, how many documents; frequency LIST of [term, records], of the terms that occur.
OPTIONAL MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
RETURN
  COLLECT {
    MATCH (s)-[:SELF]->(e:Entity)
    RETURN e {.*, terms: null, weights: null}
  } AS own,
  COLLECT {
    UNWIND $p.keys AS key
    MATCH (n:Name {sid: s.id, key: key})-[:NAMES]->(e:Entity)
    USING INDEX SEEK n:Name(sid, key)
    WHERE e.merged_into IS NULL
    WITH DISTINCT e
    ORDER BY e.created_at DESC, e.key DESC
    LIMIT $p.limit
    RETURN e {.*, terms: null, weights: null}
  } AS named,
  s.points AS points,
  COLLECT {
    UNWIND $p.terms AS term
    MATCH (t:Term {sid: s.id, term: term})
    USING INDEX SEEK t:Term(sid, term)
    RETURN [t.term, t.records]
  } AS frequency
