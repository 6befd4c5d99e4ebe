// Reads all that is shown of an answer.
// Parameters, in $p: key STRING, of the scope; records, turns LIST of STRING, their ids; at INTEGER, of the record
//   axis.
// Returns: facts LIST of {fact, successor}; grounds LIST of {fact, claim, turn}, what they rest on;
//   causes LIST of {claim, turn}, what ended them; turns LIST of MAP.
OPTIONAL MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
RETURN
  COLLECT {
    UNWIND $p.records AS id
    MATCH (f:Record {sid: s.id, record: id})
    USING INDEX SEEK f:Record(sid, record)
    RETURN {
      fact: f {.*, terms: null, weights: null, valid_from: null, valid_to: null},
      successor: head(COLLECT {
        MATCH (t:Fact {sid: f.sid, id: f.id})-[:GAVE_WAY_TO]->(n:Fact)
        USING INDEX SEEK t:Fact(sid, id)
        RETURN n.id
      })
    }
  } AS facts,
  COLLECT {
    UNWIND $p.records AS id
    MATCH (f:Record {sid: s.id, record: id})
    USING INDEX SEEK f:Record(sid, record)
    WITH DISTINCT f.id AS fact
    MATCH (t:Fact {sid: s.id, id: fact})-[r:RESTS_ON]->(c:Claim)-[:SAID_IN]->(e:Episode)
    USING INDEX SEEK t:Fact(sid, id)
    WHERE r.created_at <= $p.at AND r.expired_at > $p.at
    WITH fact, c, e
    ORDER BY c.said_at, c.said_turn, c.said_place, c.id
    RETURN {
      fact: fact,
      claim: c {.id, .statement, .said_at, .said_turn, .said_place, .quote},
      turn: e {.id, .speaker, .role, .occurred_at, .zone}
    }
  } AS grounds,
  COLLECT {
    UNWIND $p.records AS id
    MATCH (f:Record {sid: s.id, record: id})
    USING INDEX SEEK f:Record(sid, record)
    WITH DISTINCT f.cause_claim AS claim
    MATCH (c:Claim {sid: s.id, id: claim})-[:SAID_IN]->(e:Episode)
    USING INDEX SEEK c:Claim(sid, id)
    RETURN {
      claim: c {.id, .statement, .said_at, .said_turn, .said_place, .quote},
      turn: e {.id, .speaker, .role, .occurred_at, .zone}
    }
  } AS causes,
  COLLECT {
    UNWIND $p.turns AS id
    MATCH (e:Episode {sid: s.id, id: id})
    USING INDEX SEEK e:Episode(sid, id)
    RETURN e {.*, said: null}
  } AS turns
