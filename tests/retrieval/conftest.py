"""Fixtures of the tests of answers: they are run on each store."""

from __future__ import annotations

from tests.services.deployments import stores as stores
