// Lists the facts that rest on turns of some sessions, or of some agents, as known now or at an
// instant.
// Parameters, in $p: key STRING, of the scope; session_keys, agent_keys LIST of STRING, where it
//   looks; known_at INTEGER or null; forever INTEGER; what passes: statuses LIST of STRING; first,
//   last INTEGER, between which it holds; upcoming, uncertain BOOLEAN, what else may be; planned
//   STRING, the modality of plans; polarity, modality STRING or null; predicates, sessions, agents
//   LIST of STRING or null; limit INTEGER; after LIST or null, the place of the last row before.
// Returns: total INTEGER; page LIST of {fact, evidence, successor}, newest said first.
OPTIONAL MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
CALL (s) {
  CALL (s) {
    UNWIND $p.session_keys AS key
    MATCH (e:Episode)
    USING INDEX SEEK e:Episode(sid, session_key, occurred_at)
    WHERE e.sid = s.id AND e.session_key = key AND e.occurred_at IS NOT NULL
    RETURN e
    UNION
    UNWIND $p.agent_keys AS key
    MATCH (e:Episode)
    USING INDEX SEEK e:Episode(sid, agent_key)
    WHERE e.sid = s.id AND e.agent_key = key
    RETURN e
  }
  MATCH (e)<-[:SAID_IN]-(:Claim)<-[:RESTS_ON]-(t:Fact)
  WITH DISTINCT s, t.id AS id
  MATCH (f:Record)
  USING INDEX SEEK f:Record(sid, id, created_at)
  WHERE f.sid = s.id AND f.id = id AND f.created_at IS NOT NULL
  WITH f
  WHERE CASE WHEN $p.known_at IS NULL THEN f.expired_at = $p.forever
      ELSE f.created_at <= $p.known_at AND f.expired_at > $p.known_at END
    AND f.status IN $p.statuses
    AND ($p.polarity IS NULL OR f.polarity = $p.polarity)
    AND ($p.modality IS NULL OR f.modality = $p.modality)
    AND ($p.predicates IS NULL OR f.predicate IN $p.predicates)
    AND f.reads_until > $p.first
    AND CASE WHEN f.reads_from <= $p.last THEN true
      WHEN $p.upcoming AND f.modality = $p.planned THEN true
      ELSE $p.uncertain AND f.may_from <= $p.last END
    AND ($p.sessions IS NULL OR EXISTS {
      MATCH (t:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
      USING INDEX SEEK t:Fact(sid, id)
      WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
        AND r.expired_at > coalesce($p.known_at, f.expired_at - 1) AND e.session IN $p.sessions
    })
    AND ($p.agents IS NULL OR EXISTS {
      MATCH (t:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
      USING INDEX SEEK t:Fact(sid, id)
      WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
        AND r.expired_at > coalesce($p.known_at, f.expired_at - 1) AND e.agent IN $p.agents
    })
  RETURN collect(f) AS found
}
RETURN
  size(found) AS total,
  COLLECT {
    UNWIND found AS f
    WITH f
    WHERE CASE WHEN $p.after IS NULL OR f.said_at < $p.after[0] THEN true
        WHEN f.said_at > $p.after[0] THEN false
        ELSE f.said_turn < $p.after[1] OR (f.said_turn = $p.after[1] AND (
          f.said_place < $p.after[2] OR (f.said_place = $p.after[2] AND f.record > $p.after[3])
        )) END
    WITH f
    ORDER BY f.said_at DESC, f.said_turn DESC, f.said_place DESC, f.record
    LIMIT $p.limit
    RETURN {
      fact: f {.*, terms: null, weights: null, valid_from: null, valid_to: null},
      evidence: COLLECT {
        MATCH (t:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(c:Claim)
        USING INDEX SEEK t:Fact(sid, id)
        WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
          AND r.expired_at > coalesce($p.known_at, f.expired_at - 1)
        RETURN [c.said_at, c.said_turn, c.said_place, c.id]
      },
      successor: head(COLLECT {
        MATCH (t:Fact {sid: f.sid, id: f.id})-[:GAVE_WAY_TO]->(n:Fact)
        USING INDEX SEEK t:Fact(sid, id)
        RETURN n.id
      })
    }
  } AS page
