"""Tests that ask for ``stores`` run on each store."""

from tests.services.deployments import stores as stores
