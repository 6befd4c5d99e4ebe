// Finds records by weighted terms: fact records and pieces of turns by the full-text index, things by
// the words of their names. The score is the sum of given weight times weight in the record.
// Parameters, in $p: key STRING, of the scope; scoped STRING and queries LIST of
//   STRING, of the full-text index, before and after the scope's id, none where neither facts nor
//   chunks are wanted; terms LIST of STRING, of names, none where no things are wanted;
//   weights MAP, by term; facts, chunks BOOLEAN, whether they are wanted; fact, chunk, entity STRING,
//   the names of the kinds; places INTEGER, of the score; limit INTEGER; most INTEGER, of the records
//   that the index finds best, of all kinds; what passes: statuses LIST of STRING; polarity, modality
//   STRING or null; predicates, sessions, agents LIST of STRING or null; first, last INTEGER, between
//   which it holds; upcoming, uncertain BOOLEAN, what else may be; planned STRING, the modality of
//   plans; known_at INTEGER or null; forever INTEGER.
// Returns: found LIST of [kind, id, score], best first; more BOOLEAN, whether there may be records that
//   the index found worse than so many.
OPTIONAL MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
CALL (s) {
  UNWIND CASE WHEN s IS NULL THEN [] ELSE $p.queries END AS query
  // The index follows commits a moment later, so that a write need not wait for it; a read does.
  CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
  CALL db.index.fulltext.queryNodes(
    "graphmem_terms", $p.scoped + s.id + query, {limit: $p.most}
  ) YIELD node
  RETURN collect(DISTINCT node) AS nodes, count(node) >= $p.most AS more
}
CALL (s, nodes) {
  CALL (s, nodes) {
    UNWIND nodes AS f
    WITH f, CASE
        WHEN f:Chunk THEN CASE WHEN $p.chunks THEN $p.chunk END
        WHEN f:Record AND $p.facts THEN $p.fact END AS kind
    WHERE kind IS NOT NULL
    WITH f, kind, f.terms AS terms, f.weights AS weights
    RETURN
      kind,
      CASE WHEN kind = $p.chunk THEN f.id ELSE f.record END AS id,
      reduce(
        total = 0.0, n IN range(0, size(terms) - 1) |
        total + weights[n] * coalesce($p.weights[terms[n]], 0.0)
      ) AS total,
      f
    UNION ALL
    UNWIND $p.terms AS term
    MATCH (t:Term {sid: s.id, term: term})-[r:IN_NAME]->(e:Entity)
    USING INDEX SEEK t:Term(sid, term)
    WHERE $p.known_at IS NULL OR e.created_at <= $p.known_at
    RETURN $p.entity AS kind, e.id AS id, sum(r.weight * $p.weights[term]) AS total, null AS f
  }
  WITH kind, id, round(total, $p.places) AS score, f
  ORDER BY score DESC, id, kind
  // The best first, so that of the others nothing more is read.
  WITH kind, id, score, f
  WHERE kind = $p.entity OR (kind = $p.fact
      AND CASE WHEN $p.known_at IS NULL THEN f.expired_at = $p.forever
        ELSE f.created_at <= $p.known_at AND f.expired_at > $p.known_at END
      AND f.status IN $p.statuses
      AND ($p.polarity IS NULL OR f.polarity = $p.polarity)
      AND ($p.modality IS NULL OR f.modality = $p.modality)
      AND ($p.predicates IS NULL OR f.predicate IN $p.predicates)
      AND f.reads_until > $p.first
      AND CASE WHEN f.reads_from <= $p.last THEN true
        WHEN $p.upcoming AND f.modality = $p.planned THEN true
        ELSE $p.uncertain AND f.may_from <= $p.last END
      AND ($p.sessions IS NULL OR EXISTS {
        MATCH (t:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
        USING INDEX SEEK t:Fact(sid, id)
        WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
          AND r.expired_at > coalesce($p.known_at, f.expired_at - 1) AND e.session IN $p.sessions
      })
      AND ($p.agents IS NULL OR EXISTS {
        MATCH (t:Fact {sid: f.sid, id: f.id})-[r:RESTS_ON]->(:Claim)-[:SAID_IN]->(e:Episode)
        USING INDEX SEEK t:Fact(sid, id)
        WHERE r.created_at <= coalesce($p.known_at, f.expired_at - 1)
          AND r.expired_at > coalesce($p.known_at, f.expired_at - 1) AND e.agent IN $p.agents
      })) OR (kind = $p.chunk AND (
      ($p.known_at IS NULL AND $p.sessions IS NULL AND $p.agents IS NULL) OR EXISTS {
        MATCH (f)-[:PART_OF]->(e:Episode)
        WHERE ($p.known_at IS NULL OR e.created_at <= $p.known_at)
          AND ($p.sessions IS NULL OR e.session IN $p.sessions)
          AND ($p.agents IS NULL OR e.agent IN $p.agents)
      }
    ))
  WITH kind, id, score
  ORDER BY score DESC, id, kind
  LIMIT $p.limit
  RETURN collect([kind, id, score]) AS found
}
RETURN found, more
