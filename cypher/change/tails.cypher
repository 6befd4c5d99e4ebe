// Finds the ends of large families: the claims of one manner are one run of an index, with the one
// that reaches furthest at its end.
// Parameters, in $p: sid STRING; forever INTEGER; runs LIST of {tail, run, subject, predicate};
//   slot_runs LIST of {tail, run, subject, predicate, slot}; what must not be there: slots LIST of
//   {tail, subject, predicate, slot}, corrects LIST of {tail, subject, predicate}, corrects_object
//   LIST of {tail, slot, predicate}.
// Returns: runs LIST of {tail INTEGER, run INTEGER, first STRING the least manner, last STRING the
//   greatest, reach INTEGER, claim, link MAP, withdrawn BOOLEAN, facts LIST of {fact, successor}, at
//   most two}; barred LIST of INTEGER, tails beside which there is what must not be.
RETURN COLLECT {
    CALL () {
      UNWIND $p.runs AS row
      CALL (row) {
        MATCH ()-[k:ABOUT]->()
        USING INDEX SEEK k:ABOUT(sid, subject, predicate, manner, reach)
        WHERE k.sid = $p.sid AND k.subject = row.subject AND k.predicate = row.predicate
          AND k.manner IS NOT NULL AND k.reach IS NOT NULL
        RETURN k.manner AS first
        ORDER BY k.sid, k.subject, k.predicate, k.manner, k.reach LIMIT 1
      }
      CALL (row) {
        MATCH (c:Claim)-[k:ABOUT]->()
        USING INDEX SEEK k:ABOUT(sid, subject, predicate, manner, reach)
        WHERE k.sid = $p.sid AND k.subject = row.subject AND k.predicate = row.predicate
          AND k.manner IS NOT NULL AND k.reach IS NOT NULL
        RETURN c, k
        ORDER BY k.sid DESC, k.subject DESC, k.predicate DESC, k.manner DESC, k.reach DESC LIMIT 1
      }
      RETURN row, first, c, k
      UNION ALL
      UNWIND $p.slot_runs AS row
      CALL (row) {
        MATCH ()-[k:ABOUT]->()
        USING INDEX SEEK k:ABOUT(sid, subject, predicate, slot, manner, reach)
        WHERE k.sid = $p.sid AND k.subject = row.subject AND k.predicate = row.predicate
          AND k.slot = row.slot AND k.manner IS NOT NULL AND k.reach IS NOT NULL
        RETURN k.manner AS first
        ORDER BY k.sid, k.subject, k.predicate, k.slot, k.manner, k.reach LIMIT 1
      }
      CALL (row) {
        MATCH (c:Claim)-[k:ABOUT]->()
        USING INDEX SEEK k:ABOUT(sid, subject, predicate, slot, manner, reach)
        WHERE k.sid = $p.sid AND k.subject = row.subject AND k.predicate = row.predicate
          AND k.slot = row.slot AND k.manner IS NOT NULL AND k.reach IS NOT NULL
        RETURN c, k
        ORDER BY k.sid DESC, k.subject DESC, k.predicate DESC, k.slot DESC, k.manner DESC,
          k.reach DESC
        LIMIT 1
      }
      RETURN row, first, c, k
    }
    CALL (c) {
      MATCH (c)<-[r:RESTS_ON]-(f:Fact)
      WHERE r.expired_at = $p.forever AND f.expired_at = $p.forever
      WITH f LIMIT 2
      RETURN collect({
        fact: f {.*, terms: null, weights: null, valid_from: null, valid_to: null},
        successor: head(COLLECT { MATCH (f)-[:GAVE_WAY_TO]->(n:Fact) RETURN n.id })
      }) AS facts
    }
    RETURN {
      tail: row.tail, run: row.run, first: first, last: k.manner, reach: k.reach,
      claim: c {.*, said: null}, link: properties(k),
      withdrawn: coalesce(c.withdrawn[-1] = $p.forever, false), facts: facts
    }
  } AS runs,
  COLLECT {
    CALL () {
      UNWIND $p.slots AS row
      CALL (row) {
        MATCH ()-[k:ABOUT]->()
        USING INDEX SEEK k:ABOUT(sid, subject, predicate, slot, manner, reach)
        WHERE k.sid = $p.sid AND k.subject = row.subject AND k.predicate = row.predicate
          AND k.slot = row.slot AND k.manner IS NOT NULL AND k.reach IS NOT NULL
        RETURN k LIMIT 1
      }
      RETURN row.tail AS tail
      UNION
      UNWIND $p.corrects AS row
      CALL (row) {
        MATCH ()-[k:ABOUT]->()
        USING INDEX SEEK k:ABOUT(sid, subject, predicate, corrects)
        WHERE k.sid = $p.sid AND k.subject = row.subject AND k.predicate = row.predicate
          AND k.corrects = true AND k.expired_at = $p.forever
        RETURN k LIMIT 1
      }
      RETURN row.tail AS tail
      UNION
      UNWIND $p.corrects_object AS row
      CALL (row) {
        MATCH ()-[k:ABOUT]->()
        USING INDEX SEEK k:ABOUT(sid, slot, predicate, corrects)
        WHERE k.sid = $p.sid AND k.slot = row.slot AND k.predicate = row.predicate
          AND k.corrects = true AND k.expired_at = $p.forever
        RETURN k LIMIT 1
      }
      RETURN row.tail AS tail
    }
    RETURN tail
  } AS barred
