// Looks for what is wrong with facts, a page at a time in order of their ids.
// Parameters, in $p: sid, after, retracted, held, entity STRING; forever, limit INTEGER.
// Returns: last STRING or null, the last id of the page; shown INTEGER, how many of them a
//   relationship between two things stands for; two_live, overlap, unfounded, withdrawn, ends,
//   superseded LIST of STRING, ids; no_fact LIST of [claim, fact].
CALL () {
  MATCH (n:Fact)
  USING INDEX SEEK n:Fact(sid, id)
  WHERE n.sid = $p.sid AND n.id > $p.after
  WITH n
  ORDER BY n.sid, n.id
  LIMIT $p.limit
  RETURN n, COLLECT {
    MATCH (m:Record)
    USING INDEX SEEK m:Record(sid, id, created_at)
    WHERE m.sid = n.sid AND m.id = n.id AND m.created_at IS NOT NULL
    RETURN [m.created_at, m.expired_at]
    ORDER BY m.created_at
  } AS spans
}
WITH collect({n: n, spans: spans}) AS page
RETURN last(page).n.id AS last,
  COUNT {
    UNWIND page AS row
    WITH row.n AS n
    WHERE n.expired_at = $p.forever AND n.status = $p.held AND n.object_kind = $p.entity
    RETURN n
  } AS shown,
  COLLECT {
    UNWIND page AS row
    WITH row
    WHERE size([span IN row.spans WHERE span[1] = $p.forever]) > 1
    RETURN row.n.id
  } AS two_live,
  COLLECT {
    UNWIND page AS row
    WITH row
    WHERE any(i IN range(1, size(row.spans) - 1) WHERE row.spans[i][0] < row.spans[i - 1][1])
    RETURN row.n.id
  } AS overlap,
  COLLECT {
    UNWIND page AS row
    WITH row.n AS n
    WHERE n.expired_at = $p.forever AND n.status <> $p.retracted AND NOT EXISTS {
      MATCH (n)-[r:RESTS_ON]->(:Claim)
      WHERE r.expired_at = $p.forever
    }
    RETURN n.id
  } AS unfounded,
  COLLECT {
    UNWIND page AS row
    WITH row.n AS n
    WHERE n.expired_at = $p.forever AND n.status <> $p.retracted
    WITH n, COLLECT {
      MATCH (n)-[r:RESTS_ON]->(c:Claim)
      WHERE r.expired_at = $p.forever
      RETURN coalesce(c.withdrawn[-1] = $p.forever, false)
    } AS withdrawn
    WHERE size(withdrawn) > 0 AND all(one IN withdrawn WHERE one)
    RETURN n.id
  } AS withdrawn,
  COLLECT {
    UNWIND page AS row
    WITH row.n AS n, row.spans AS spans
    WHERE size(spans) = 0
    MATCH (n)-[:RESTS_ON]->(c:Claim)
    RETURN [c.id, n.id]
  } AS no_fact,
  COLLECT {
    UNWIND page AS row
    WITH row.n AS n
    WHERE COLLECT { MATCH (n)<-[:SUBJECT_OF]-(a:Entity) RETURN a.id } <>
        CASE WHEN n.expired_at = $p.forever AND n.subject_kind = $p.entity
          THEN [n.subject_key] ELSE [] END
      OR COLLECT { MATCH (n)-[:OBJECT]->(b:Entity) RETURN b.id } <>
        CASE WHEN n.expired_at = $p.forever AND n.object_kind = $p.entity
          THEN [n.object_key] ELSE [] END
    RETURN n.id
  } AS ends,
  COLLECT {
    UNWIND page AS row
    WITH row.n AS n
    WHERE n.cause_claim IS NOT NULL
    WITH n, COUNT { MATCH (n)<-[:SUPERSEDES]-(:Fact) } AS said, COUNT {
      MATCH (c:Claim {sid: n.sid, id: n.cause_claim})<-[r:RESTS_ON]-(m:Fact)
      USING INDEX SEEK c:Claim(sid, id)
      WHERE r.expired_at = $p.forever AND m.expired_at = $p.forever AND m.id <> n.id
    } AS wanted
    WHERE said <> wanted
    RETURN n.id
  } AS superseded
