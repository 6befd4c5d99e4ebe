// Reads the values kept with the store whose keys begin alike.
// Parameters, in $p: prefix STRING.
// Returns: rows LIST of {key, value STRING}.
MATCH (m:Meta)
USING INDEX SEEK m:Meta(key)
WHERE m.key STARTS WITH $p.prefix
RETURN collect(m {.key, .value}) AS rows
