// Reads what ranking needs of candidates for an answer.
// Parameters, in $p: key STRING, of the scope; records, turns, entities LIST of STRING, their ids; beside
//   LIST of STRING, turns with which come the two said before and after them; around LIST of
//   STRING, entities, and relations LIST of STRING, the predicates of facts that join one of them;
//   limit INTEGER, most of those; at INTEGER, of the record axis; what passes: statuses LIST of
//   STRING; polarity, modality STRING or null; predicates, sessions, agents LIST of STRING or null;
//   first, last INTEGER, between which it holds; upcoming, uncertain BOOLEAN, what else may
//   be; planned STRING, the modality of plans; known_at INTEGER or null; forever INTEGER.
// Returns: facts LIST of {fact, claims, last_said or null}; turns LIST of {turn, facts LIST of ids,
//   quoted}; entities LIST of MAP, but for those that were merged away.
OPTIONAL MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
RETURN
  COLLECT {
    CALL (s) {
      UNWIND $p.records AS id
      MATCH (f:Record {sid: s.id, record: id})
      USING INDEX SEEK f:Record(sid, record)
      RETURN f
      UNION
      UNWIND $p.turns AS turn
      MATCH (c:Claim {sid: s.id, episode: turn})<-[r:RESTS_ON]-(t:Fact)
      USING INDEX SEEK c:Claim(sid, episode)
      WHERE r.created_at <= $p.at AND r.expired_at > $p.at
      WITH DISTINCT t.id AS id
      MATCH (f:Record)
      USING INDEX SEEK f:Record(sid, id, created_at)
      WHERE f.sid = s.id AND f.id = id AND f.created_at <= $p.at
      RETURN f
      UNION
      CALL (s) {
        UNWIND $p.around AS entity
        UNWIND $p.relations AS relation
        MATCH (f:Record)
        USING INDEX SEEK f:Record(sid, subject_key, predicate, slot, expired_at)
        WHERE f.sid = s.id AND f.subject_key = entity AND f.predicate = relation
          AND f.slot IS NOT NULL AND f.expired_at IS NOT NULL
        RETURN f
        UNION
        UNWIND $p.around AS entity
        UNWIND $p.relations AS relation
        MATCH (f:Record)
        USING INDEX SEEK f:Record(sid, slot, predicate, subject_key, expired_at)
        WHERE f.sid = s.id AND f.slot = entity AND f.predicate = relation
          AND f.subject_key IS NOT NULL AND f.expired_at IS NOT NULL
        RETURN f
      }
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
      WITH f
      ORDER BY f.said_at DESC, f.said_turn DESC, f.said_place DESC, f.record
      LIMIT $p.limit
      RETURN f
    }
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
    CALL (f) {
      MATCH (t:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(c:Claim)
      USING INDEX SEEK t:Fact(sid, id)
      WHERE r.created_at <= $p.at AND r.expired_at > $p.at
      RETURN count(c) AS claims, max(c.said_at) AS last_said
    }
    RETURN {
      fact: f {
        .record, .id, .subject_key, .subject_text, .predicate, .object_kind, .object_key,
        .object_text, .polarity, .qualifiers, .statement, .start, .importance, .said_at,
        .said_turn, .said_place
      },
      claims: claims, last_said: last_said
    }
  } AS facts,
  COLLECT {
    CALL (s) {
      UNWIND $p.turns AS id
      MATCH (e:Episode {sid: s.id, id: id})
      USING INDEX SEEK e:Episode(sid, id)
      RETURN e
      UNION
      UNWIND $p.beside AS id
      MATCH (t:Episode {sid: s.id, id: id})
      USING INDEX SEEK t:Episode(sid, id)
      CALL (t) {
        MATCH (e:Episode)
        USING INDEX SEEK e:Episode(sid, session_key, occurred_at)
        WHERE e.sid = t.sid AND e.session_key = t.session_key AND e.occurred_at >= t.occurred_at
          AND (e.occurred_at > t.occurred_at OR e.place > t.place
            OR e.place = t.place AND e.id > t.id)
          AND CASE WHEN t.session IS NULL THEN e.session IS NULL ELSE e.session = t.session END
          AND ($p.known_at IS NULL OR e.created_at <= $p.known_at)
          AND ($p.agents IS NULL OR e.agent IN $p.agents)
        WITH e
        ORDER BY e.sid, e.session_key, e.occurred_at, e.place, e.id
        LIMIT 2
        RETURN e
        UNION
        MATCH (e:Episode)
        USING INDEX SEEK e:Episode(sid, session_key, occurred_at)
        WHERE e.sid = t.sid AND e.session_key = t.session_key AND e.occurred_at <= t.occurred_at
          AND (e.occurred_at < t.occurred_at OR e.place < t.place
            OR e.place = t.place AND e.id < t.id)
          AND CASE WHEN t.session IS NULL THEN e.session IS NULL ELSE e.session = t.session END
          AND ($p.known_at IS NULL OR e.created_at <= $p.known_at)
          AND ($p.agents IS NULL OR e.agent IN $p.agents)
        WITH e
        ORDER BY e.sid DESC, e.session_key DESC, e.occurred_at DESC, e.place DESC, e.id DESC
        LIMIT 2
        RETURN e
      }
      RETURN e
    }
    RETURN {
      turn: e {.id, .session, .occurred_at, .place, .role, .speaker, .content},
      facts: COLLECT {
        MATCH (e)<-[:SAID_IN]-(:Claim)<-[r:RESTS_ON]-(f:Fact)
        WHERE r.created_at <= $p.at AND r.expired_at > $p.at
        RETURN DISTINCT f.id
      },
      quoted: EXISTS { MATCH (e)<-[:SAID_IN]-(c:Claim) WHERE c.quote <> "" }
    }
  } AS turns,
  COLLECT {
    UNWIND $p.entities AS id
    MATCH (e:Entity {sid: s.id, id: id})
    USING INDEX SEEK e:Entity(sid, id)
    WHERE e.merged_into IS NULL
    RETURN e {.*, terms: null, weights: null}
  } AS entities
