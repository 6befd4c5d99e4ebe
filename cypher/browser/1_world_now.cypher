// graphmem 1: the user's world now
// What is held today of everybody and everything in it: things, and as relationships how they
// relate. What has no second thing ("I am 35", "no pets") is drawn as a fact. Newest said first,
// at most 200.
// Parameters: $tenant, $user (see graphmem 0).
MATCH (scope:Scope {tenant: $tenant, user: $user})
WHERE scope.key IS NOT NULL
WITH scope.id AS sid, datetime().epochMillis * 1000 AS now
MATCH (held:Fact:Record {sid: sid, status: "held"})
USING INDEX SEEK held:Record(sid, status, expired_at, said_at)
WHERE held.expired_at > now AND held.said_at IS NOT NULL
  AND held.reads_from <= now AND held.reads_until > now
WITH held ORDER BY held.said_at DESC LIMIT 200
MATCH (subject:Entity)-[has:SUBJECT_OF]->(held)
OPTIONAL MATCH (held)-[:OBJECT]->(object:Entity)
OPTIONAL MATCH (subject)-[relation]->(object)
WHERE relation.fact_id = held.id
WITH held, subject, has, object, relation, object IS NULL AS alone
RETURN subject, relation, object,
  CASE WHEN alone THEN has END AS has, CASE WHEN alone THEN held END AS fact,
  held.statement AS statement, held.when AS when
