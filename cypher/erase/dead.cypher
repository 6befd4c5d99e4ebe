// Lists the scopes that were erased and are not yet removed, and says whether anything ever was.
// Parameters, in $p: yes BOOLEAN, true; key STRING, of the note that something was.
// Returns: sids LIST of STRING; erased BOOLEAN, in a scope that is there; noted BOOLEAN.
RETURN COLLECT {
    MATCH (s:Scope {dead: $p.yes})
    USING INDEX SEEK s:Scope(dead)
    RETURN s.id
  } AS sids,
  EXISTS {
    MATCH (s:Scope {erased: $p.yes})
    USING INDEX SEEK s:Scope(erased)
  } AS erased,
  EXISTS {
    MATCH (m:Meta {key: $p.key})
    USING INDEX SEEK m:Meta(key)
  } AS noted
