// graphmem 8: orphans and drift
// Things that nothing is told of, facts that rest on nothing or lack the relationship people see,
// relationships whose fact is not held, and records that wait for the vector index or were put aside.
// As a table: what is wrong with each. Nothing is drawn where all is well. At most 100.
// Parameters: $tenant, $user (see 0_parameters).
MATCH (scope:Scope {tenant: $tenant, user: $user})
WHERE scope.key IS NOT NULL
CALL (scope) {
  MATCH (found:Entity {sid: scope.id})
  WHERE found["merged_into"] IS NULL AND NOT (scope)-[:SELF]->(found)
    AND NOT EXISTS { (found)-[:SUBJECT_OF|OBJECT|ABOUT]-() }
  RETURN found, "nothing is told of it" AS trouble
  UNION ALL
  MATCH (found:Fact:Record {sid: scope.id})
  WHERE NOT EXISTS { (found)-[rests:RESTS_ON]->(:Claim) WHERE rests.expired_at >= found.expired_at }
  RETURN found, "it rests on nothing" AS trouble
  UNION ALL
  MATCH (subject:Entity)-[:SUBJECT_OF]->(found:Fact:Record {sid: scope.id, status: "held"})-[:OBJECT]->(object)
  WHERE NOT EXISTS { (subject)-[relation]->(object) WHERE relation.fact_id = found.id }
  RETURN found, "its relationship is missing" AS trouble
  UNION ALL
  MATCH (found:Entity {sid: scope.id})-[relation]->(object:Entity)
  WHERE relation.fact_id IS NOT NULL AND NOT EXISTS {
    (found)-[:SUBJECT_OF]->(fact:Fact:Record {status: "held"})-[:OBJECT]->(object)
    WHERE fact.id = relation.fact_id
  }
  RETURN found, "a relationship of it has no held fact" AS trouble
  UNION ALL
  MATCH (found:Outbox {sid: scope.id})
  RETURN found, coalesce("put aside: " + found["parked"], "waits for the vector index") AS trouble
}
RETURN found, trouble LIMIT 100
