"""Fixtures of the hostile tests: those of the client's."""

from __future__ import annotations

from tests.engine.conftest import clock, make, mem

__all__ = ["clock", "make", "mem"]
