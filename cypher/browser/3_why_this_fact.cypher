// graphmem 3: why this fact
// The claims it rests on and the turns they were said in, what it ended or corrected and what
// ended it, by which rule, and what its record said before. At most five facts whose statement
// has the words.
// Parameters: $tenant, $user, $fact (see graphmem 0).
MATCH (scope:Scope {tenant: $tenant, user: $user})
WHERE scope.key IS NOT NULL
WITH scope.id AS sid
MATCH (fact:Fact:Record {sid: sid})
USING INDEX SEEK fact:Record(sid, record)
WHERE fact.record IS NOT NULL
  AND (fact.id = $fact OR toLower(fact.statement) CONTAINS toLower($fact))
WITH fact ORDER BY fact.id = $fact DESC, fact.said_at DESC LIMIT 5
OPTIONAL MATCH (fact)-[rests:RESTS_ON]->(claim:Claim)-[said:SAID_IN]->(turn:Episode)
WHERE rests.expired_at > datetime().epochMillis * 1000
OPTIONAL MATCH (fact)-[ended:SUPERSEDES]-(other:Fact)
OPTIONAL MATCH (fact)<-[of:REVISION_OF]-(was:Revision)
RETURN fact, rests, claim, said, turn, ended, other, of, was LIMIT 300
