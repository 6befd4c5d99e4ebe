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
      USING INDEX SEEK f:Fact(sid, id)
      WHERE f.record IS NOT NULL
      RETURN f
      UNION ALL
      UNWIND $p.facts AS id
      MATCH (id_of:Fact {sid: $p.sid, id: id})<-[:REVISION_OF]-(f:Revision)
      USING INDEX SEEK id_of:Fact(sid, id)
      RETURN f
    }
    RETURN f {.id, .record, .terms}
  } AS records,
  COLLECT {
    CALL () {
      UNWIND $p.claims AS id
      MATCH (c:Claim {sid: $p.sid, id: id})
      USING INDEX SEEK c:Claim(sid, id)
      RETURN c
      UNION
      UNWIND $p.episodes AS episode
      MATCH (c:Claim {sid: $p.sid, episode: episode})
      USING INDEX SEEK c:Claim(sid, episode)
      RETURN c
    }
    RETURN {id: c.id, facts: COLLECT { MATCH (f:Fact)-[:RESTS_ON]->(c) RETURN DISTINCT f.id }}
  } AS claims,
  COLLECT {
    UNWIND $p.episodes AS id
    MATCH (e:Episode {sid: $p.sid, id: id})
    USING INDEX SEEK e:Episode(sid, id)
    RETURN e.id
  } AS episodes,
  COLLECT {
    UNWIND $p.pieces AS id
    MATCH (of:Episode {sid: $p.sid, id: id})<-[:PART_OF]-(k:Chunk)
    USING INDEX SEEK of:Episode(sid, id)
    RETURN k {.id, .episode, .terms}
  } AS chunks,
  COLLECT {
    UNWIND $p.entities AS id
    MATCH (e:Entity {sid: $p.sid, id: id})
    USING INDEX SEEK e:Entity(sid, id)
    RETURN e {.id, .terms}
  } AS entities,
  COLLECT {
    UNWIND $p.blanked AS id
    MATCH (e:Episode {sid: $p.sid, id: id})
    USING INDEX SEEK e:Episode(sid, id)
    RETURN e {.*, said: null}
  } AS blanked,
  COLLECT {
    UNWIND $p.rewritten AS id
    MATCH (c:Claim {sid: $p.sid, id: id})
    USING INDEX SEEK c:Claim(sid, id)
    RETURN c.id
  } AS rewritten
