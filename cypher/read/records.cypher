// Reads fact records by their ids.
// Parameters, in $p: sid STRING; ids LIST of STRING; known_at INTEGER, here null: each is read as it ended.
// Returns: row MAP of {fact, evidence, successor}.
UNWIND $p.ids AS id
MATCH (f:Record {sid: $p.sid, record: id})
RETURN {
  fact: f {.*, terms: null, weights: null, valid_from: null, valid_to: null},
  evidence: COLLECT {
    MATCH (:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(c:Claim)
    WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
      AND r.expired_at > coalesce($p.known_at, f.expired_at - 1)
    RETURN [c.said_at, c.said_turn, c.said_place, c.id]
  },
  successor: head(COLLECT {
    MATCH (:Fact {sid: f.sid, id: f.id})-[:GAVE_WAY_TO]->(n:Fact) RETURN n.id
  })
} AS row
