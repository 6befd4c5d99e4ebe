// Writes what was said and named: turns, things, claims and what their words mean.
// Parameters, in $p: sid STRING; episodes LIST of {properties, chunks LIST of MAP}; reads LIST of
//   {id, reading, reason}; entities LIST of {id, properties, labels, gone LIST of labels}; own
//   STRING or null, the entity that is the scope's own user; names_gone, names LIST of {key, entity};
//   claims LIST of {episode, properties}; links_gone, links_ended LIST of {claim, at}; links LIST of
//   {claim, subject, properties}; withdrawals LIST of {id, properties}.
// Returns: nothing.
CALL () {
  UNWIND $p.episodes AS row
  CREATE (e:Episode)
  SET e = row.properties, e.sid = $p.sid
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
  SET c = row.properties, c.sid = $p.sid
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
FINISH
