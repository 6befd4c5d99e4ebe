// Reads a value kept with the store.
// Parameters, in $p: key STRING.
// Returns: value STRING.
MATCH (m:Meta {key: $p.key})
USING INDEX SEEK m:Meta(key)
RETURN m.value AS value
