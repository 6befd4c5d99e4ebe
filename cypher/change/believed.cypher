// Writes what is believed: records of facts, what they rest on, and how people see them.
// Parameters, in $p: sid STRING; forever INTEGER; left LIST of STRING, facts whose live record leaves;
//   ended LIST of {id, at}, those of them that become a revision; dropped LIST of STRING, those that
//   were never to be seen; revisions LIST of {id, properties}; facts LIST of {id, properties, subject,
//   object}; edges LIST of {type, subject, object, properties}; going LIST of STRING, facts that name
//   no successor any more; gave_way LIST of {fact, successor, created_at}; rests_gone LIST of {fact,
//   claim}; rests_ended LIST of {fact, claim, at}; rests LIST of {fact, claim, created_at,
//   expired_at}; causes LIST of STRING, claims that may have ended facts.
// Returns: nothing.
CALL () {
  UNWIND $p.left AS id
  MATCH (a:Entity)-[:SUBJECT_OF]->(f:Fact {sid: $p.sid, id: id})-[:OBJECT]->(b:Entity)
  USING INDEX SEEK f:Fact(sid, id)
  WITH f, COUNT { (a)-->() } < COUNT { (b)<--() } AS outward
  // From the end that has fewer relationships; no index finds one of any type.
  CALL (f, outward) {
    UNWIND CASE WHEN outward THEN [f] ELSE [] END AS one
    MATCH (one)<-[:SUBJECT_OF]-(:Entity)-[r]->(:Entity)
    WHERE r.fact_id = one.id
    DELETE r
  }
  CALL (f, outward) {
    UNWIND CASE WHEN outward THEN [] ELSE [f] END AS one
    MATCH (one)-[:OBJECT]->(:Entity)<-[r]-(:Entity)
    WHERE r.fact_id = one.id
    DELETE r
  }
}
CALL () {
  UNWIND $p.left AS id
  MATCH (f:Fact {sid: $p.sid, id: id})-[r:SUBJECT_OF|OBJECT]-(:Entity)
  USING INDEX SEEK f:Fact(sid, id)
  DELETE r
}
CALL () {
  UNWIND $p.left AS id
  MATCH (f:Fact {sid: $p.sid, id: id})<-[r:SUPERSEDES]-(:Fact)
  USING INDEX SEEK f:Fact(sid, id)
  DELETE r
}
CALL () {
  UNWIND $p.ended AS row
  MATCH (f:Fact {sid: $p.sid, id: row.id})
  USING INDEX SEEK f:Fact(sid, id)
  WITH f, row, properties(f) AS was
  REMOVE f:Record
  SET f = {sid: $p.sid, id: row.id}
  WITH f, row, was
  CREATE (old:Record:Revision)-[:REVISION_OF]->(f)
  SET old = was, old.expired_at = row.at
}
CALL () {
  UNWIND $p.dropped AS id
  MATCH (f:Fact {sid: $p.sid, id: id})
  USING INDEX SEEK f:Fact(sid, id)
  REMOVE f:Record
  SET f = {sid: $p.sid, id: id}
}
CALL () {
  UNWIND $p.revisions AS row
  MERGE (f:Fact {sid: $p.sid, id: row.id})
  CREATE (old:Record:Revision)-[:REVISION_OF]->(f)
  SET old = row.properties, old.sid = $p.sid
}
CALL () {
  UNWIND $p.facts AS row
  MERGE (f:Fact {sid: $p.sid, id: row.id})
  SET f = row.properties, f.sid = $p.sid, f:Record
  WITH f, row
  CALL (f, row) {
    MATCH (a:Entity {sid: $p.sid, id: row.subject})
    USING INDEX SEEK a:Entity(sid, id)
    CREATE (a)-[:SUBJECT_OF]->(f)
  }
  CALL (f, row) {
    MATCH (b:Entity {sid: $p.sid, id: row.object})
    USING INDEX SEEK b:Entity(sid, id)
    CREATE (f)-[:OBJECT]->(b)
  }
}
CALL () {
  UNWIND $p.edges AS row
  MATCH (a:Entity {sid: $p.sid, id: row.subject})
  USING INDEX SEEK a:Entity(sid, id)
  CALL (a, row) {
    MATCH (b:Entity {sid: $p.sid, id: row.object})
    USING INDEX SEEK b:Entity(sid, id)
    CREATE (a)-[r:$(row.type)]->(b)
    SET r = row.properties, r.sid = $p.sid
  }
}
CALL () {
  UNWIND $p.going AS id
  MATCH (f:Fact {sid: $p.sid, id: id})-[r:GAVE_WAY_TO]->(:Fact)
  USING INDEX SEEK f:Fact(sid, id)
  DELETE r
}
CALL () {
  UNWIND $p.gave_way AS row
  MERGE (f:Fact {sid: $p.sid, id: row.fact})
  WITH f, row
  MERGE (n:Fact {sid: $p.sid, id: row.successor})
  CREATE (f)-[:GAVE_WAY_TO {created_at: row.created_at}]->(n)
}
CALL () {
  UNWIND $p.rests_gone AS row
  MATCH (c:Claim {sid: $p.sid, id: row.claim})<-[r:RESTS_ON]-(f:Fact)
  USING INDEX SEEK c:Claim(sid, id)
  WHERE f.id = row.fact AND r.expired_at = $p.forever
  DELETE r
}
CALL () {
  UNWIND $p.rests_ended AS row
  MATCH (c:Claim {sid: $p.sid, id: row.claim})<-[r:RESTS_ON]-(f:Fact)
  USING INDEX SEEK c:Claim(sid, id)
  WHERE f.id = row.fact AND r.expired_at = $p.forever
  SET r.expired_at = row.at
}
CALL () {
  UNWIND $p.rests AS row
  MATCH (c:Claim {sid: $p.sid, id: row.claim})
  USING INDEX SEEK c:Claim(sid, id)
  WITH c, row
  MERGE (f:Fact {sid: $p.sid, id: row.fact})
  WITH c, f, row
  WHERE row.expired_at < $p.forever
    OR NOT EXISTS { MATCH (c)<-[r:RESTS_ON]-(f) WHERE r.expired_at = $p.forever }
  CREATE (f)-[:RESTS_ON {sid: $p.sid, created_at: row.created_at, expired_at: row.expired_at}]->(c)
}
CALL () {
  UNWIND $p.causes AS id
  MATCH (f:Record)<-[r:SUPERSEDES]-(:Fact)
  USING INDEX SEEK f:Record(sid, cause_claim)
  WHERE f.sid = $p.sid AND f.cause_claim = id
  DELETE r
}
CALL () {
  UNWIND $p.causes AS id
  // The ended facts first, since few claims ended any.
  MATCH (f:Record)
  USING INDEX SEEK f:Record(sid, cause_claim)
  WHERE f.sid = $p.sid AND f.cause_claim = id AND f.expired_at = $p.forever
  WITH id, f
  MATCH (c:Claim {sid: $p.sid, id: id})<-[r:RESTS_ON]-(n:Fact)
  USING INDEX SEEK c:Claim(sid, id)
  WHERE r.expired_at = $p.forever AND n.expired_at = $p.forever AND f.id <> n.id
  CREATE (n)-[:SUPERSEDES {rule: f.cause_rule}]->(f)
}
FINISH
