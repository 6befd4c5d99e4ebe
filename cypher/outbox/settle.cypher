// Removes outbox rows that were applied.
// Parameters, in $p: seqs LIST of INTEGER.
// Returns: nothing.
UNWIND $p.seqs AS seq
MATCH (o:Outbox {seq: seq})
USING INDEX SEEK o:Outbox(seq)
DELETE o
FINISH
