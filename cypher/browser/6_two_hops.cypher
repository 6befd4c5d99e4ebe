// graphmem 6: two hops around a subject
// What is held today of one thing, and of what it is related to. At most 100 ways.
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
WITH thing, datetime().epochMillis * 1000 AS now
MATCH way = (thing) ((:Entity)-[relation]-(:Entity)
  WHERE relation.fact_id IS NOT NULL AND relation.from <= now AND relation.to > now){1,2}
RETURN way LIMIT 100
