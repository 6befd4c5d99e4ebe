// Puts an outbox row aside that cannot be applied.
// Parameters, in $p: seq INTEGER; reason STRING.
// Returns: nothing.
MATCH (o:Outbox {seq: $p.seq})
USING INDEX SEEK o:Outbox(seq)
SET o.parked = $p.reason, o.parked_at = timestamp()
FINISH
