// Reads claims by their ids, with what their words mean at an instant of the record axis.
// Parameters, in $p: sid STRING; ids LIST of STRING; at INTEGER.
// Returns: claim, link MAP.
UNWIND $p.ids AS id
MATCH (c:Claim {sid: $p.sid, id: id})-[k:ABOUT]->()
WHERE k.created_at <= $p.at AND k.expired_at > $p.at
RETURN properties(c) AS claim, properties(k) AS link
