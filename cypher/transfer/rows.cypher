// Reads everything of some turns, things, claims, links and records.
// Parameters, in $p: sid STRING; episodes, entities, claims, records LIST of STRING, ids; links LIST of
//   [claim, created_at].
// Returns: episodes, entities, claims, links, records LIST of MAP, in any order.
RETURN COLLECT {
    UNWIND $p.episodes AS id
    MATCH (n:Episode {sid: $p.sid, id: id})
    USING INDEX SEEK n:Episode(sid, id)
    RETURN n {.*, said: null, caption: null}
  } AS episodes,
  COLLECT {
    UNWIND $p.entities AS id
    MATCH (n:Entity {sid: $p.sid, id: id})
    USING INDEX SEEK n:Entity(sid, id)
    RETURN n {.*, terms: null, weights: null, caption: null}
  } AS entities,
  COLLECT {
    UNWIND $p.claims AS id
    MATCH (n:Claim {sid: $p.sid, id: id})
    USING INDEX SEEK n:Claim(sid, id)
    RETURN n {.*, said: null, caption: null}
  } AS claims,
  COLLECT {
    UNWIND $p.links AS link
    MATCH (n:Claim {sid: $p.sid, id: link[0]})-[k:ABOUT]->()
    USING INDEX SEEK n:Claim(sid, id)
    WHERE k.created_at = link[1]
    RETURN properties(k)
  } AS links,
  COLLECT {
    UNWIND $p.records AS record
    MATCH (n:Record {sid: $p.sid, record: record})
    USING INDEX SEEK n:Record(sid, record)
    RETURN n {.*, terms: null, weights: null, valid_from: null, valid_to: null, caption: null}
  } AS records
