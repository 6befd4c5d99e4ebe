// Reads what a component of the server is.
// Parameters, in $p: component STRING its name.
// Returns: version, edition STRING.
CALL dbms.components() YIELD name, versions, edition
WHERE name = $p.component
RETURN versions[0] AS version, edition
