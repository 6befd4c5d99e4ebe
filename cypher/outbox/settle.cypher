// Removes outbox rows that were applied.
// Parameters, in $p: seqs LIST of INTEGER.
// Returns: nothing.
UNWIND $p.seqs AS seq
MATCH (o:Outbox {seq: seq})
DELETE o
FINISH
