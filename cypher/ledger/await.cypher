// Waits until every index can be used.
// Parameters, in $p: seconds INTEGER at most.
// Returns: nothing.
CALL db.awaitIndexes($p.seconds)
