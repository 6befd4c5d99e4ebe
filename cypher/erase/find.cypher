// Takes the lock of a living scope and counts what it holds.
// Parameters, in $p: key STRING of the scope.
// Returns: sid STRING; counts MAP, by kind.
MATCH (s:Scope {key: $p.key})
USING INDEX SEEK s:Scope(key)
SET s.locked = true
WITH s
WHERE s.key IS NOT NULL
RETURN s.id AS sid, {
  episodes: COUNT {
    MATCH (n:Episode)
    USING INDEX SEEK n:Episode(sid, id)
    WHERE n.sid = s.id AND n.id IS NOT NULL
  },
  entities: COUNT {
    MATCH (n:Entity)
    USING INDEX SEEK n:Entity(sid, id)
    WHERE n.sid = s.id AND n.id IS NOT NULL
  },
  claims: COUNT {
    MATCH (n:Claim)
    USING INDEX SEEK n:Claim(sid, id)
    WHERE n.sid = s.id AND n.id IS NOT NULL
  },
  facts: COUNT {
    MATCH (n:Fact)
    USING INDEX SEEK n:Fact(sid, id)
    WHERE n.sid = s.id AND n.id IS NOT NULL
      AND (n.record IS NOT NULL OR EXISTS { MATCH (n)<-[:REVISION_OF]-(:Revision) })
  },
  records: COUNT {
    MATCH (n:Record)
    USING INDEX SEEK n:Record(sid, record)
    WHERE n.sid = s.id AND n.record IS NOT NULL
  },
  suggestions: COUNT {
    MATCH ()-[r:SAME_AS]->()
    USING INDEX SEEK r:SAME_AS(sid, id)
    WHERE r.sid = s.id AND r.id IS NOT NULL
  }
} AS counts
