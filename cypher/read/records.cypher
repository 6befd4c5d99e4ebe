// Reads fact records by their ids, in the order asked for.
// Parameters, in $p: key STRING, of the scope; ids LIST of STRING; known_at INTEGER, here null:
//   each is read as it ended.
// Returns: rows LIST of {fact, evidence, successor}.
MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
UNWIND range(0, size($p.ids) - 1) AS place
MATCH (f:Record {sid: s.id, record: $p.ids[place]})
USING INDEX SEEK f:Record(sid, record)
WITH f, place
ORDER BY place
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
