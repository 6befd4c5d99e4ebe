"""Fixtures of every area."""

import pytest

# Before anything imports it: several areas run the suite.
pytest.register_assert_rewrite("graphmem.testing.graph_store")

from tests.services.deployments import MARKERS, spread  # noqa: E402
from tests.services.plugin import each_neo4j as each_neo4j  # noqa: E402
from tests.services.plugin import neo4j as neo4j  # noqa: E402
from tests.services.plugin import neo4j_current as neo4j_current  # noqa: E402
from tests.services.plugin import neo4j_lts as neo4j_lts  # noqa: E402


def pytest_configure(config: pytest.Config) -> None:
    """Make the areas' markers known."""
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Have tests of what a memory does run on each store."""
    spread(metafunc)
