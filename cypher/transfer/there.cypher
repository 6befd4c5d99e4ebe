// Reads which of the things that exported rows name are there already.
// Parameters, in $p: sid STRING; forever INTEGER; episodes, known_as, entities, keys, claims, linkable,
//   records, facts, suggestions, change_keys LIST of STRING; changes LIST of INTEGER, numbers.
// Returns: episodes, entities, claims, records, suggestions, known_as, keys, change_keys LIST of STRING;
//   own STRING or null, the scope's own user; linkable LIST of {claim, links LIST of [created_at,
//   expired_at]}; facts LIST of {id, live BOOLEAN, rests LIST of [claim, created_at, expired_at],
//   gave_way BOOLEAN}; changes LIST of INTEGER.
RETURN COLLECT {
    UNWIND $p.episodes AS id
    MATCH (n:Episode {sid: $p.sid, id: id})
    USING INDEX SEEK n:Episode(sid, id)
    RETURN n.id
  } AS episodes,
  COLLECT {
    UNWIND $p.known_as AS key
    MATCH (n:Episode {sid: $p.sid, known_as: key})
    USING INDEX SEEK n:Episode(sid, known_as)
    RETURN n.known_as
  } AS known_as,
  COLLECT {
    UNWIND $p.entities AS id
    MATCH (n:Entity {sid: $p.sid, id: id})
    USING INDEX SEEK n:Entity(sid, id)
    RETURN n.id
  } AS entities,
  COLLECT {
    UNWIND $p.keys AS key
    MATCH (n:Entity {sid: $p.sid, key: key})
    USING INDEX SEEK n:Entity(sid, key)
    RETURN n.key
  } AS keys,
  head(COLLECT {
    MATCH (s:Scope {id: $p.sid})-[:SELF]->(n:Entity)
    USING INDEX SEEK s:Scope(id)
    RETURN n.id
  }) AS own,
  COLLECT {
    UNWIND $p.claims AS id
    MATCH (n:Claim {sid: $p.sid, id: id})
    USING INDEX SEEK n:Claim(sid, id)
    RETURN n.id
  } AS claims,
  COLLECT {
    UNWIND $p.linkable AS id
    MATCH (n:Claim {sid: $p.sid, id: id})
    USING INDEX SEEK n:Claim(sid, id)
    RETURN {
      claim: n {.*, said: null, caption: null},
      links: COLLECT { MATCH (n)-[k:ABOUT]->() RETURN [k.created_at, k.expired_at] }
    }
  } AS linkable,
  COLLECT {
    UNWIND $p.records AS record
    MATCH (n:Record {sid: $p.sid, record: record})
    USING INDEX SEEK n:Record(sid, record)
    RETURN n.record
  } AS records,
  COLLECT {
    UNWIND $p.facts AS id
    MATCH (n:Fact {sid: $p.sid, id: id})
    USING INDEX SEEK n:Fact(sid, id)
    RETURN {
      id: n.id, live: coalesce(n.expired_at = $p.forever, false),
      rests: COLLECT {
        MATCH (n)-[r:RESTS_ON]->(c:Claim)
        RETURN [c.id, r.created_at, r.expired_at]
      },
      gave_way: EXISTS { MATCH (n)-[:GAVE_WAY_TO]->(:Fact) }
    }
  } AS facts,
  COLLECT {
    UNWIND $p.suggestions AS id
    MATCH ()-[r:SAME_AS {sid: $p.sid, id: id}]->()
    USING INDEX SEEK r:SAME_AS(sid, id)
    RETURN r.id
  } AS suggestions,
  COLLECT {
    UNWIND $p.changes AS number
    MATCH (n:Change {sid: $p.sid, number: number})
    USING INDEX SEEK n:Change(sid, number)
    RETURN n.number
  } AS changes,
  COLLECT {
    UNWIND $p.change_keys AS key
    MATCH (n:Change {sid: $p.sid, change_key: key})
    USING INDEX SEEK n:Change(sid, change_key)
    RETURN n.change_key
  } AS change_keys
