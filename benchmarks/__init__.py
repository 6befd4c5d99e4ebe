"""Measurements; each runs by ``python -m benchmarks.NAME``."""
