// Reads everything that families ever held, for erasing.
// Parameters, in $p: sid STRING; by_subject LIST of {subject, predicate}, by_slot LIST of {subject,
//   predicate, slot}, by_object LIST of {slot, predicate}; corrects LIST of {subject, predicate},
//   corrects_object LIST of {slot, predicate}.
// Returns: claims LIST of {claim MAP, links LIST of MAP}; records LIST of {fact, evidence LIST of
//   [said_at, said_turn, said_place, id], successor}, evidence as of the end of each record.
RETURN COLLECT {
    CALL () {
      UNWIND $p.by_subject AS row
      MATCH (c:Claim)-[k:ABOUT]->()
      USING INDEX SEEK k:ABOUT(sid, subject, predicate, slot, expired_at)
      WHERE k.sid = $p.sid AND k.subject = row.subject AND k.predicate = row.predicate
        AND k.slot IS NOT NULL AND k.expired_at IS NOT NULL
      RETURN c
      UNION
      UNWIND $p.by_slot AS row
      MATCH (c:Claim)-[k:ABOUT]->()
      USING INDEX SEEK k:ABOUT(sid, subject, predicate, slot, expired_at)
      WHERE k.sid = $p.sid AND k.subject = row.subject AND k.predicate = row.predicate
        AND k.slot = row.slot AND k.expired_at IS NOT NULL
      RETURN c
      UNION
      UNWIND $p.by_object AS row
      MATCH (c:Claim)-[k:ABOUT]->()
      USING INDEX SEEK k:ABOUT(sid, slot, predicate, subject, expired_at)
      WHERE k.sid = $p.sid AND k.slot = row.slot AND k.predicate = row.predicate
        AND k.subject IS NOT NULL AND k.expired_at IS NOT NULL
      RETURN c
      UNION
      UNWIND $p.corrects AS row
      MATCH (c:Claim)-[k:ABOUT]->()
      USING INDEX SEEK k:ABOUT(sid, subject, predicate, corrects)
      WHERE k.sid = $p.sid AND k.subject = row.subject AND k.predicate = row.predicate
        AND k.corrects = true
      RETURN c
      UNION
      UNWIND $p.corrects_object AS row
      MATCH (c:Claim)-[k:ABOUT]->()
      USING INDEX SEEK k:ABOUT(sid, slot, predicate, corrects)
      WHERE k.sid = $p.sid AND k.slot = row.slot AND k.predicate = row.predicate
        AND k.corrects = true
      RETURN c
    }
    RETURN {
      claim: c {.*, said: null}, links: COLLECT { MATCH (c)-[k:ABOUT]->() RETURN properties(k) }
    }
  } AS claims,
  COLLECT {
    CALL () {
      UNWIND $p.by_subject AS row
      MATCH (f:Record)
      USING INDEX SEEK f:Record(sid, subject_key, predicate, slot, expired_at)
      WHERE f.sid = $p.sid AND f.subject_key = row.subject AND f.predicate = row.predicate
        AND f.slot IS NOT NULL AND f.expired_at IS NOT NULL
      RETURN f
      UNION
      UNWIND $p.by_slot AS row
      MATCH (f:Record)
      USING INDEX SEEK f:Record(sid, subject_key, predicate, slot, expired_at)
      WHERE f.sid = $p.sid AND f.subject_key = row.subject AND f.predicate = row.predicate
        AND f.slot = row.slot AND f.expired_at IS NOT NULL
      RETURN f
      UNION
      UNWIND $p.by_object AS row
      MATCH (f:Record)
      USING INDEX SEEK f:Record(sid, slot, predicate, subject_key, expired_at)
      WHERE f.sid = $p.sid AND f.slot = row.slot AND f.predicate = row.predicate
        AND f.subject_key IS NOT NULL AND f.expired_at IS NOT NULL
      RETURN f
    }
    MATCH (id:Fact {sid: $p.sid, id: f.id})
    USING INDEX SEEK id:Fact(sid, id)
    RETURN {
      fact: f {.*, terms: null, weights: null, valid_from: null, valid_to: null},
      evidence: COLLECT {
        MATCH (id)-[r:RESTS_ON]->(c:Claim)
        WHERE r.created_at < f.expired_at AND r.expired_at >= f.expired_at
        RETURN [c.said_at, c.said_turn, c.said_place, c.id]
      },
      successor: head(COLLECT { MATCH (id)-[:GAVE_WAY_TO]->(n:Fact) RETURN n.id })
    }
  } AS records
