// Lists the scopes that were erased and are not yet removed, and counts the erasures there ever were.
// Parameters, in $p: dead BOOLEAN, true; erasures STRING, a key of Meta.
// Returns: sids LIST of STRING; erasures STRING or null.
RETURN COLLECT {
    MATCH (s:Scope {dead: $p.dead})
    RETURN s.id
  } AS sids,
  head(COLLECT {
    MATCH (m:Meta {key: $p.erasures})
    RETURN m.value
  }) AS erasures
