// Reads which things a question names, and how telling its terms are.
// Parameters, in $p: sid STRING; keys, terms LIST of STRING; limit INTEGER, most things.
// Returns: own LIST of MAP, the scope's own user; named LIST of MAP, newest first; points LIST of
//   INTEGER, how many documents; frequency LIST of [term, records], of the terms that occur.
RETURN
  COLLECT {
    MATCH (:Scope {id: $p.sid})-[:SELF]->(e:Entity)
    RETURN e {.*, terms: null, weights: null}
  } AS own,
  COLLECT {
    UNWIND $p.keys AS key
    MATCH (:Name {sid: $p.sid, key: key})-[:NAMES]->(e:Entity)
    WHERE e.merged_into IS NULL
    WITH DISTINCT e
    ORDER BY e.created_at DESC, e.key DESC
    LIMIT $p.limit
    RETURN e {.*, terms: null, weights: null}
  } AS named,
  COLLECT { MATCH (s:Scope {id: $p.sid}) RETURN s.points } AS points,
  COLLECT {
    UNWIND $p.terms AS term
    MATCH (t:Term {sid: $p.sid, term: term})
    RETURN [t.term, t.records]
  } AS frequency
