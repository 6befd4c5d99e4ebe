// Lists facts of some predicates by what they are about, as known now or at an instant.
// Parameters, in $p: key STRING, of the scope; by_subject, by_object LIST of STRING, where it
//   looks; subjects, objects, either_of LIST of STRING or null; either BOOLEAN, whether a subject
//   may stand as object; known_at INTEGER or null; forever INTEGER; what passes: statuses LIST of
//   STRING; first, last INTEGER, between which it holds; upcoming, uncertain BOOLEAN, what else may
//   be; planned STRING, the modality of plans; polarity, modality STRING or null; predicates,
//   sessions, agents LIST of STRING or null, here with predicates; limit INTEGER; after LIST or
//   null, the place of the last row before.
// Returns: total INTEGER; page LIST of {fact, evidence, successor}, newest said first.
OPTIONAL MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
CALL (s) {
  CALL (s) {
    UNWIND $p.by_subject AS key
    UNWIND $p.predicates AS predicate
    MATCH (f:Record)
    USING INDEX SEEK f:Record(sid, subject_key, predicate, slot, expired_at)
    WHERE f.sid = s.id AND f.subject_key = key AND f.predicate = predicate
      AND f.slot IS NOT NULL AND f.expired_at IS NOT NULL
    RETURN f
    UNION
    UNWIND $p.by_object AS key
    UNWIND $p.predicates AS predicate
    MATCH (f:Record)
    USING INDEX SEEK f:Record(sid, slot, predicate, subject_key, expired_at)
    WHERE f.sid = s.id AND f.slot = key AND f.predicate = predicate
      AND f.subject_key IS NOT NULL AND f.expired_at IS NOT NULL
    RETURN f
  }
  WITH f
  WHERE CASE WHEN $p.known_at IS NULL THEN f.expired_at = $p.forever
      ELSE f.created_at <= $p.known_at AND f.expired_at > $p.known_at END
    AND f.status IN $p.statuses
    AND ((
      ($p.subjects IS NULL OR f.subject_key IN $p.subjects)
      AND ($p.objects IS NULL OR f.slot IN $p.objects)
    ) OR (
      $p.either
      AND ($p.subjects IS NULL OR f.slot IN $p.subjects)
      AND ($p.objects IS NULL OR f.subject_key IN $p.objects)
      AND ($p.either_of IS NULL OR f.predicate IN $p.either_of)
    ))
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
