// Says which scopes are there, erased ones too.
// Parameters, in $p: sids LIST of STRING.
// Returns: rows LIST of STRING, those that are there.
RETURN COLLECT {
  UNWIND $p.sids AS sid
  MATCH (s:Scope {id: sid})
  USING INDEX SEEK s:Scope(id)
  RETURN s.id
} AS rows
