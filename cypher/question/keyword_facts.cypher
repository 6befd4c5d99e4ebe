// Finds fact records by their words.
// Parameters, in $p: index, query STRING; weights MAP of term to FLOAT; places, limit INTEGER;
//   forever INTEGER; statuses LIST of STRING; polarity,
//   modality STRING or null; predicates, sessions, agents LIST of STRING or null; first, last INTEGER
//   or null; upcoming, uncertain BOOLEAN; planned STRING; known_at INTEGER or null.
// Returns: ref STRING; score FLOAT; best first.
CALL db.index.fulltext.queryNodes($p.index, $p.query) YIELD node
WITH node AS n
WHERE n:Record
WITH n AS f
WHERE CASE WHEN $p.known_at IS NULL THEN f.expired_at = $p.forever
  ELSE f.created_at <= $p.known_at AND f.expired_at > $p.known_at END
  AND f.status IN $p.statuses
  AND ($p.polarity IS NULL OR f.polarity = $p.polarity)
  AND ($p.modality IS NULL OR f.modality = $p.modality)
  AND ($p.predicates IS NULL OR f.predicate IN $p.predicates)
  AND ($p.first IS NULL OR f.reads_until > $p.first)
  AND (
    $p.last IS NULL OR f.reads_from <= $p.last
    OR ($p.upcoming AND f.modality = $p.planned) OR ($p.uncertain AND f.may_from <= $p.last)
  )
  AND ($p.sessions IS NULL OR EXISTS {
    MATCH (:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
    WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
      AND r.expired_at > coalesce($p.known_at, f.expired_at - 1) AND e.session IN $p.sessions
  })
  AND ($p.agents IS NULL OR EXISTS {
    MATCH (:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
    WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
      AND r.expired_at > coalesce($p.known_at, f.expired_at - 1) AND e.agent IN $p.agents
  })
WITH f AS n
WITH n, round(reduce(
  sum = 0.0, place IN range(0, size(n.terms) - 1)
  | sum + n.weights[place] * coalesce($p.weights[n.terms[place]], 0.0)
), $p.places) AS score
WHERE score > 0
RETURN n.record AS ref, score
ORDER BY score DESC, ref
LIMIT $p.limit
