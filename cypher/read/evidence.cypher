// Reads the claims that facts rest on at an instant of the record axis, with what their words mean,
// in said order.
// Parameters, in $p: key STRING, of the scope; facts LIST of STRING; at INTEGER.
// Returns: rows LIST of {fact, claim, link}.
MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
UNWIND $p.facts AS fact
MATCH (t:Fact {sid: s.id, id: fact})-[r:RESTS_ON]->(c:Claim)-[k:ABOUT]->()
USING INDEX SEEK t:Fact(sid, id)
WHERE r.created_at <= $p.at AND r.expired_at > $p.at
  AND k.created_at <= $p.at AND k.expired_at > $p.at
WITH fact, c, k
ORDER BY c.said_at, c.said_turn, c.said_place, c.id
RETURN collect({fact: fact, claim: c {.*, said: null}, link: properties(k)}) AS rows
