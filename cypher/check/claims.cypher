// Looks for what is wrong with claims and their links, a page at a time in order of their ids.
// Parameters, in $p: sid, after, entity STRING; forever, limit INTEGER.
// Returns: last STRING or null, the last id of the page; no_episode, no_link, two_links, link_entity,
//   link_ends, withdrawals LIST of STRING, ids.
CALL () {
  MATCH (n:Claim)
  USING INDEX SEEK n:Claim(sid, id)
  WHERE n.sid = $p.sid AND n.id > $p.after
  WITH n
  ORDER BY n.sid, n.id
  LIMIT $p.limit
  RETURN n, COUNT {
    MATCH (n)-[k:ABOUT]->()
    WHERE k.expired_at = $p.forever
  } AS live
}
WITH collect({n: n, live: live}) AS page
RETURN last(page).n.id AS last,
  [row IN page WHERE row.live = 0 | row.n.id] AS no_link,
  [row IN page WHERE row.live > 1 | row.n.id] AS two_links,
  [
    row IN page
    WHERE coalesce(size(row.n.withdrawn), 0) <> 2 * coalesce(size(row.n.withdrawn_why), 0)
    | row.n.id
  ] AS withdrawals,
  COLLECT {
    UNWIND page AS row
    WITH row.n AS n
    WHERE COLLECT { MATCH (n)-[:SAID_IN]->(e:Episode) RETURN e.id } <> [n.episode]
    RETURN n.id
  } AS no_episode,
  COLLECT {
    UNWIND page AS row
    MATCH (n:Claim {sid: $p.sid, id: row.n.id})-[k:ABOUT]->()
    USING INDEX SEEK n:Claim(sid, id)
    WHERE NOT EXISTS {
      MATCH (e:Entity {sid: k.sid, id: k.subject})
      USING INDEX SEEK e:Entity(sid, id)
    } OR k.object_kind = $p.entity AND NOT EXISTS {
      MATCH (e:Entity {sid: k.sid, id: k.object_key})
      USING INDEX SEEK e:Entity(sid, id)
    }
    RETURN DISTINCT n.id
  } AS link_entity,
  COLLECT {
    UNWIND page AS row
    MATCH (n:Claim {sid: $p.sid, id: row.n.id})-[k:ABOUT]->(about)
    USING INDEX SEEK n:Claim(sid, id)
    WHERE k.claim <> n.id OR about.sid <> n.sid
      OR about.id <> k.subject AND EXISTS {
        MATCH (e:Entity {sid: k.sid, id: k.subject})
        USING INDEX SEEK e:Entity(sid, id)
      } OR (k.expired_at = $p.forever) <> (k.manner IS NOT NULL)
    RETURN DISTINCT n.id
  } AS link_ends
