// Keeps a value with the store if another is kept still.
// Parameters, in $p: key STRING; before STRING, the other ("" if none); value STRING.
// Returns: swapped BOOLEAN, whether the value is kept now.
MERGE (m:Meta {key: $p.key})
SET m.locked = true
WITH m
SET m.value = CASE coalesce(m.value, '') WHEN $p.before THEN $p.value ELSE m.value END
RETURN coalesce(m.value = $p.value, false) AS swapped
