// Reads what was said and named lately, newest first.
// Parameters, in $p: key STRING, of the scope; held STRING, the status of what holds; forever INTEGER; statements,
//   named, episodes INTEGER, how many; session STRING or null, session_key STRING or null; before
//   INTEGER, of the turns of the session; keys LIST of STRING, by which turns are known.
// Returns: own LIST of MAP, the scope's own user; named LIST of [name, types]; statements LIST of
//   STRING; earlier LIST of MAP, turns; there BOOLEAN, whether a turn has one of the keys.
OPTIONAL MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
RETURN
  COLLECT {
    MATCH (s)-[:SELF]->(e:Entity)
    RETURN e {.*, terms: null, weights: null}
  } AS own,
  COLLECT {
    MATCH (e:Entity)
    USING INDEX SEEK e:Entity(sid, created_at)
    WHERE e.sid = s.id AND e.created_at IS NOT NULL AND e.merged_into IS NULL AND e.is_self = 0
    WITH e
    ORDER BY e.sid DESC, e.created_at DESC, e.key DESC
    LIMIT $p.named
    RETURN [e.name, e.types]
  } AS named,
  COLLECT {
    MATCH (f:Record)
    USING INDEX SEEK f:Record(sid, status, expired_at, said_at)
    WHERE f.sid = s.id AND f.status = $p.held AND f.expired_at = $p.forever
      AND f.said_at IS NOT NULL
    WITH f
    ORDER BY f.sid DESC, f.status DESC, f.expired_at DESC, f.said_at DESC, f.said_turn DESC,
      f.said_place DESC, f.record
    LIMIT $p.statements
    RETURN f.statement
  } AS statements,
  COLLECT {
    MATCH (e:Episode)
    USING INDEX SEEK e:Episode(sid, session_key, occurred_at)
    WHERE e.sid = s.id AND e.session_key = $p.session_key AND e.occurred_at < $p.before
      AND e.session = $p.session
    WITH e
    ORDER BY e.sid DESC, e.session_key DESC, e.occurred_at DESC, e.place DESC, e.id DESC
    LIMIT $p.episodes
    RETURN e {.*, said: null}
  } AS earlier,
  EXISTS {
    UNWIND $p.keys AS key
    MATCH (e:Episode {sid: s.id, known_as: key})
    USING INDEX SEEK e:Episode(sid, known_as)
    RETURN e
  } AS there
