// Reads the facts that leave each of some things, newest said first, and those that leave the
// things they lead to: those to other things, either way, and those to a word or to nothing.
// Parameters, in $p: key STRING, of the scope; entities LIST of STRING; reached LIST of STRING,
//   things that are not gone on from; further, beyond BOOLEAN, whether facts to other things are
//   wanted of the first, and of the second; thing STRING, the kind of an object that is one; fanout
//   INTEGER, most of each; known_at INTEGER or null; forever INTEGER; what passes: statuses LIST of
//   STRING; first, last INTEGER, between which it holds; upcoming, uncertain BOOLEAN, what else may
//   be; planned STRING, the modality of plans; polarity, modality STRING or null; predicates,
//   sessions, agents LIST of STRING or null.
// Returns: number INTEGER or null, the scope's last change; left LIST of {entity, further whether
//   it leads to another thing, fact, evidence, successor}.
OPTIONAL MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
CALL (s) {
  UNWIND $p.entities AS entity
  UNWIND CASE WHEN $p.further THEN [false, true] ELSE [false] END AS further
  CALL (s, entity, further) {
    CALL (s, entity, further) {
      MATCH (f:Record)
      USING INDEX SEEK f:Record(sid, subject_key, joins, said_at)
      WHERE f.sid = s.id AND f.subject_key = entity AND f.joins = further
        AND f.said_at IS NOT NULL
        AND CASE WHEN $p.known_at IS NULL THEN f.expired_at = $p.forever
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
      ORDER BY f.sid DESC, f.subject_key DESC, f.joins DESC, f.said_at DESC, f.said_turn DESC,
          f.said_place DESC, f.record
      LIMIT $p.fanout
      RETURN f
      UNION
      WITH CASE WHEN further THEN entity END AS object
      MATCH (f:Record)
      USING INDEX SEEK f:Record(sid, slot, said_at)
      WHERE f.sid = s.id AND f.slot = object AND f.said_at IS NOT NULL AND f.joins
        AND CASE WHEN $p.known_at IS NULL THEN f.expired_at = $p.forever
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
      ORDER BY f.sid DESC, f.slot DESC, f.said_at DESC, f.said_turn DESC, f.said_place DESC, f.record
      LIMIT $p.fanout
      RETURN f
    }
    WITH f
    ORDER BY f.said_at DESC, f.said_turn DESC, f.said_place DESC, f.record
    LIMIT $p.fanout
    RETURN f
  }
  RETURN collect({entity: entity, further: further, f: f}) AS near
}
CALL (s, near) {
  UNWIND [one IN near WHERE one.further] AS one
  WITH one.f AS leading
  UNWIND
    CASE WHEN leading.subject_kind = $p.thing THEN [leading.subject_key] ELSE [] END
    + [leading.object_key] AS entity
  WITH DISTINCT entity
  WHERE NOT entity IN $p.reached
  UNWIND CASE WHEN $p.beyond THEN [false, true] ELSE [false] END AS further
  CALL (s, entity, further) {
    CALL (s, entity, further) {
      MATCH (f:Record)
      USING INDEX SEEK f:Record(sid, subject_key, joins, said_at)
      WHERE f.sid = s.id AND f.subject_key = entity AND f.joins = further
        AND f.said_at IS NOT NULL
        AND CASE WHEN $p.known_at IS NULL THEN f.expired_at = $p.forever
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
      ORDER BY f.sid DESC, f.subject_key DESC, f.joins DESC, f.said_at DESC, f.said_turn DESC,
          f.said_place DESC, f.record
      LIMIT $p.fanout
      RETURN f
      UNION
      WITH CASE WHEN further THEN entity END AS object
      MATCH (f:Record)
      USING INDEX SEEK f:Record(sid, slot, said_at)
      WHERE f.sid = s.id AND f.slot = object AND f.said_at IS NOT NULL AND f.joins
        AND CASE WHEN $p.known_at IS NULL THEN f.expired_at = $p.forever
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
      ORDER BY f.sid DESC, f.slot DESC, f.said_at DESC, f.said_turn DESC, f.said_place DESC, f.record
      LIMIT $p.fanout
      RETURN f
    }
    WITH f
    ORDER BY f.said_at DESC, f.said_turn DESC, f.said_place DESC, f.record
    LIMIT $p.fanout
    RETURN f
  }
  RETURN collect({entity: entity, further: further, f: f}) AS far
}
RETURN
  s.number AS number,
  COLLECT {
    UNWIND near + far AS one
    WITH one, one.f AS f
    RETURN {
      entity: one.entity, further: one.further,
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
  } AS left
