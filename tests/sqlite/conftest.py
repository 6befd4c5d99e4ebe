import pytest

pytest.register_assert_rewrite("graphmem.testing.graph_store")
