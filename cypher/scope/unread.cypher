// Counts the turns of all living scopes that are in one state of being read.
// Parameters, in $p: reading STRING.
// Returns: unread INTEGER.
MATCH (s:Scope)
WHERE s.key IS NOT NULL
RETURN sum(COUNT {
  MATCH (e:Episode)
  USING INDEX SEEK e:Episode(sid, reading, occurred_at)
  WHERE e.sid = s.id AND e.reading = $p.reading AND e.occurred_at IS NOT NULL
  RETURN e
}) AS unread
