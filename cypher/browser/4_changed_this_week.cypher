// graphmem 4: what changed this week
// What entered the memory in the last seven days, whenever it holds in the world: facts, what they
// ended, and what a record said before it was changed. Newest first, at most 60.
// Parameters: $tenant, $user (see graphmem 0).
MATCH (scope:Scope {tenant: $tenant, user: $user})
WHERE scope.key IS NOT NULL
WITH scope.id AS sid, (datetime() - duration("P7D")).epochMillis * 1000 AS since
MATCH (fact:Fact:Record {sid: sid})
USING INDEX SEEK fact:Record(sid, record)
WHERE fact.record IS NOT NULL AND fact.created_at > since
WITH fact, since ORDER BY fact.created_at DESC LIMIT 60
MATCH (subject:Entity)-[has:SUBJECT_OF]->(fact)
OPTIONAL MATCH (fact)-[ended:SUPERSEDES]->(before:Fact)
OPTIONAL MATCH (fact)<-[of:REVISION_OF]-(was:Revision)
WHERE was.expired_at > since
RETURN datetime({epochMillis: fact.created_at / 1000}) AS entered, fact.status AS status,
  subject, has, fact, ended, before, of, was
ORDER BY entered DESC
