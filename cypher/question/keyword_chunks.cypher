// Finds pieces of turns by their words.
// Parameters, in $p: index, query STRING; weights MAP of term to FLOAT; places, limit INTEGER;
//   known_at INTEGER or null; sessions, agents LIST of STRING or null.
// Returns: ref STRING; score FLOAT; best first.
CALL db.index.fulltext.queryNodes($p.index, $p.query) YIELD node
WITH node AS n
WHERE n:Chunk
MATCH (n)-[:PART_OF]->(e:Episode)
WHERE ($p.known_at IS NULL OR e.created_at <= $p.known_at)
  AND ($p.sessions IS NULL OR e.session IN $p.sessions)
  AND ($p.agents IS NULL OR e.agent IN $p.agents)
WITH n, round(reduce(
  sum = 0.0, place IN range(0, size(n.terms) - 1)
  | sum + n.weights[place] * coalesce($p.weights[n.terms[place]], 0.0)
), $p.places) AS score
WHERE score > 0
RETURN n.id AS ref, score
ORDER BY score DESC, ref
LIMIT $p.limit
