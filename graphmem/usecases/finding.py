"""A line of what the doctor says."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of a report: what was looked at, what was found, and whether that is well."""

    name: str
    value: str
    well: bool = True
