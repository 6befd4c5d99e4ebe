-- Statements that look at the schema itself.

-- name: about.indexes
SELECT i.name, i."unique"
FROM sqlite_schema AS t CROSS JOIN pragma_index_list(t.name) AS i
WHERE t.type = 'table'
ORDER BY i.name;
