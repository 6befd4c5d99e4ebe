"""Fixtures of the generated histories: what a memory does is tried on each store."""

from __future__ import annotations

from tests.services.deployments import each_store as each_store
from tests.services.deployments import stores as stores
