// Removes the outbox rows of a scope that only ask for something to be written, in batches.
// Parameters, in $p: sid STRING; batch INTEGER.
// Returns: nothing.
MATCH (o:Outbox)
USING INDEX SEEK o:Outbox(sid, kind, id)
WHERE o.sid = $p.sid AND o.kind IS NOT NULL AND o.id IS NOT NULL AND size(o.removed) = 0
CALL (o) { DELETE o } IN TRANSACTIONS OF $p.batch ROWS
FINISH
