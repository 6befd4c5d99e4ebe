// Waits until every index can be used.
// Parameters, in $p: none.
// Returns: nothing.
CALL db.awaitIndexes(3600)
