// graphmem 7: the world at a date
// What held at some time in a year, month or day, or at an instant, as it is known now; drawn
// like the world now. Newest said first, at most 200.
// Parameters: $tenant, $user, $at (see graphmem 0).
MATCH (scope:Scope {tenant: $tenant, user: $user})
WHERE scope.key IS NOT NULL
WITH scope.id AS sid, CASE size($at)
  WHEN 4 THEN {start: $at + "-01-01", length: "P1Y"}
  WHEN 7 THEN {start: $at + "-01", length: "P1M"}
  WHEN 10 THEN {start: $at, length: "P1D"}
  ELSE {start: $at, length: "PT0.001S"} END AS asked
WITH sid, datetime(asked.start) AS start, duration(asked.length) AS length
WITH sid, start.epochMillis * 1000 AS first, (start + length).epochMillis * 1000 - 1 AS last,
  datetime().epochMillis * 1000 AS now
MATCH (held:Fact:Record {sid: sid, status: "held"})
USING INDEX SEEK held:Record(sid, status, expired_at, said_at)
WHERE held.expired_at > now AND held.said_at IS NOT NULL
  AND held.reads_from <= last AND held.reads_until > first
WITH held ORDER BY held.said_at DESC LIMIT 200
MATCH (subject:Entity)-[has:SUBJECT_OF]->(held)
OPTIONAL MATCH (held)-[:OBJECT]->(object:Entity)
OPTIONAL MATCH (subject)-[relation]->(object)
WHERE relation.fact_id = held.id
WITH held, subject, has, object, relation, object IS NULL AS alone
RETURN subject, relation, object,
  CASE WHEN alone THEN has END AS has, CASE WHEN alone THEN held END AS fact,
  held.statement AS statement, held.when AS when
