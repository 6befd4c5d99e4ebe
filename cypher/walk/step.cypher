// Reads the facts that leave each of some things, newest said first: those to other things, either
// way, and those to a word or to nothing.
// Parameters, in $p: sid STRING; entities LIST of STRING; further BOOLEAN, whether those to other
//   things are wanted; thing STRING, the kind of an object that is one; fanout INTEGER, most of each;
//   what passes: statuses LIST of STRING; polarity, modality STRING or null; predicates, sessions,
//   agents LIST of STRING or null; first, last INTEGER or null, between which it holds; upcoming,
//   uncertain BOOLEAN, what else may be; planned STRING, the modality of plans; known_at INTEGER or
//   null; forever INTEGER.
// Returns: number LIST of INTEGER, the scope's last change; left LIST of {entity, further whether it
//   leads to another thing, fact, evidence, successor}.
RETURN
  COLLECT { MATCH (s:Scope {id: $p.sid}) RETURN s.number } AS number,
  COLLECT {
    UNWIND $p.entities AS entity
    UNWIND CASE WHEN $p.further THEN [false, true] ELSE [false] END AS further
    CALL (entity, further) {
      CALL (entity, further) {
        MATCH (f:Record)
        USING INDEX SEEK f:Record(sid, subject_key, predicate, slot, expired_at)
        WHERE f.sid = $p.sid AND f.subject_key = entity AND f.predicate IS NOT NULL
          AND f.slot IS NOT NULL AND f.expired_at IS NOT NULL
        RETURN f
        UNION
        WITH CASE WHEN further THEN entity END AS object
        MATCH (f:Record)
        USING INDEX SEEK f:Record(sid, slot, predicate, subject_key, expired_at)
        WHERE f.sid = $p.sid AND f.slot = object AND f.predicate IS NOT NULL
          AND f.subject_key IS NOT NULL AND f.expired_at IS NOT NULL
        RETURN f
      }
      WITH f, further
      WHERE further = coalesce(f.object_kind = $p.thing, false)
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
      RETURN f
    }
    RETURN {
      entity: entity, further: further,
      fact: f {.*, terms: null, weights: null, valid_from: null, valid_to: null},
      evidence: COLLECT {
        MATCH (:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(c:Claim)
        WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
          AND r.expired_at > coalesce($p.known_at, f.expired_at - 1)
        RETURN [c.said_at, c.said_turn, c.said_place, c.id]
      },
      successor: head(COLLECT {
        MATCH (:Fact {sid: f.sid, id: f.id})-[:GAVE_WAY_TO]->(n:Fact) RETURN n.id
      })
    }
  } AS left
