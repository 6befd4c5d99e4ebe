"""What the benchmarks share: their options, the folder they read, and how figures are told.

A benchmark NAME reads the folder given with ``--data``, else the one named by the environment
variable ``GRAPHMEM_BENCH_NAME`` (in capitals), else a small sample of our own in the same layout.
With ``--json`` it prints one JSON object and nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).resolve().parent / "samples"

Figures = dict[str, Any]  # Any: figures are JSON
Json = Mapping[str, Any]  # Any: one JSON object; the formats are described beside the data


@dataclass(frozen=True, slots=True)
class Source:
    """The folder a benchmark reads, and the name of what is in it ("sample" for our own)."""

    folder: Path
    corpus: str


def variable(name: str) -> str:
    """Return the environment variable that names a benchmark's folder."""
    return f"GRAPHMEM_BENCH_{name.upper()}"


def options(name: str, about: str | None, *, data: bool = True) -> argparse.ArgumentParser:
    """Return a parser with the options that all benchmarks have.

    Args:
        name: the benchmark's.
        about: its module's docstring; the first line is shown.
        data: whether it reads a folder.
    """
    first = (about or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{name}", description=first)
    if data:
        parser.add_argument(
            "--data",
            type=Path,
            default=None,
            metavar="FOLDER",
            help=f"the data set's folder (or {variable(name)}); else a small sample of our own",
        )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def source(
    parser: argparse.ArgumentParser,
    given: argparse.Namespace,
    *,
    name: str,
    corpus: str,
    sample: Path,
    files: Sequence[str],
) -> Source:
    """Return what to read; end with a clear error if the folder lacks a file.

    Args:
        parser, given: from ``options``.
        name: the benchmark's.
        corpus: what the data set is called. sample: our own folder in its layout.
        files: patterns of the files that must be there.
    """
    named = os.environ.get(variable(name), "").strip()
    if given.data is not None:
        folder, how = given.data, "--data"
    elif named:
        folder, how = Path(named), variable(name)
    else:
        return Source(sample, "sample")
    if not folder.is_dir():
        parser.error(f"{how}: there is no folder {str(folder)!r}; name the one of {corpus}")
    missing = [pattern for pattern in files if not any(folder.glob(pattern))]
    if missing:
        parser.error(f"{how}: {str(folder)!r} holds no {', '.join(missing)}; name that of {corpus}")
    return Source(folder, corpus)


def lines(path: Path) -> list[Json]:
    """Read a JSON Lines file."""
    text = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def read_json(path: Path) -> Any:  # Any: JSON
    """Read a JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))


def share(part: float, whole: float) -> float:
    """Return a fraction to four places; 0 of nothing."""
    return round(part / whole, 4) if whole else 0.0


def tell(figures: Figures, rows: Iterable[Sequence[object]], *, as_json: bool) -> None:
    """Print the figures as one JSON object, or a table: what was measured, then ``rows``."""
    if as_json:
        print(json.dumps(figures, ensure_ascii=False))
        return
    print(f"{figures['corpus']}: n {figures['n']}, {figures['seconds']} s")
    print(table(rows))


def table(rows: Iterable[Sequence[object]]) -> str:
    """Lay rows out in columns: words to the left, numbers to the right."""
    cells = [[_cell(value) for value in row] for row in rows]
    width = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        "  ".join(
            text.ljust(wide) if column == 0 else text.rjust(wide)
            for column, (text, wide) in enumerate(zip(row, width, strict=True))
        ).rstrip()
        for row in cells
    )


def _cell(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)
