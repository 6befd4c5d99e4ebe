// Lists the scopes that hold anything.
// Parameters, in $p: none.
// Returns: tenant, user STRING; sid STRING the scope's node id.
MATCH (s:Scope)
WHERE s.key IS NOT NULL
RETURN s.tenant AS tenant, s.user AS user, s.id AS sid
ORDER BY tenant, user
