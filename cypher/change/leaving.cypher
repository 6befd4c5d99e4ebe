// Reads what is about to be erased: what the counts and the index must forget.
// Parameters, in $p: sid STRING; facts, claims, episodes, pieces, entities, blanked, rewritten LIST of
//   STRING, ids; pieces names all episodes whose pieces go.
// Returns: records LIST of {id, record, terms}, of every time; claims LIST of {id, facts LIST of ids
//   that rest on it or did}, those of the episodes too; episodes LIST of STRING; chunks LIST of {id,
//   episode, terms}; entities LIST of {id, terms}; blanked LIST of MAP; rewritten LIST of STRING.
RETURN COLLECT {
    CALL () {
      UNWIND $p.facts AS id
      MATCH (f:Fact {sid: $p.sid, id: id})
      WHERE f.record IS NOT NULL
      RETURN f
      UNION ALL
      UNWIND $p.facts AS id
      MATCH (:Fact {sid: $p.sid, id: id})<-[:REVISION_OF]-(f:Revision)
      RETURN f
    }
    RETURN f {.id, .record, .terms}
  } AS records,
  COLLECT {
    CALL () {
      UNWIND $p.claims AS id
      MATCH (c:Claim {sid: $p.sid, id: id})
      RETURN c
      UNION
      UNWIND $p.episodes AS episode
      MATCH (c:Claim {sid: $p.sid, episode: episode})
      RETURN c
    }
    RETURN {id: c.id, facts: COLLECT { MATCH (f:Fact)-[:RESTS_ON]->(c) RETURN DISTINCT f.id }}
  } AS claims,
  COLLECT {
    UNWIND $p.episodes AS id
    MATCH (e:Episode {sid: $p.sid, id: id})
    RETURN e.id
  } AS episodes,
  COLLECT {
    UNWIND $p.pieces AS id
    MATCH (:Episode {sid: $p.sid, id: id})<-[:PART_OF]-(k:Chunk)
    RETURN k {.id, .episode, .terms}
  } AS chunks,
  COLLECT {
    UNWIND $p.entities AS id
    MATCH (e:Entity {sid: $p.sid, id: id})
    RETURN e {.id, .terms}
  } AS entities,
  COLLECT {
    UNWIND $p.blanked AS id
    MATCH (e:Episode {sid: $p.sid, id: id})
    RETURN properties(e)
  } AS blanked,
  COLLECT {
    UNWIND $p.rewritten AS id
    MATCH (c:Claim {sid: $p.sid, id: id})
    RETURN c.id
  } AS rewritten
