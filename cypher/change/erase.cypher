// Removes things for good with what hangs on them, and puts other words in what stays.
// Parameters, in $p: sid STRING; facts, claims, pieces, episodes, entities LIST of STRING, ids; blanked
//   LIST of {id, content, properties, chunks LIST of MAP}; rewritten LIST of {id, quote, statement,
//   caption}.
// Returns: nothing.
CALL () {
  UNWIND $p.facts AS id
  MATCH (id_of:Fact {sid: $p.sid, id: id})<-[:REVISION_OF]-(old:Revision)
  USING INDEX SEEK id_of:Fact(sid, id)
  DETACH DELETE old
}
CALL () {
  UNWIND $p.facts AS id
  MATCH (f:Fact {sid: $p.sid, id: id})
  USING INDEX SEEK f:Fact(sid, id)
  DETACH DELETE f
}
CALL () {
  UNWIND $p.claims AS id
  MATCH (c:Claim {sid: $p.sid, id: id})
  USING INDEX SEEK c:Claim(sid, id)
  DETACH DELETE c
}
CALL () {
  UNWIND $p.pieces AS id
  MATCH (k:Chunk {sid: $p.sid, id: id})
  USING INDEX SEEK k:Chunk(sid, id)
  DETACH DELETE k
}
CALL () {
  UNWIND $p.episodes AS id
  MATCH (e:Episode {sid: $p.sid, id: id})
  USING INDEX SEEK e:Episode(sid, id)
  DETACH DELETE e
}
CALL () {
  UNWIND $p.entities AS id
  MATCH (e:Entity {sid: $p.sid, id: id})<-[k:ABOUT]-(c:Claim)
  USING INDEX SEEK e:Entity(sid, id)
  CREATE (c)-[kept:ABOUT]->(c)
  SET kept = properties(k)
  DELETE k
}
CALL () {
  UNWIND $p.entities AS id
  MATCH (e:Entity {sid: $p.sid, id: id})<-[r:NAMES]-(n:Name)
  USING INDEX SEEK e:Entity(sid, id)
  DELETE r
  WITH DISTINCT n
  WHERE NOT EXISTS { MATCH (n)-[:NAMES]->() }
  DELETE n
}
CALL () {
  UNWIND $p.entities AS id
  MATCH (e:Entity {sid: $p.sid, id: id})
  USING INDEX SEEK e:Entity(sid, id)
  DETACH DELETE e
}
CALL () {
  UNWIND $p.blanked AS row
  MATCH (e:Episode {sid: $p.sid, id: row.id})
  USING INDEX SEEK e:Episode(sid, id)
  SET e = row.properties, e.sid = $p.sid, e.said = datetime(row.properties.said)
  WITH e, row.chunks AS chunks
  UNWIND chunks AS chunk
  CREATE (k:Chunk)-[:PART_OF]->(e)
  SET k = chunk, k.sid = $p.sid
}
CALL () {
  UNWIND $p.blanked AS row
  MATCH (c:Claim {sid: $p.sid, episode: row.id})
  USING INDEX SEEK c:Claim(sid, episode)
  WHERE c.quote <> '' AND NOT row.content CONTAINS c.quote
  SET c.quote = ''
}
CALL () {
  UNWIND $p.rewritten AS row
  MATCH (c:Claim {sid: $p.sid, id: row.id})
  USING INDEX SEEK c:Claim(sid, id)
  SET c.quote = row.quote, c.statement = row.statement, c.caption = row.caption
}
MATCH (s:Scope {id: $p.sid})
USING INDEX SEEK s:Scope(id)
SET s.erased = true
FINISH
