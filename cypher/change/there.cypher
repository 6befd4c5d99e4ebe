// Reads what a change set is checked against before it is written.
// Parameters, in $p: sid STRING; forever, few INTEGER; episodes, episode_keys, entities, keys, claims,
//   linked, facts, resting, records, suggestions LIST of STRING (ids, keys and known_as); labels LIST
//   of {fact, episode, session_key, agent_key}, the keys of an episode that is yet to be written.
// Returns: episodes LIST of {id, known_as}; entities LIST of {entity, labels, names, words}; holders
//   LIST of {key, id}, whose those keys are; claims LIST of {id, withdrawn, withdrawn_why}; linked
//   LIST of {claim, live INTEGER since when its live link is}; facts LIST of {id, record, created_at,
//   terms}, the live records; resting LIST of {fact, claim, created_at}, the live evidence; records,
//   suggestions LIST; labels LIST of those {fact, episode} whose labels the live
//   evidence has already.
RETURN COLLECT {
    CALL () {
      UNWIND $p.episodes AS id
      MATCH (e:Episode {sid: $p.sid, id: id})
      USING INDEX SEEK e:Episode(sid, id)
      RETURN e
      UNION
      UNWIND $p.episode_keys AS key
      MATCH (e:Episode {sid: $p.sid, known_as: key})
      USING INDEX SEEK e:Episode(sid, known_as)
      RETURN e
    }
    RETURN e {.id, .known_as}
  } AS episodes,
  COLLECT {
    UNWIND $p.entities AS id
    MATCH (e:Entity {sid: $p.sid, id: id})
    USING INDEX SEEK e:Entity(sid, id)
    RETURN {
      entity: properties(e), labels: labels(e),
      names: COLLECT { MATCH (n:Name)-[:NAMES]->(e) RETURN n.key },
      words: COLLECT { MATCH (t:Term)-[:IN_NAME]->(e) RETURN t.term }
    }
  } AS entities,
  COLLECT {
    UNWIND $p.keys AS key
    MATCH (e:Entity {sid: $p.sid, key: key})
    USING INDEX SEEK e:Entity(sid, key)
    RETURN e {.key, .id}
  } AS holders,
  COLLECT {
    UNWIND $p.claims AS id
    MATCH (c:Claim {sid: $p.sid, id: id})
    USING INDEX SEEK c:Claim(sid, id)
    RETURN c {.id, .withdrawn, .withdrawn_why}
  } AS claims,
  COLLECT {
    UNWIND $p.linked AS id
    MATCH (c:Claim {sid: $p.sid, id: id})
    USING INDEX SEEK c:Claim(sid, id)
    RETURN {
      claim: c {.*, said: null},
      live: head(COLLECT {
        MATCH (c)-[k:ABOUT]->() WHERE k.expired_at = $p.forever RETURN k.created_at
      })
    }
  } AS linked,
  COLLECT {
    UNWIND $p.facts AS id
    MATCH (f:Fact {sid: $p.sid, id: id})
    USING INDEX SEEK f:Fact(sid, id)
    WHERE f.expired_at = $p.forever
    RETURN f {.id, .record, .created_at, .terms}
  } AS facts,
  COLLECT {
    UNWIND $p.resting AS id
    MATCH (f:Fact {sid: $p.sid, id: id})-[r:RESTS_ON]->(c:Claim)
    USING INDEX SEEK f:Fact(sid, id)
    WHERE r.expired_at = $p.forever
    RETURN {fact: id, claim: c.id, created_at: r.created_at}
  } AS resting,
  COLLECT {
    UNWIND $p.records AS record
    MATCH (f:Record {sid: $p.sid, record: record})
    USING INDEX SEEK f:Record(sid, record)
    RETURN record
  } AS records,
  COLLECT {
    UNWIND $p.suggestions AS id
    MATCH ()-[r:SAME_AS {sid: $p.sid, id: id}]->()
    USING INDEX SEEK r:SAME_AS(sid, id)
    RETURN r {.id, .created_at}
  } AS suggestions,
  COLLECT {
    UNWIND $p.labels AS row
    MATCH (f:Fact {sid: $p.sid, id: row.fact})
    USING INDEX SEEK f:Fact(sid, id)
    OPTIONAL MATCH (own:Episode {sid: $p.sid, id: row.episode})
    USING INDEX SEEK own:Episode(sid, id)
    WITH f, row, coalesce(own.session_key, row.session_key) AS session_key,
      coalesce(own.agent_key, row.agent_key) AS agent_key,
      COUNT { (f)-[:RESTS_ON]->() } <= $p.few AS short
    CALL (f, session_key, agent_key, short) {
      WITH session_key, agent_key WHERE session_key + agent_key = ''
      RETURN true AS had
      UNION
      // From the evidence if there is little, else from the session, which then is shorter. What is
      // not to be looked at is not unwound: a filter might be applied after the seek.
      UNWIND CASE WHEN short THEN [f] ELSE [] END AS one
      MATCH (one)-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
      WHERE r.expired_at = $p.forever AND e.session_key = session_key AND e.agent_key = agent_key
      RETURN true AS had LIMIT 1
      UNION
      UNWIND CASE WHEN short THEN [] ELSE [session_key] END AS key
      MATCH (e:Episode)<-[:SAID_IN]-(c:Claim)
      USING INDEX SEEK e:Episode(sid, session_key, occurred_at)
      WHERE e.sid = $p.sid AND e.session_key = key AND e.occurred_at IS NOT NULL
        AND e.agent_key = agent_key
        AND EXISTS { MATCH (c)<-[r:RESTS_ON]-(f) WHERE r.expired_at = $p.forever }
      RETURN true AS had LIMIT 1
    }
    RETURN DISTINCT row {.fact, .episode}
  } AS labels
