"""Fixtures of every area."""

import pytest

# Before anything imports it: several areas run the suite.
pytest.register_assert_rewrite("graphmem.testing.graph_store")

from tests.services.plugin import each_neo4j as each_neo4j  # noqa: E402
from tests.services.plugin import neo4j as neo4j  # noqa: E402
from tests.services.plugin import neo4j_current as neo4j_current  # noqa: E402
from tests.services.plugin import neo4j_lts as neo4j_lts  # noqa: E402
