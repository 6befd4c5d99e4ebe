// Writes what a change says, names and believes, counts its words, tells the index, notes the change,
// and moves the scope on; all in one statement, since each is a round trip. Dates that people read are
// sent as texts, which takes a client much less work.
// Parameters, in $p: sid STRING; forever INTEGER; what was said and named: episodes LIST of
//   {properties, chunks LIST of MAP}; reads LIST of {id, reading, reason}; entities LIST of {id,
//   properties, labels, gone LIST of labels}; own STRING or null, the entity that is the scope's own
//   user; names_gone, names LIST of {key, entity}; claims LIST of {episode, properties}; links_gone,
//   links_ended LIST of {claim, at}; links LIST of {claim, subject, properties}; withdrawals LIST of
//   {id, properties}. What is believed: left LIST of STRING, facts whose live record leaves; ended
//   LIST of {id, at}, those of them that become a revision; dropped LIST of STRING, those that were
//   never to be seen; revisions LIST of {id, properties}; facts LIST of {id, properties, subject,
//   object}; edges LIST of {type, subject, object, properties}; going LIST of STRING, facts that name
//   no successor any more; gave_way LIST of {fact, successor, created_at}; rests_gone LIST of {fact,
//   claim}; rests_ended LIST of {fact, claim, at}; rests LIST of {fact, claim, created_at,
//   expired_at}; causes LIST of STRING, claims that may have ended facts. And of the scope: terms
//   LIST of {term, count} more (or fewer) records hold; points INTEGER more documents; words_gone
//   LIST of {term, entity}, words LIST of {term, entity, weight} of names; suggestions_gone LIST of
//   STRING; suggestions LIST of {first, second, properties}; outbox LIST of MAP; changes LIST of MAP;
//   number, at INTEGER, of the scope from now on.
// Returns: nothing.
CALL () {
  UNWIND $p.episodes AS row
  CREATE (e:Episode)
  SET e = row.properties, e.sid = $p.sid,
    e.said = datetime(row.properties.said)
  WITH e, row.chunks AS chunks
  UNWIND chunks AS chunk
  CREATE (k:Chunk)-[:PART_OF]->(e)
  SET k = chunk, k.sid = $p.sid
}
CALL () {
  UNWIND $p.reads AS row
  MATCH (e:Episode {sid: $p.sid, id: row.id})
  USING INDEX SEEK e:Episode(sid, id)
  SET e.reading = row.reading, e.reason = row.reason
}
CALL () {
  UNWIND $p.entities AS row
  MERGE (e:Entity {sid: $p.sid, id: row.id})
  SET e = row.properties, e.sid = $p.sid
  REMOVE e:$(row.gone)
  SET e:$(row.labels)
}
CALL () {
  MATCH (s:Scope {id: $p.sid})
  USING INDEX SEEK s:Scope(id)
  MATCH (e:Entity {sid: s.id, id: $p.own})
  USING INDEX SEEK e:Entity(sid, id)
  MERGE (s)-[:SELF]->(e)
}
CALL () {
  UNWIND $p.names_gone AS row
  MATCH (n:Name {sid: $p.sid, key: row.key})-[r:NAMES]->(e:Entity)
  USING INDEX SEEK n:Name(sid, key)
  WHERE e.id = row.entity
  DELETE r
  WITH n
  WHERE NOT EXISTS { MATCH (n)-[:NAMES]->() }
  DELETE n
}
CALL () {
  UNWIND $p.names AS row
  MERGE (n:Name {sid: $p.sid, key: row.key})
  WITH n, row
  MATCH (e:Entity {sid: $p.sid, id: row.entity})
  USING INDEX SEEK e:Entity(sid, id)
  MERGE (n)-[:NAMES]->(e)
}
CALL () {
  UNWIND $p.claims AS row
  MATCH (e:Episode {sid: $p.sid, id: row.episode})
  USING INDEX SEEK e:Episode(sid, id)
  CREATE (c:Claim)-[:SAID_IN]->(e)
  SET c = row.properties, c.sid = $p.sid,
    c.said = datetime(row.properties.said)
}
CALL () {
  UNWIND $p.links_gone AS row
  MATCH (c:Claim {sid: $p.sid, id: row.claim})-[k:ABOUT]->()
  USING INDEX SEEK c:Claim(sid, id)
  WHERE k.manner IS NOT NULL
  DELETE k
}
CALL () {
  UNWIND $p.links_ended AS row
  MATCH (c:Claim {sid: $p.sid, id: row.claim})-[k:ABOUT]->()
  USING INDEX SEEK c:Claim(sid, id)
  WHERE k.manner IS NOT NULL
  SET k.expired_at = row.at
  REMOVE k.manner, k.reach
}
CALL () {
  UNWIND $p.links AS row
  MATCH (c:Claim {sid: $p.sid, id: row.claim})
  USING INDEX SEEK c:Claim(sid, id)
  OPTIONAL MATCH (e:Entity {sid: $p.sid, id: row.subject})
  USING INDEX SEEK e:Entity(sid, id)
  WITH c, coalesce(e, c) AS about, row
  CREATE (c)-[k:ABOUT]->(about)
  SET k = row.properties, k.sid = $p.sid
}
CALL () {
  UNWIND $p.withdrawals AS row
  MATCH (c:Claim {sid: $p.sid, id: row.id})
  USING INDEX SEEK c:Claim(sid, id)
  SET c += row.properties
}
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
  SET old = row.properties, old.sid = $p.sid,
    old.valid_from = datetime(row.properties.valid_from),
    old.valid_to = datetime(row.properties.valid_to)
}
CALL () {
  UNWIND $p.facts AS row
  MERGE (f:Fact {sid: $p.sid, id: row.id})
  SET f = row.properties, f.sid = $p.sid,
    f.valid_from = datetime(row.properties.valid_from),
    f.valid_to = datetime(row.properties.valid_to), f:Record
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
    SET r = row.properties, r.sid = $p.sid,
      r.valid_from = datetime(row.properties.valid_from),
      r.valid_to = datetime(row.properties.valid_to)
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
CALL () {
  UNWIND $p.words_gone AS row
  MATCH (t:Term {sid: $p.sid, term: row.term})-[r:IN_NAME]->(e:Entity)
  USING INDEX SEEK t:Term(sid, term)
  WHERE e.id = row.entity
  DELETE r
}
CALL () {
  UNWIND $p.terms AS row
  MERGE (t:Term {sid: $p.sid, term: row.term})
  SET t.records = coalesce(t.records, 0) + row.count
  WITH t
  WHERE t.records <= 0
  DETACH DELETE t
}
CALL () {
  UNWIND $p.words AS row
  MATCH (t:Term {sid: $p.sid, term: row.term})
  USING INDEX SEEK t:Term(sid, term)
  CALL (t, row) {
    MATCH (e:Entity {sid: $p.sid, id: row.entity})
    USING INDEX SEEK e:Entity(sid, id)
    MERGE (t)-[r:IN_NAME]->(e)
    SET r.weight = row.weight
  }
}
CALL () {
  UNWIND $p.suggestions_gone AS id
  MATCH ()-[r:SAME_AS {sid: $p.sid, id: id}]->()
  USING INDEX SEEK r:SAME_AS(sid, id)
  DELETE r
}
CALL () {
  UNWIND $p.suggestions AS row
  MATCH (a:Entity {sid: $p.sid, id: row.first})
  USING INDEX SEEK a:Entity(sid, id)
  CALL (a, row) {
    MATCH (b:Entity {sid: $p.sid, id: row.second})
    USING INDEX SEEK b:Entity(sid, id)
    CREATE (a)-[r:SAME_AS]->(b)
    SET r = row.properties, r.sid = $p.sid
  }
}
CALL () {
  UNWIND $p.outbox AS row
  MATCH (o:Outbox {sid: $p.sid, kind: row.kind, id: row.id})
  USING INDEX SEEK o:Outbox(sid, kind, id)
  WHERE size(o.removed) = 0
  DELETE o
}
CALL () {
  UNWIND $p.outbox AS row
  CREATE (o:Outbox)
  SET o = row, o.sid = $p.sid
}
CALL () {
  UNWIND $p.changes AS row
  CREATE (c:Change)
  SET c = row, c.sid = $p.sid
}
MATCH (s:Scope {id: $p.sid})
USING INDEX SEEK s:Scope(id)
SET s.at = $p.at, s.number = $p.number, s.points = s.points + $p.points
FINISH
