// Walks the graph around some things, hop by hop, and reads the facts that it meets: of each thing
// those to other things, either way, and those to a word or to nothing, newest said first. What is
// walked on from is what the worthiest facts lead to; model/walk.py says what a fact is worth.
// Parameters, in $p: key STRING, of the scope; seeds LIST of STRING; known LIST of STRING, records
//   found otherwise; hops LIST of INTEGER, one for each; fanout, beam, beside, limit INTEGER, as in
//   Reach; relations LIST of STRING, predicates of which related INTEGER facts more are read at each
//   hop; cues, words, near MAP, what predicates, terms and records are worth; own STRING or null,
//   around, kin LIST of STRING, which facts are astray; cue, word, meaning, astray FLOAT, what each
//   counts; places INTEGER, of a fact's worth; thing STRING, the kind of an object that is one;
//   known_at INTEGER or null; forever INTEGER; what passes: statuses LIST of STRING; first, last
//   INTEGER, between which it holds; upcoming, uncertain BOOLEAN, what else may be; planned STRING,
//   the modality of plans; polarity, modality STRING or null; predicates, sessions, agents LIST of
//   STRING or null.
// Returns: walked LIST of MAP, things that were walked on from, in order; facts LIST of {fact,
//   evidence, successor}, those known, then the worthiest.
OPTIONAL MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
WITH s, COLLECT {
  UNWIND $p.known AS record
  MATCH (f:Record {sid: s.id, record: record})
  USING INDEX SEEK f:Record(sid, record)
  RETURN f
} AS known
// A hop reads facts of the things that it is to go ``on`` from and those ``beside``, and names the
// things of the next. An expression over a list can hand such a state on, which no clause can; in it
// [x IN [value] | …] gives a value a name.
WITH s, known, reduce(
  state = {on: $p.seeds, beside: [], seen: $p.seeds, walked: [], met: []}, hop IN $p.hops |
  head([
    met IN [COLLECT {
      CALL (s, known, state) {
        UNWIND
          [id IN state.on | {id: id, joins: false}] + [id IN state.on | {id: id, joins: true}]
          + [id IN state.beside | {id: id, joins: false}] AS one
        CALL (s, one) {
          CALL (s, one) {
            MATCH (f:Record)
            USING INDEX SEEK f:Record(sid, subject_key, joins, said_at)
            WHERE f.sid = s.id AND f.subject_key = one.id AND f.joins = one.joins
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
                  AND r.expired_at > coalesce($p.known_at, f.expired_at - 1)
                  AND e.session IN $p.sessions
              })
              AND ($p.agents IS NULL OR EXISTS {
                MATCH (t:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
                USING INDEX SEEK t:Fact(sid, id)
                WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
                  AND r.expired_at > coalesce($p.known_at, f.expired_at - 1)
                  AND e.agent IN $p.agents
              })
            WITH f
            ORDER BY f.sid DESC, f.subject_key DESC, f.joins DESC, f.said_at DESC,
              f.said_turn DESC, f.said_place DESC, f.record
            LIMIT $p.fanout
            RETURN f
            UNION
            WITH CASE WHEN one.joins THEN one.id END AS object
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
                  AND r.expired_at > coalesce($p.known_at, f.expired_at - 1)
                  AND e.session IN $p.sessions
              })
              AND ($p.agents IS NULL OR EXISTS {
                MATCH (t:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
                USING INDEX SEEK t:Fact(sid, id)
                WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
                  AND r.expired_at > coalesce($p.known_at, f.expired_at - 1)
                  AND e.agent IN $p.agents
              })
            WITH f
            ORDER BY f.sid DESC, f.slot DESC, f.said_at DESC, f.said_turn DESC, f.said_place DESC,
              f.record
            LIMIT $p.fanout
            RETURN f
          }
          WITH f
          ORDER BY f.said_at DESC, f.said_turn DESC, f.said_place DESC, f.record
          LIMIT $p.fanout
          RETURN f
        }
        RETURN f
        UNION
        CALL (s, state) {
          UNWIND state.on AS entity
          UNWIND $p.relations AS relation
          MATCH (f:Record)
          USING INDEX SEEK f:Record(sid, subject_key, predicate, slot, expired_at)
          WHERE f.sid = s.id AND f.subject_key = entity AND f.predicate = relation
            AND f.slot IS NOT NULL AND f.expired_at IS NOT NULL
          RETURN f
          UNION
          UNWIND state.on AS entity
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
              AND r.expired_at > coalesce($p.known_at, f.expired_at - 1)
              AND e.session IN $p.sessions
          })
          AND ($p.agents IS NULL OR EXISTS {
            MATCH (t:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
            USING INDEX SEEK t:Fact(sid, id)
            WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
              AND r.expired_at > coalesce($p.known_at, f.expired_at - 1)
              AND e.agent IN $p.agents
          })
        WITH f
        ORDER BY f.said_at DESC, f.said_turn DESC, f.said_place DESC, f.record
        LIMIT $p.related
        RETURN f
        UNION
        UNWIND known AS f
        WITH f
        WHERE f.subject_key IN state.on OR (f.object_kind = $p.thing AND f.object_key IN state.on)
        RETURN f
      }
      WITH f,
        CASE WHEN f.object_kind = $p.thing
          THEN [f.subject_key, f.object_key] ELSE [f.subject_key] END AS ends
      WITH f, ends,
        CASE WHEN size($p.kin) > 0 AND NOT f.predicate IN $p.kin AND $p.own IN ends
            AND (size(ends) = 1 OR ends[0] = ends[1] OR NOT ends[0] IN $p.around
              OR NOT ends[1] IN $p.around)
          THEN $p.astray ELSE 1 END AS left,
        reduce(
          sum = 0.0, term IN coalesce(f.terms, []) | sum + coalesce($p.words[term], 0.0)
        ) AS words
      RETURN {f: f, ends: ends, worth: round(
        1 - (1 - $p.cue * left * coalesce($p.cues[f.predicate], 0.0))
        * (1 - $p.word * left * words)
        * (1 - $p.meaning * coalesce($p.near[f.record], 0.0)),
        $p.places
      )}
    }] |
    head([
      further IN [reduce(
        ids = [],
        id IN COLLECT {
          UNWIND met AS one
          UNWIND one.ends AS id
          WITH one, id
          WHERE NOT id IN state.seen
          RETURN id
          ORDER BY one.worth DESC, one.f.said_at DESC, one.f.said_turn DESC,
            one.f.said_place DESC, id
        } |
        CASE WHEN size(ids) >= $p.beside OR id IN ids THEN ids ELSE ids + [id] END
      )] |
      {
        on: further[..$p.beam], beside: further[$p.beam..],
        seen: state.seen + further[..$p.beam], walked: state.walked + state.on,
        met: state.met + met
      }
    ])
  ])
) AS state
RETURN
  COLLECT {
    UNWIND state.walked AS id
    MATCH (e:Entity {sid: s.id, id: id})
    USING INDEX SEEK e:Entity(sid, id)
    RETURN e {.*, terms: null, weights: null}
  } AS walked,
  COLLECT {
    CALL (known, state) {
      UNWIND known AS f
      RETURN f, null AS worth
      UNION ALL
      UNWIND state.met AS one
      WITH one.f AS f, max(one.worth) AS worth
      WHERE NOT f IN known
      WITH f, worth
      ORDER BY worth DESC, f.record
      LIMIT $p.limit
      RETURN f, worth
    }
    // What was found otherwise may have left by then.
    WITH f, CASE WHEN $p.known_at < f.expired_at THEN $p.known_at ELSE f.expired_at - 1 END AS at
    RETURN {
      fact: f {.*, terms: null, weights: null, valid_from: null, valid_to: null},
      evidence: COLLECT {
        MATCH (t:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(c:Claim)
        USING INDEX SEEK t:Fact(sid, id)
        WHERE r.created_at <= at AND r.expired_at > at
        RETURN [c.said_at, c.said_turn, c.said_place, c.id]
      },
      successor: head(COLLECT {
        MATCH (t:Fact {sid: f.sid, id: f.id})-[:GAVE_WAY_TO]->(n:Fact)
        USING INDEX SEEK t:Fact(sid, id)
        RETURN n.id
      })
    }
  } AS facts
