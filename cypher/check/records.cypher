// Looks for what is wrong with records of facts, a page at a time in order of their ids, and gives
// their keywords to be counted.
// Parameters, in $p: sid, after, entity STRING; limit INTEGER.
// Returns: last STRING or null, the last id of the page; terms LIST of LIST; record_interval,
//   valid_interval, fact_entity, fact_terms LIST of STRING, record ids.
CALL () {
  MATCH (n:Record)
  USING INDEX SEEK n:Record(sid, record)
  WHERE n.sid = $p.sid AND n.record > $p.after
  WITH n
  ORDER BY n.sid, n.record
  LIMIT $p.limit
  RETURN n
}
WITH collect(n) AS page
RETURN last(page).record AS last, [n IN page WHERE n.terms IS NOT NULL | n.terms] AS terms,
  [n IN page WHERE n.expired_at <= n.created_at | n.record] AS record_interval,
  [n IN page WHERE n.reads_until < n.may_from | n.record] AS valid_interval,
  [n IN page WHERE n.terms IS NULL OR size(n.terms) <> size(n.weights) | n.record] AS fact_terms,
  COLLECT {
    UNWIND page AS n
    WITH n
    WHERE n.subject_kind = $p.entity AND NOT EXISTS {
      MATCH (e:Entity {sid: n.sid, id: n.subject_key})
      USING INDEX SEEK e:Entity(sid, id)
    } OR n.object_kind = $p.entity AND NOT EXISTS {
      MATCH (e:Entity {sid: n.sid, id: n.object_key})
      USING INDEX SEEK e:Entity(sid, id)
    }
    RETURN n.record
  } AS fact_entity
