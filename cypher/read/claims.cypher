// Reads claims by their ids, with what their words mean at an instant of the record axis, in said
// order.
// Parameters, in $p: key STRING, of the scope; ids LIST of STRING; at INTEGER.
// Returns: rows LIST of {claim, link}.
MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
UNWIND $p.ids AS id
MATCH (c:Claim {sid: s.id, id: id})-[k:ABOUT]->()
USING INDEX SEEK c:Claim(sid, id)
WHERE k.created_at <= $p.at AND k.expired_at > $p.at
WITH c, k
ORDER BY c.said_at, c.said_turn, c.said_place, c.id
RETURN collect({claim: c {.*, said: null}, link: properties(k)}) AS rows
