// Takes the lock of a scope, whose node is made if there is none, so that writers of one scope queue.
// Parameters, in $p: key STRING of the living scope; sid STRING for a new node; tenant, user STRING;
//   change_key STRING or null, the change's own id.
// Returns: sid STRING; at, number INTEGER, of the scope's last change; alive BOOLEAN, false if it was
//   erased while we waited; done MAP or null, the change that has this id; self MAP or null.
MERGE (s:Scope {key: $p.key})
ON CREATE SET s.id = $p.sid, s.tenant = $p.tenant, s.user = $p.user, s.at = 0, s.number = 0,
  s.points = 0
SET s.locked = true
WITH s
OPTIONAL MATCH (c:Change {sid: s.id, change_key: $p.change_key})
USING INDEX SEEK c:Change(sid, change_key)
WITH s, c
OPTIONAL MATCH (s)-[:SELF]->(e:Entity)
RETURN s.id AS sid, s.at AS at, s.number AS number, s.key IS NOT NULL AS alive,
  c {.number, .at} AS done, e {.*, terms: null, weights: null} AS self
LIMIT 1
