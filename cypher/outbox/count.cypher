// Counts the outbox rows that wait: all but those put aside.
// Parameters, in $p: none.
// Returns: rows, parked INTEGER.
MATCH (o:Outbox)
WITH count(o) AS rows
RETURN rows, COUNT {
  MATCH (o:Outbox)
  USING INDEX SEEK o:Outbox(parked_at)
  WHERE o.parked_at > 0
} AS parked
