// Keeps a value with the store.
// Parameters, in $p: key STRING; value STRING.
// Returns: nothing.
MERGE (m:Meta {key: $p.key})
SET m.value = $p.value
