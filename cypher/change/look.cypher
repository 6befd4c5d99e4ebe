// Takes the lock of a scope, whose node is made if there is none, so that writers of one scope queue,
// and reads what a decision wants of it. A family is read by seeks (see adapters/neo4j/families.py);
// those of a tail are done only where its family holds few claims.
// Parameters, in $p: key STRING of the living scope; sid STRING for a new node; tenant, user STRING;
//   change_key STRING or null, the change's own id; forever INTEGER; episodes, episode_keys, entities,
//   entity_keys, claims, facts, said_in, touching LIST of STRING; by_subject LIST of {subject,
//   predicate, tail}, by_slot LIST of {subject, predicate, slot, tail}, by_object LIST of {slot,
//   predicate, tail}; corrects LIST of {subject, predicate, tail}, corrects_object LIST of {slot,
//   predicate, tail}; sizes LIST of {subject, predicate, tail}, slot_sizes LIST of {subject, predicate,
//   slot, tail}; few, most INTEGER, few + 1; suggestions BOOLEAN.
// Returns: sid STRING; at, number INTEGER, of the scope's last change; alive BOOLEAN, false if it was
//   erased while we waited; done LIST of MAP, the change that has this id; self LIST of MAP, the scope's
//   own user; small LIST of INTEGER, the tails whose families are among the rest; episodes, entities,
//   suggestions LIST of MAP; claims LIST of {claim, link, withdrawn}; facts LIST of {fact, evidence
//   LIST of [said_at, said_turn, said_place, id], successor}.
MERGE (s:Scope {key: $p.key})
ON CREATE SET s.id = $p.sid, s.tenant = $p.tenant, s.user = $p.user, s.at = 0, s.number = 0,
  s.points = 0
SET s.locked = true
// The lists are narrowed before they are unwound: a filter might be applied after the seek.
WITH s, COLLECT {
    CALL (s) {
      UNWIND $p.sizes AS row
      CALL (s, row) {
        MATCH ()-[k:ABOUT]->()
        USING INDEX SEEK k:ABOUT(sid, subject, predicate, manner, reach)
        WHERE k.sid = s.id AND k.subject = row.subject AND k.predicate = row.predicate
          AND k.manner IS NOT NULL AND k.reach IS NOT NULL
        WITH k LIMIT $p.most
        RETURN count(k) AS size
      }
      RETURN row.tail AS tail, size
      UNION ALL
      UNWIND $p.slot_sizes AS row
      CALL (s, row) {
        MATCH ()-[k:ABOUT]->()
        USING INDEX SEEK k:ABOUT(sid, subject, predicate, slot, manner, reach)
        WHERE k.sid = s.id AND k.subject = row.subject AND k.predicate = row.predicate
          AND k.slot = row.slot AND k.manner IS NOT NULL AND k.reach IS NOT NULL
        WITH k LIMIT $p.most
        RETURN count(k) AS size
      }
      RETURN row.tail AS tail, size
    }
    WITH tail, size
    WHERE size <= $p.few
    RETURN tail
  } AS small
RETURN s.id AS sid, s.at AS at, s.number AS number, s.key IS NOT NULL AS alive,
  COLLECT {
    MATCH (c:Change {sid: s.id, change_key: $p.change_key})
    USING INDEX SEEK c:Change(sid, change_key)
    RETURN c {.number, .at}
  } AS done,
  COLLECT {
    MATCH (s)-[:SELF]->(e:Entity)
    RETURN e {.*, terms: null, weights: null}
  } AS self,
  small,
  COLLECT {
    CALL (s) {
      UNWIND $p.episodes AS id
      MATCH (e:Episode {sid: s.id, id: id})
      USING INDEX SEEK e:Episode(sid, id)
      RETURN e
      UNION
      UNWIND $p.episode_keys AS key
      MATCH (e:Episode {sid: s.id, known_as: key})
      USING INDEX SEEK e:Episode(sid, known_as)
      RETURN e
    }
    RETURN e {.*, said: null}
  } AS episodes,
  COLLECT {
    CALL (s) {
      UNWIND $p.entities AS id
      MATCH (e:Entity {sid: s.id, id: id})
      USING INDEX SEEK e:Entity(sid, id)
      RETURN e
      UNION
      UNWIND $p.entity_keys AS key
      MATCH (n:Name {sid: s.id, key: key})-[:NAMES]->(e:Entity)
      USING INDEX SEEK n:Name(sid, key)
      RETURN e
    }
    RETURN e {.*, terms: null, weights: null}
  } AS entities,
  COLLECT {
    CALL (s, small) {
      UNWIND $p.claims AS id
      MATCH (c:Claim {sid: s.id, id: id})
      USING INDEX SEEK c:Claim(sid, id)
      RETURN c
      UNION
      UNWIND $p.said_in AS episode
      MATCH (c:Claim {sid: s.id, episode: episode})
      USING INDEX SEEK c:Claim(sid, episode)
      RETURN c
      UNION
      UNWIND $p.facts AS id
      MATCH (f:Fact {sid: s.id, id: id})-[r:RESTS_ON]->(c:Claim)
      USING INDEX SEEK f:Fact(sid, id)
      WHERE f.expired_at = $p.forever AND r.expired_at = $p.forever
      RETURN c
      UNION
      UNWIND [r IN $p.by_subject WHERE r.tail IS NULL OR r.tail IN small] AS row
      MATCH (c:Claim)-[k:ABOUT]->()
      USING INDEX SEEK k:ABOUT(sid, subject, predicate, manner, reach)
      WHERE k.sid = s.id AND k.subject = row.subject AND k.predicate = row.predicate
        AND k.manner IS NOT NULL AND k.reach IS NOT NULL
      RETURN c
      UNION
      UNWIND [r IN $p.by_slot WHERE r.tail IS NULL OR r.tail IN small] AS row
      MATCH (c:Claim)-[k:ABOUT]->()
      USING INDEX SEEK k:ABOUT(sid, subject, predicate, slot, manner, reach)
      WHERE k.sid = s.id AND k.subject = row.subject AND k.predicate = row.predicate
        AND k.slot = row.slot AND k.manner IS NOT NULL AND k.reach IS NOT NULL
      RETURN c
      UNION
      UNWIND [r IN $p.by_object WHERE r.tail IS NULL OR r.tail IN small] AS row
      MATCH (c:Claim)-[k:ABOUT]->()
      USING INDEX SEEK k:ABOUT(sid, slot, predicate, subject, expired_at)
      WHERE k.sid = s.id AND k.slot = row.slot AND k.predicate = row.predicate
        AND k.subject IS NOT NULL AND k.expired_at = $p.forever
      RETURN c
      UNION
      UNWIND [r IN $p.corrects WHERE r.tail IS NULL OR r.tail IN small] AS row
      MATCH (c:Claim)-[k:ABOUT]->()
      USING INDEX SEEK k:ABOUT(sid, subject, predicate, corrects)
      WHERE k.sid = s.id AND k.subject = row.subject AND k.predicate = row.predicate
        AND k.corrects = true AND k.expired_at = $p.forever
      RETURN c
      UNION
      UNWIND [r IN $p.corrects_object WHERE r.tail IS NULL OR r.tail IN small] AS row
      MATCH (c:Claim)-[k:ABOUT]->()
      USING INDEX SEEK k:ABOUT(sid, slot, predicate, corrects)
      WHERE k.sid = s.id AND k.slot = row.slot AND k.predicate = row.predicate
        AND k.corrects = true AND k.expired_at = $p.forever
      RETURN c
      UNION
      UNWIND $p.touching AS entity
      MATCH (c:Claim)-[k:ABOUT]->()
      USING INDEX SEEK k:ABOUT(sid, subject, predicate, manner, reach)
      WHERE k.sid = s.id AND k.subject = entity AND k.predicate IS NOT NULL
        AND k.manner IS NOT NULL AND k.reach IS NOT NULL
      RETURN c
      UNION
      UNWIND $p.touching AS entity
      MATCH (c:Claim)-[k:ABOUT]->()
      USING INDEX SEEK k:ABOUT(sid, slot, predicate, subject, expired_at)
      WHERE k.sid = s.id AND k.slot = entity AND k.predicate IS NOT NULL
        AND k.subject IS NOT NULL AND k.expired_at = $p.forever
      RETURN c
    }
    MATCH (c)-[k:ABOUT]->()
    WHERE k.expired_at = $p.forever
    RETURN {
      claim: c {.*, said: null}, link: properties(k),
      withdrawn: coalesce(c.withdrawn[-1] = $p.forever, false)
    }
  } AS claims,
  COLLECT {
    CALL (s, small) {
      UNWIND $p.facts AS id
      MATCH (f:Fact {sid: s.id, id: id})
      USING INDEX SEEK f:Fact(sid, id)
      WHERE f.expired_at = $p.forever
      RETURN f
      UNION
      UNWIND [r IN $p.by_subject WHERE r.tail IS NULL OR r.tail IN small] AS row
      MATCH (f:Record)
      USING INDEX SEEK f:Record(sid, subject_key, predicate, slot, expired_at)
      WHERE f.sid = s.id AND f.subject_key = row.subject AND f.predicate = row.predicate
        AND f.slot IS NOT NULL AND f.expired_at = $p.forever
      RETURN f
      UNION
      UNWIND [r IN $p.by_slot WHERE r.tail IS NULL OR r.tail IN small] AS row
      MATCH (f:Record)
      USING INDEX SEEK f:Record(sid, subject_key, predicate, slot, expired_at)
      WHERE f.sid = s.id AND f.subject_key = row.subject AND f.predicate = row.predicate
        AND f.slot = row.slot AND f.expired_at = $p.forever
      RETURN f
      UNION
      UNWIND [r IN $p.by_object WHERE r.tail IS NULL OR r.tail IN small] AS row
      MATCH (f:Record)
      USING INDEX SEEK f:Record(sid, slot, predicate, subject_key, expired_at)
      WHERE f.sid = s.id AND f.slot = row.slot AND f.predicate = row.predicate
        AND f.subject_key IS NOT NULL AND f.expired_at = $p.forever
      RETURN f
      UNION
      UNWIND $p.touching AS entity
      MATCH (f:Record)
      USING INDEX SEEK f:Record(sid, subject_key, predicate, slot, expired_at)
      WHERE f.sid = s.id AND f.subject_key = entity AND f.predicate IS NOT NULL
        AND f.slot IS NOT NULL AND f.expired_at = $p.forever
      RETURN f
      UNION
      UNWIND $p.touching AS entity
      MATCH (f:Record)
      USING INDEX SEEK f:Record(sid, slot, predicate, subject_key, expired_at)
      WHERE f.sid = s.id AND f.slot = entity AND f.predicate IS NOT NULL
        AND f.subject_key IS NOT NULL AND f.expired_at = $p.forever
      RETURN f
    }
    RETURN {
      fact: f {.*, terms: null, weights: null, valid_from: null, valid_to: null},
      evidence: COLLECT {
        MATCH (f)-[r:RESTS_ON]->(c:Claim)
        WHERE r.expired_at = $p.forever
        RETURN [c.said_at, c.said_turn, c.said_place, c.id]
      },
      successor: head(COLLECT { MATCH (f)-[:GAVE_WAY_TO]->(n:Fact) RETURN n.id })
    }
  } AS facts,
  COLLECT {
    UNWIND CASE WHEN $p.suggestions THEN [s.id] ELSE [] END AS sid
    MATCH ()-[r:SAME_AS]->()
    USING INDEX SEEK r:SAME_AS(sid, id)
    WHERE r.sid = sid AND r.id IS NOT NULL
    WITH r, startNode(r).key AS first, endNode(r).key AS second
    ORDER BY r.created_at DESC, first, second, r.id
    RETURN properties(r)
  } AS suggestions
