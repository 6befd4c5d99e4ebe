// Lists the indexes of graphmem and their states; a constraint is an index of the same name.
// Parameters, in $p: prefix STRING with which their names begin.
// Returns: rows LIST of {name, state STRING; percent FLOAT; constraint STRING or null}.
SHOW INDEXES YIELD name, state, populationPercent, owningConstraint
WHERE name STARTS WITH $p.prefix
RETURN collect({
  name: name, state: state, percent: populationPercent, constraint: owningConstraint
}) AS rows
