// Keeps a value with the store unless there is one.
// Parameters, in $p: key STRING; value STRING.
// Returns: value STRING, the one that is kept.
MERGE (m:Meta {key: $p.key})
ON CREATE SET m.value = $p.value
RETURN m.value AS value
