"""Fixtures of the tests of crashes: what is no matter of files is tried on each store."""

from __future__ import annotations

from tests.services.deployments import stores as stores
