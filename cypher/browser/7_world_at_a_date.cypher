// graphmem 7: the world at a date
// What held at some time in a year, month or day, or at an instant, as it is known now; drawn like the
// world now. Newest said first, at most 200.
// Parameters: $tenant, $user, $at (see 0_parameters).
MATCH (scope:Scope {tenant: $tenant, user: $user})
WHERE scope.key IS NOT NULL
WITH scope.id AS sid, datetime($at + CASE size($at) WHEN 4 THEN "-01-01" WHEN 7 THEN "-01" ELSE "" END)
  AS start
WITH sid, start, start + duration(CASE size($at) WHEN 4 THEN "P1Y" WHEN 7 THEN "P1M" WHEN 10 THEN "P1D"
  ELSE "PT0.001S" END) AS end
WITH sid, start.epochMillis * 1000 AS first, end.epochMillis * 1000 - 1 AS last,
  datetime().epochMillis * 1000 AS now
MATCH (held:Fact:Record {sid: sid, status: "held"})
WHERE held.expired_at > now AND held.reads_from <= last AND held.reads_until > first
WITH held ORDER BY held.said_at DESC LIMIT 200
MATCH (subject:Entity)-[has:SUBJECT_OF]->(held)
OPTIONAL MATCH (held)-[:OBJECT]->(object:Entity)
OPTIONAL MATCH (subject)-[relation]->(object)
WHERE relation.fact_id = held.id
WITH held, subject, has, object, relation, object IS NULL AS alone
RETURN subject, relation, object,
  CASE WHEN alone THEN has END AS has, CASE WHEN alone THEN held END AS fact,
  held.statement AS statement, held.when AS when
