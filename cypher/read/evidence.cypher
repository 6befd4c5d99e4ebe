// Reads the claims that facts rest on at an instant of the record axis, with what their words mean.
// Parameters, in $p: sid STRING; facts LIST of STRING; at INTEGER.
// Returns: fact STRING; claim, link MAP.
UNWIND $p.facts AS fact
MATCH (:Fact {sid: $p.sid, id: fact})-[r:RESTS_ON]->(c:Claim)-[k:ABOUT]->()
WHERE r.created_at <= $p.at AND r.expired_at > $p.at
  AND k.created_at <= $p.at AND k.expired_at > $p.at
RETURN fact, properties(c) AS claim, properties(k) AS link
