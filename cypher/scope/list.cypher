// Lists the scopes that hold anything.
// Parameters, in $p: none.
// Returns: scopes LIST of {tenant, user STRING; sid STRING the scope's node id}.
MATCH (s:Scope)
WHERE s.key IS NOT NULL
WITH s ORDER BY s.tenant, s.user
RETURN collect(s {.tenant, .user, sid: s.id}) AS scopes
