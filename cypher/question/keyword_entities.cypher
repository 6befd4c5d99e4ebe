// Finds things by the words of their names.
// Parameters, in $p: index, query STRING; weights MAP of term to FLOAT; places, limit INTEGER;
//   known_at INTEGER or null.
// Returns: ref STRING; score FLOAT; best first.
CALL db.index.fulltext.queryNodes($p.index, $p.query) YIELD node
WITH node AS n
WHERE n:Entity
  AND ($p.known_at IS NULL OR n.created_at <= $p.known_at)
WITH n, round(reduce(
  sum = 0.0, place IN range(0, size(n.terms) - 1)
  | sum + n.weights[place] * coalesce($p.weights[n.terms[place]], 0.0)
), $p.places) AS score
WHERE score > 0
RETURN n.id AS ref, score
ORDER BY score DESC, ref
LIMIT $p.limit
