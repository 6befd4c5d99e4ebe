// Gives, kind by kind, the next scope id under which there is something.
// Parameters, in $p: episode, entity, claim, fact, chunk STRING, the last ids, null to leave a kind out.
// Returns: episode, entity, claim, fact, chunk LIST of STRING, of one at most.
RETURN
  COLLECT {
    MATCH (n:Episode)
    USING INDEX SEEK n:Episode(sid, id)
    WHERE n.sid > $p.episode AND n.id IS NOT NULL
    RETURN n.sid
    ORDER BY n.sid
    LIMIT 1
  } AS episode,
  COLLECT {
    MATCH (n:Entity)
    USING INDEX SEEK n:Entity(sid, id)
    WHERE n.sid > $p.entity AND n.id IS NOT NULL
    RETURN n.sid
    ORDER BY n.sid
    LIMIT 1
  } AS entity,
  COLLECT {
    MATCH (n:Claim)
    USING INDEX SEEK n:Claim(sid, id)
    WHERE n.sid > $p.claim AND n.id IS NOT NULL
    RETURN n.sid
    ORDER BY n.sid
    LIMIT 1
  } AS claim,
  COLLECT {
    MATCH (n:Fact)
    USING INDEX SEEK n:Fact(sid, id)
    WHERE n.sid > $p.fact AND n.id IS NOT NULL
    RETURN n.sid
    ORDER BY n.sid
    LIMIT 1
  } AS fact,
  COLLECT {
    MATCH (n:Chunk)
    USING INDEX SEEK n:Chunk(sid, id)
    WHERE n.sid > $p.chunk AND n.id IS NOT NULL
    RETURN n.sid
    ORDER BY n.sid
    LIMIT 1
  } AS chunk
