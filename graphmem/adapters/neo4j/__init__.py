"""The server store: a Neo4j database as system of record, readable in Neo4j Browser."""
