// graphmem 2: a subject's timeline
// Everything that was, is or is planned to be held of one thing, with its dates, and which fact
// ended which. As a table: in the order of time. At most 100, the latest.
// Parameters: $tenant, $user, $subject (see graphmem 0).
MATCH (scope:Scope {tenant: $tenant, user: $user})
WHERE scope.key IS NOT NULL
CALL (scope) {
  MATCH (:Name {sid: scope.id, key: toLower(normalize(trim($subject), NFKC))})-[:NAMES]->(thing)
  RETURN thing
  UNION
  MATCH (scope)-[:SELF]->(thing)
  WHERE toLower($subject) IN ["me", "user", "我", toLower(scope.user), toLower(thing.name)]
  RETURN thing
}
MATCH (thing)-[has:SUBJECT_OF|OBJECT]-(fact:Fact:Record {status: "held"})
WITH thing, has, fact ORDER BY fact.reads_from DESC LIMIT 100
OPTIONAL MATCH (fact)-[ended:SUPERSEDES]->(before:Record {status: "held"})
RETURN fact.when AS when, fact.statement AS statement, thing, has, fact, ended, before
ORDER BY fact.reads_from, fact.said_at
