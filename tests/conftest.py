"""Fixtures of every area."""

from tests.services.plugin import each_neo4j as each_neo4j
from tests.services.plugin import neo4j as neo4j
from tests.services.plugin import neo4j_current as neo4j_current
from tests.services.plugin import neo4j_lts as neo4j_lts
