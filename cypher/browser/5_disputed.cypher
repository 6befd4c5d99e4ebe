// graphmem 5: disputed
// What a weaker source says against a stronger one, who said it and in which turn, and beside it
// what is held of the same subject in that matter. At most 30.
// Parameters: $tenant, $user (see graphmem 0).
MATCH (scope:Scope {tenant: $tenant, user: $user})
WHERE scope.key IS NOT NULL
WITH scope.id AS sid, datetime().epochMillis * 1000 AS now
MATCH (disputed:Fact:Record {sid: sid, status: "disputed"})
USING INDEX SEEK disputed:Record(sid, status, expired_at, said_at)
WHERE disputed.expired_at > now AND disputed.said_at IS NOT NULL
WITH disputed, now ORDER BY disputed.said_at DESC LIMIT 30
MATCH (subject:Entity)-[has:SUBJECT_OF]->(disputed)
OPTIONAL MATCH (disputed)-[rests:RESTS_ON]->(claim:Claim)-[said:SAID_IN]->(turn:Episode)
WHERE rests.expired_at > now
OPTIONAL MATCH (subject)-[also:SUBJECT_OF]->(held:Fact:Record {status: "held"})
WHERE held.predicate = disputed.predicate AND held.reads_from <= now AND held.reads_until > now
RETURN claim.source AS said_by, subject, has, disputed, rests, claim, said, turn, also, held
