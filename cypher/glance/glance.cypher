// Reads what was said and named lately, newest first, and whether a turn is there already.
// Parameters, in $p: sid STRING; named, statements, episodes INTEGER, how many; held STRING, the status
//   of what is held; forever INTEGER; session, session_key STRING or null; before INTEGER; known_as
//   LIST of STRING.
// Returns: own MAP or null; named LIST of [name, types]; statements LIST of STRING; earlier LIST of
//   MAP; there BOOLEAN.
RETURN
  head(COLLECT {
    MATCH (:Scope {id: $p.sid})-[:SELF]->(e:Entity)
    RETURN e {.*, terms: null, weights: null}
  }) AS own,
  COLLECT {
    MATCH (e:Entity)
    USING INDEX SEEK e:Entity(sid, created_at)
    WHERE e.sid = $p.sid AND e.created_at IS NOT NULL AND e.merged_into IS NULL AND e.is_self = 0
    WITH e
    ORDER BY e.created_at DESC, e.id DESC
    LIMIT $p.named
    RETURN [e.name, e.types]
  } AS named,
  COLLECT {
    MATCH (f:Record)
    USING INDEX SEEK f:Record(sid, status, expired_at, said_at)
    WHERE f.sid = $p.sid AND f.status = $p.held AND f.expired_at = $p.forever
      AND f.said_at IS NOT NULL
    WITH f
    ORDER BY f.said_at DESC, f.said_turn DESC, f.said_place DESC, f.record
    LIMIT $p.statements
    RETURN f.statement
  } AS statements,
  COLLECT {
    MATCH (e:Episode)
    USING INDEX SEEK e:Episode(sid, session_key, occurred_at)
    WHERE e.sid = $p.sid AND e.session_key = $p.session_key AND e.occurred_at < $p.before
      AND e.session = $p.session
    WITH e
    ORDER BY e.occurred_at DESC, e.place DESC, e.id DESC
    LIMIT $p.episodes
    RETURN e {.*, said: null}
  } AS earlier,
  EXISTS {
    UNWIND $p.known_as AS key
    MATCH (e:Episode {sid: $p.sid, known_as: key})
    RETURN e
  } AS there
