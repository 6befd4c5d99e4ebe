// graphmem 8: orphans and drift
// Things that nothing is told of, facts that rest on nothing or lack the relationship people see,
// relationships whose fact is not held, and records that wait for the vector index or were put
// aside. As a table: what is wrong with each. Nothing is drawn where all is well. At most 100. Where
// there is no vector index, or one to which everything is still to be written, records do not wait.
// Parameters: $tenant, $user (see graphmem 0).
MATCH (scope:Scope {tenant: $tenant, user: $user})
WHERE scope.key IS NOT NULL
CALL (scope) {
  MATCH (found:Entity {sid: scope.id})
  USING INDEX SEEK found:Entity(sid, id)
  WHERE found.id IS NOT NULL AND found.merged_into IS NULL AND NOT (scope)-[:SELF]->(found)
    AND NOT EXISTS { (found)-[:SUBJECT_OF|OBJECT|ABOUT]-() }
  RETURN found, "nothing is told of it" AS trouble
  UNION ALL
  MATCH (found:Fact:Record {sid: scope.id})
  USING INDEX SEEK found:Record(sid, record)
  WHERE found.record IS NOT NULL
    AND NOT EXISTS { (found)-[rests:RESTS_ON]->(:Claim) WHERE rests.expired_at >= found.expired_at }
  RETURN found, "it rests on nothing" AS trouble
  UNION ALL
  MATCH (found:Fact:Record {sid: scope.id, status: "held"})
  USING INDEX SEEK found:Record(sid, record)
  WHERE found.record IS NOT NULL
  MATCH (subject:Entity)-[:SUBJECT_OF]->(found)-[:OBJECT]->(object:Entity)
  WHERE NOT EXISTS { (subject)-[relation]->(object) WHERE relation.fact_id = found.id }
  RETURN found, "its relationship is missing" AS trouble
  UNION ALL
  MATCH (found:Entity {sid: scope.id})
  USING INDEX SEEK found:Entity(sid, id)
  WHERE found.id IS NOT NULL
  MATCH (found)-[relation]->(object:Entity)
  WHERE relation.fact_id IS NOT NULL AND NOT EXISTS {
    (found)-[:SUBJECT_OF]->(fact:Fact:Record {status: "held"})-[:OBJECT]->(object)
    WHERE fact.id = relation.fact_id
  }
  RETURN found, "a relationship of it has no held fact" AS trouble
  UNION ALL
  MATCH (found:Outbox {sid: scope.id})
  USING INDEX SEEK found:Outbox(sid, kind, id)
  WHERE found.kind IS NOT NULL AND found.id IS NOT NULL AND (
    found.parked IS NOT NULL
    OR NOT EXISTS { (note:Meta {key: "without index"}) WHERE note.value STARTS WITH "yes" }
  )
  RETURN found, coalesce("put aside: " + found.parked, "waits for the vector index") AS trouble
}
RETURN found, trouble LIMIT 100
