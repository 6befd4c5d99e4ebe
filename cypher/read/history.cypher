// Reads every record of a fact, oldest first.
// Parameters, in $p: key STRING, of the scope; fact STRING; known_at INTEGER, here null: each is
//   read as it ended.
// Returns: rows LIST of {fact, evidence, successor}.
MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
MATCH (f:Record)
USING INDEX SEEK f:Record(sid, id, created_at)
WHERE f.sid = s.id AND f.id = $p.fact AND f.created_at IS NOT NULL
WITH f
ORDER BY f.created_at, f.record
RETURN collect({
  fact: f {.*, terms: null, weights: null, valid_from: null, valid_to: null},
  evidence: COLLECT {
    MATCH (t:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(c:Claim)
    USING INDEX SEEK t:Fact(sid, id)
    WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
      AND r.expired_at > coalesce($p.known_at, f.expired_at - 1)
    RETURN [c.said_at, c.said_turn, c.said_place, c.id]
  },
  successor: head(COLLECT {
    MATCH (t:Fact {sid: f.sid, id: f.id})-[:GAVE_WAY_TO]->(n:Fact)
    USING INDEX SEEK t:Fact(sid, id)
    RETURN n.id
  })
}) AS rows
