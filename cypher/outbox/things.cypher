// Reads what outbox rows name, as it is now: entities, turns, and every record of facts with the
// labels of the turns it rests on, or rested on when it left.
// Parameters, in $p: wanted LIST of {key STRING of a scope; facts, episodes, entities LIST of
//   STRING}.
// Returns: found LIST of {key; entities, episodes LIST of MAP; records LIST of {record, labels},
//   oldest first}, of living scopes alone.
UNWIND $p.wanted AS row
MATCH (s:Scope {key: row.key})
USING INDEX SEEK s:Scope(key)
RETURN collect({
  key: row.key,
  entities: COLLECT {
    UNWIND row.entities AS id
    MATCH (n:Entity {sid: s.id, id: id})
    USING INDEX SEEK n:Entity(sid, id)
    RETURN n {.*, terms: null, weights: null}
  },
  episodes: COLLECT {
    UNWIND row.episodes AS id
    MATCH (n:Episode {sid: s.id, id: id})
    USING INDEX SEEK n:Episode(sid, id)
    RETURN n {.*, said: null}
  },
  records: COLLECT {
    UNWIND row.facts AS id
    MATCH (f:Record)
    USING INDEX SEEK f:Record(sid, id, created_at)
    WHERE f.sid = s.id AND f.id = id AND f.created_at IS NOT NULL
    WITH f
    ORDER BY f.created_at, f.record
    RETURN {
      record: f {.*, terms: null, weights: null, valid_from: null, valid_to: null},
      labels: COLLECT {
        MATCH (t:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
        USING INDEX SEEK t:Fact(sid, id)
        WHERE r.created_at < f.expired_at AND r.expired_at >= f.expired_at
          AND (e.session IS NOT NULL OR e.agent IS NOT NULL)
        RETURN DISTINCT [e.session, e.agent]
      }
    }
  }
}) AS found
