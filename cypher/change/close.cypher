// Ends a change: counts its words, tells the index, notes the change, and moves the scope on.
// Parameters, in $p: sid STRING; terms LIST of {term, count} more (or fewer) records hold; points
//   INTEGER more documents; words_gone LIST of {term, entity}, words LIST of {term, entity, weight} of
//   names; suggestions_gone LIST of STRING; suggestions LIST of {first, second, properties}; outbox
//   LIST of MAP; changes LIST of MAP; number, at INTEGER, of the scope from now on.
// Returns: nothing.
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
