// Walks from entities over relations, a step at a time, and reads which facts leave each entity it
// comes to: at most so many of each kind, the last said first, of those that pass.
// Parameters, in $p: sid, entity STRING, the kind of values that are entities; seeds LIST of STRING;
//   hops, fanout INTEGER; forever INTEGER; statuses LIST of STRING; polarity,
//   modality STRING or null; predicates, sessions, agents LIST of STRING or null; first, last INTEGER
//   or null; upcoming, uncertain BOOLEAN; planned STRING; known_at INTEGER or null.
// Returns: steps LIST of {entity, literals, relations}.
CALL () {
  UNWIND $p.seeds AS entity
  CALL (entity) {
    MATCH (f:Record)
    USING INDEX SEEK f:Record(sid, subject_key, predicate, slot, expired_at)
    WHERE f.sid = $p.sid AND f.subject_key = entity AND f.predicate IS NOT NULL
      AND f.slot IS NOT NULL AND f.expired_at IS NOT NULL
      AND (f.object_kind IS NULL OR f.object_kind <> $p.entity)
      AND CASE WHEN $p.known_at IS NULL THEN f.expired_at = $p.forever
        ELSE f.created_at <= $p.known_at AND f.expired_at > $p.known_at END
      AND f.status IN $p.statuses
      AND ($p.polarity IS NULL OR f.polarity = $p.polarity)
      AND ($p.modality IS NULL OR f.modality = $p.modality)
      AND ($p.predicates IS NULL OR f.predicate IN $p.predicates)
      AND ($p.first IS NULL OR f.reads_until > $p.first)
      AND (
        $p.last IS NULL OR f.reads_from <= $p.last
        OR ($p.upcoming AND f.modality = $p.planned) OR ($p.uncertain AND f.may_from <= $p.last)
      )
      AND ($p.sessions IS NULL OR EXISTS {
        MATCH (:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
        WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
          AND r.expired_at > coalesce($p.known_at, f.expired_at - 1) AND e.session IN $p.sessions
      })
      AND ($p.agents IS NULL OR EXISTS {
        MATCH (:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
        WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
          AND r.expired_at > coalesce($p.known_at, f.expired_at - 1) AND e.agent IN $p.agents
      })
    WITH f
    ORDER BY f.said_at DESC, f.said_turn DESC, f.said_place DESC, f.record
    LIMIT $p.fanout
    RETURN collect(f.record) AS literals
  }
  CALL (entity) {
    CALL (entity) {
      MATCH (f:Record)
      USING INDEX SEEK f:Record(sid, subject_key, predicate, slot, expired_at)
      WHERE f.sid = $p.sid AND f.subject_key = entity AND f.predicate IS NOT NULL
        AND f.slot IS NOT NULL AND f.expired_at IS NOT NULL AND $p.hops > 0
      RETURN f
      UNION
      MATCH (f:Record)
      USING INDEX SEEK f:Record(sid, slot, predicate, subject_key, expired_at)
      WHERE f.sid = $p.sid AND f.slot = entity AND f.predicate IS NOT NULL
        AND f.subject_key IS NOT NULL AND f.expired_at IS NOT NULL AND $p.hops > 0
      RETURN f
    }
    WITH f
    WHERE f.object_kind = $p.entity
      AND CASE WHEN $p.known_at IS NULL THEN f.expired_at = $p.forever
        ELSE f.created_at <= $p.known_at AND f.expired_at > $p.known_at END
      AND f.status IN $p.statuses
      AND ($p.polarity IS NULL OR f.polarity = $p.polarity)
      AND ($p.modality IS NULL OR f.modality = $p.modality)
      AND ($p.predicates IS NULL OR f.predicate IN $p.predicates)
      AND ($p.first IS NULL OR f.reads_until > $p.first)
      AND (
        $p.last IS NULL OR f.reads_from <= $p.last
        OR ($p.upcoming AND f.modality = $p.planned) OR ($p.uncertain AND f.may_from <= $p.last)
      )
      AND ($p.sessions IS NULL OR EXISTS {
        MATCH (:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
        WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
          AND r.expired_at > coalesce($p.known_at, f.expired_at - 1) AND e.session IN $p.sessions
      })
      AND ($p.agents IS NULL OR EXISTS {
        MATCH (:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
        WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
          AND r.expired_at > coalesce($p.known_at, f.expired_at - 1) AND e.agent IN $p.agents
      })
    WITH f
    ORDER BY f.said_at DESC, f.said_turn DESC, f.said_place DESC, f.record
    LIMIT $p.fanout
    RETURN collect({
      record: f.record,
      ends: CASE WHEN f.subject_kind = $p.entity THEN [f.subject_key, f.object_key]
        ELSE [f.object_key] END
    }) AS relations
  }
  RETURN collect({entity: entity, literals: literals, relations: relations}) AS first_steps
}
CALL (first_steps) {
  UNWIND first_steps AS step
  UNWIND step.relations AS relation
  UNWIND relation.ends AS entity
  WITH DISTINCT entity
  WHERE $p.hops >= 1 AND NOT entity IN $p.seeds
  CALL (entity) {
    MATCH (f:Record)
    USING INDEX SEEK f:Record(sid, subject_key, predicate, slot, expired_at)
    WHERE f.sid = $p.sid AND f.subject_key = entity AND f.predicate IS NOT NULL
      AND f.slot IS NOT NULL AND f.expired_at IS NOT NULL
      AND (f.object_kind IS NULL OR f.object_kind <> $p.entity)
      AND CASE WHEN $p.known_at IS NULL THEN f.expired_at = $p.forever
        ELSE f.created_at <= $p.known_at AND f.expired_at > $p.known_at END
      AND f.status IN $p.statuses
      AND ($p.polarity IS NULL OR f.polarity = $p.polarity)
      AND ($p.modality IS NULL OR f.modality = $p.modality)
      AND ($p.predicates IS NULL OR f.predicate IN $p.predicates)
      AND ($p.first IS NULL OR f.reads_until > $p.first)
      AND (
        $p.last IS NULL OR f.reads_from <= $p.last
        OR ($p.upcoming AND f.modality = $p.planned) OR ($p.uncertain AND f.may_from <= $p.last)
      )
      AND ($p.sessions IS NULL OR EXISTS {
        MATCH (:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
        WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
          AND r.expired_at > coalesce($p.known_at, f.expired_at - 1) AND e.session IN $p.sessions
      })
      AND ($p.agents IS NULL OR EXISTS {
        MATCH (:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
        WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
          AND r.expired_at > coalesce($p.known_at, f.expired_at - 1) AND e.agent IN $p.agents
      })
    WITH f
    ORDER BY f.said_at DESC, f.said_turn DESC, f.said_place DESC, f.record
    LIMIT $p.fanout
    RETURN collect(f.record) AS literals
  }
  CALL (entity) {
    CALL (entity) {
      MATCH (f:Record)
      USING INDEX SEEK f:Record(sid, subject_key, predicate, slot, expired_at)
      WHERE f.sid = $p.sid AND f.subject_key = entity AND f.predicate IS NOT NULL
        AND f.slot IS NOT NULL AND f.expired_at IS NOT NULL AND $p.hops > 1
      RETURN f
      UNION
      MATCH (f:Record)
      USING INDEX SEEK f:Record(sid, slot, predicate, subject_key, expired_at)
      WHERE f.sid = $p.sid AND f.slot = entity AND f.predicate IS NOT NULL
        AND f.subject_key IS NOT NULL AND f.expired_at IS NOT NULL AND $p.hops > 1
      RETURN f
    }
    WITH f
    WHERE f.object_kind = $p.entity
      AND CASE WHEN $p.known_at IS NULL THEN f.expired_at = $p.forever
        ELSE f.created_at <= $p.known_at AND f.expired_at > $p.known_at END
      AND f.status IN $p.statuses
      AND ($p.polarity IS NULL OR f.polarity = $p.polarity)
      AND ($p.modality IS NULL OR f.modality = $p.modality)
      AND ($p.predicates IS NULL OR f.predicate IN $p.predicates)
      AND ($p.first IS NULL OR f.reads_until > $p.first)
      AND (
        $p.last IS NULL OR f.reads_from <= $p.last
        OR ($p.upcoming AND f.modality = $p.planned) OR ($p.uncertain AND f.may_from <= $p.last)
      )
      AND ($p.sessions IS NULL OR EXISTS {
        MATCH (:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
        WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
          AND r.expired_at > coalesce($p.known_at, f.expired_at - 1) AND e.session IN $p.sessions
      })
      AND ($p.agents IS NULL OR EXISTS {
        MATCH (:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
        WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
          AND r.expired_at > coalesce($p.known_at, f.expired_at - 1) AND e.agent IN $p.agents
      })
    WITH f
    ORDER BY f.said_at DESC, f.said_turn DESC, f.said_place DESC, f.record
    LIMIT $p.fanout
    RETURN collect({
      record: f.record,
      ends: CASE WHEN f.subject_kind = $p.entity THEN [f.subject_key, f.object_key]
        ELSE [f.object_key] END
    }) AS relations
  }
  RETURN collect({entity: entity, literals: literals, relations: relations}) AS second_steps
}
CALL (second_steps) {
  UNWIND second_steps AS step
  UNWIND step.relations AS relation
  UNWIND relation.ends AS entity
  WITH DISTINCT entity, second_steps
  WHERE $p.hops >= 2 AND NOT entity IN $p.seeds AND NOT entity IN [s IN second_steps | s.entity]
  CALL (entity) {
    MATCH (f:Record)
    USING INDEX SEEK f:Record(sid, subject_key, predicate, slot, expired_at)
    WHERE f.sid = $p.sid AND f.subject_key = entity AND f.predicate IS NOT NULL
      AND f.slot IS NOT NULL AND f.expired_at IS NOT NULL
      AND (f.object_kind IS NULL OR f.object_kind <> $p.entity)
      AND CASE WHEN $p.known_at IS NULL THEN f.expired_at = $p.forever
        ELSE f.created_at <= $p.known_at AND f.expired_at > $p.known_at END
      AND f.status IN $p.statuses
      AND ($p.polarity IS NULL OR f.polarity = $p.polarity)
      AND ($p.modality IS NULL OR f.modality = $p.modality)
      AND ($p.predicates IS NULL OR f.predicate IN $p.predicates)
      AND ($p.first IS NULL OR f.reads_until > $p.first)
      AND (
        $p.last IS NULL OR f.reads_from <= $p.last
        OR ($p.upcoming AND f.modality = $p.planned) OR ($p.uncertain AND f.may_from <= $p.last)
      )
      AND ($p.sessions IS NULL OR EXISTS {
        MATCH (:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
        WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
          AND r.expired_at > coalesce($p.known_at, f.expired_at - 1) AND e.session IN $p.sessions
      })
      AND ($p.agents IS NULL OR EXISTS {
        MATCH (:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
        WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
          AND r.expired_at > coalesce($p.known_at, f.expired_at - 1) AND e.agent IN $p.agents
      })
    WITH f
    ORDER BY f.said_at DESC, f.said_turn DESC, f.said_place DESC, f.record
    LIMIT $p.fanout
    RETURN collect(f.record) AS literals
  }
  CALL (entity) {
    CALL (entity) {
      MATCH (f:Record)
      USING INDEX SEEK f:Record(sid, subject_key, predicate, slot, expired_at)
      WHERE f.sid = $p.sid AND f.subject_key = entity AND f.predicate IS NOT NULL
        AND f.slot IS NOT NULL AND f.expired_at IS NOT NULL AND $p.hops > 2
      RETURN f
      UNION
      MATCH (f:Record)
      USING INDEX SEEK f:Record(sid, slot, predicate, subject_key, expired_at)
      WHERE f.sid = $p.sid AND f.slot = entity AND f.predicate IS NOT NULL
        AND f.subject_key IS NOT NULL AND f.expired_at IS NOT NULL AND $p.hops > 2
      RETURN f
    }
    WITH f
    WHERE f.object_kind = $p.entity
      AND CASE WHEN $p.known_at IS NULL THEN f.expired_at = $p.forever
        ELSE f.created_at <= $p.known_at AND f.expired_at > $p.known_at END
      AND f.status IN $p.statuses
      AND ($p.polarity IS NULL OR f.polarity = $p.polarity)
      AND ($p.modality IS NULL OR f.modality = $p.modality)
      AND ($p.predicates IS NULL OR f.predicate IN $p.predicates)
      AND ($p.first IS NULL OR f.reads_until > $p.first)
      AND (
        $p.last IS NULL OR f.reads_from <= $p.last
        OR ($p.upcoming AND f.modality = $p.planned) OR ($p.uncertain AND f.may_from <= $p.last)
      )
      AND ($p.sessions IS NULL OR EXISTS {
        MATCH (:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
        WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
          AND r.expired_at > coalesce($p.known_at, f.expired_at - 1) AND e.session IN $p.sessions
      })
      AND ($p.agents IS NULL OR EXISTS {
        MATCH (:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
        WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
          AND r.expired_at > coalesce($p.known_at, f.expired_at - 1) AND e.agent IN $p.agents
      })
    WITH f
    ORDER BY f.said_at DESC, f.said_turn DESC, f.said_place DESC, f.record
    LIMIT $p.fanout
    RETURN collect({
      record: f.record,
      ends: CASE WHEN f.subject_kind = $p.entity THEN [f.subject_key, f.object_key]
        ELSE [f.object_key] END
    }) AS relations
  }
  RETURN collect({entity: entity, literals: literals, relations: relations}) AS third_steps
}
CALL (second_steps, third_steps) {
  UNWIND third_steps AS step
  UNWIND step.relations AS relation
  UNWIND relation.ends AS entity
  WITH DISTINCT entity, second_steps, third_steps
  WHERE $p.hops >= 3 AND NOT entity IN $p.seeds AND NOT entity IN [s IN second_steps | s.entity]
    AND NOT entity IN [s IN third_steps | s.entity]
  CALL (entity) {
    MATCH (f:Record)
    USING INDEX SEEK f:Record(sid, subject_key, predicate, slot, expired_at)
    WHERE f.sid = $p.sid AND f.subject_key = entity AND f.predicate IS NOT NULL
      AND f.slot IS NOT NULL AND f.expired_at IS NOT NULL
      AND (f.object_kind IS NULL OR f.object_kind <> $p.entity)
      AND CASE WHEN $p.known_at IS NULL THEN f.expired_at = $p.forever
        ELSE f.created_at <= $p.known_at AND f.expired_at > $p.known_at END
      AND f.status IN $p.statuses
      AND ($p.polarity IS NULL OR f.polarity = $p.polarity)
      AND ($p.modality IS NULL OR f.modality = $p.modality)
      AND ($p.predicates IS NULL OR f.predicate IN $p.predicates)
      AND ($p.first IS NULL OR f.reads_until > $p.first)
      AND (
        $p.last IS NULL OR f.reads_from <= $p.last
        OR ($p.upcoming AND f.modality = $p.planned) OR ($p.uncertain AND f.may_from <= $p.last)
      )
      AND ($p.sessions IS NULL OR EXISTS {
        MATCH (:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
        WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
          AND r.expired_at > coalesce($p.known_at, f.expired_at - 1) AND e.session IN $p.sessions
      })
      AND ($p.agents IS NULL OR EXISTS {
        MATCH (:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
        WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
          AND r.expired_at > coalesce($p.known_at, f.expired_at - 1) AND e.agent IN $p.agents
      })
    WITH f
    ORDER BY f.said_at DESC, f.said_turn DESC, f.said_place DESC, f.record
    LIMIT $p.fanout
    RETURN collect(f.record) AS literals
  }
  CALL (entity) {
    CALL (entity) {
      MATCH (f:Record)
      USING INDEX SEEK f:Record(sid, subject_key, predicate, slot, expired_at)
      WHERE f.sid = $p.sid AND f.subject_key = entity AND f.predicate IS NOT NULL
        AND f.slot IS NOT NULL AND f.expired_at IS NOT NULL AND $p.hops > 3
      RETURN f
      UNION
      MATCH (f:Record)
      USING INDEX SEEK f:Record(sid, slot, predicate, subject_key, expired_at)
      WHERE f.sid = $p.sid AND f.slot = entity AND f.predicate IS NOT NULL
        AND f.subject_key IS NOT NULL AND f.expired_at IS NOT NULL AND $p.hops > 3
      RETURN f
    }
    WITH f
    WHERE f.object_kind = $p.entity
      AND CASE WHEN $p.known_at IS NULL THEN f.expired_at = $p.forever
        ELSE f.created_at <= $p.known_at AND f.expired_at > $p.known_at END
      AND f.status IN $p.statuses
      AND ($p.polarity IS NULL OR f.polarity = $p.polarity)
      AND ($p.modality IS NULL OR f.modality = $p.modality)
      AND ($p.predicates IS NULL OR f.predicate IN $p.predicates)
      AND ($p.first IS NULL OR f.reads_until > $p.first)
      AND (
        $p.last IS NULL OR f.reads_from <= $p.last
        OR ($p.upcoming AND f.modality = $p.planned) OR ($p.uncertain AND f.may_from <= $p.last)
      )
      AND ($p.sessions IS NULL OR EXISTS {
        MATCH (:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
        WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
          AND r.expired_at > coalesce($p.known_at, f.expired_at - 1) AND e.session IN $p.sessions
      })
      AND ($p.agents IS NULL OR EXISTS {
        MATCH (:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
        WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
          AND r.expired_at > coalesce($p.known_at, f.expired_at - 1) AND e.agent IN $p.agents
      })
    WITH f
    ORDER BY f.said_at DESC, f.said_turn DESC, f.said_place DESC, f.record
    LIMIT $p.fanout
    RETURN collect({
      record: f.record,
      ends: CASE WHEN f.subject_kind = $p.entity THEN [f.subject_key, f.object_key]
        ELSE [f.object_key] END
    }) AS relations
  }
  RETURN collect({entity: entity, literals: literals, relations: relations}) AS fourth_steps
}
RETURN first_steps + second_steps + third_steps + fourth_steps AS steps
