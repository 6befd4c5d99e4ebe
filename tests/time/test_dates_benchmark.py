"""The benchmark of dates runs on its own sample, and sees what is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta

from benchmarks.dates import SAMPLE, judge
from benchmarks.dates_gold import load


def test_the_sample_is_read_rightly() -> None:
    """With no folder given, the sample is judged and printed as one JSON object."""
    command = [sys.executable, "-m", "benchmarks.dates", "--json", "--data", str(SAMPLE)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    figures = json.loads(run.stdout)
    assert figures["n"] >= 100
    assert (figures["right"], figures["wrong"]) == (1.0, 0.0)


def test_a_day_off_is_wrong() -> None:
    """Gold that lies elsewhere is not matched."""
    case = load(SAMPLE)["own"].cases[0]
    assert case.first is not None
    assert case.after is not None
    day = timedelta(days=1)
    assert judge(replace(case, first=case.first + day, after=case.after + day)) == "wrong"
