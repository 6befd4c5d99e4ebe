"""What the scripts here and those of ``tests/faults`` share: their options, and what they print."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, asdict
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar


def options(doc: str | None, *, seed: bool = False) -> argparse.ArgumentParser:
    """Return a parser with the options of every script, and ``--seed`` for one that draws lots."""
    parser = argparse.ArgumentParser(description=(doc or "").partition("\n")[0])
    if seed:
        parser.add_argument("--seed", type=int, default=time.time_ns() % 10**6)
    parser.add_argument("--folder", type=Path, help="where to work")
    parser.add_argument("--json", action="store_true")
    return parser


def told(shown: Mapping[str, object], problems: Sequence[str], *, as_json: bool) -> int:
    """Print what a script found; return its exit code, 1 if there are problems."""
    for problem in problems:
        sys.stderr.write(f"{problem}\n")
    if as_json:
        sys.stdout.write(f"{json.dumps(shown)}\n")
    else:
        sys.stdout.write("".join(f"{name:>14}: {value}\n" for name, value in shown.items()))
    return int(bool(problems))


class Kill(Protocol):
    """One kill, and what was found; as text it is where in the verb it was."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]  # Any: as for every dataclass

    @property
    def verb(self) -> str:
        """What was killed."""
        ...

    @property
    def problems(self) -> Sequence[str]:
        """What must not be, in words."""
        ...


K = TypeVar("K", bound=Kill)


def shares(verbs: Sequence[str], kills: int) -> Iterator[tuple[str, int]]:
    """Yield each verb with its share of the kills."""
    for place, verb in enumerate(verbs):
        yield verb, kills // len(verbs) + (place < kills % len(verbs))


def table(
    columns: Sequence[str], done: Sequence[K], count: Callable[[Sequence[K]], Sequence[object]]
) -> Iterator[str]:
    """Yield the lines of a table by verb; ``count`` says what is in ``columns`` for one's kills."""
    yield _line(("verb", "kills", *columns, "failed"))
    for verb in dict.fromkeys(kill.verb for kill in done):
        of = [kill for kill in done if kill.verb == verb]
        yield _line((verb, len(of), *count(of), _failed(of)))


def killed(
    kills: Iterable[K],
    lines: Callable[[Sequence[K]], Iterator[str]],
    *,
    seed: int,
    as_json: bool,
) -> int:
    """Print problems as they are found, then all in ``lines``; return how many kills failed."""
    began = time.monotonic()
    done: list[K] = []
    for kill in kills:
        done.append(kill)
        for problem in kill.problems:
            sys.stderr.write(f"{kill}: {problem}\n")
            sys.stderr.flush()
    failed = _failed(done)
    seconds = round(time.monotonic() - began, 1)
    if as_json:
        rows = [asdict(kill) for kill in done]
        whole = {"seed": seed, "failed": failed, "seconds": seconds, "kills": rows}
        sys.stdout.write(f"{json.dumps(whole)}\n")
    else:
        sys.stdout.write("\n".join([f"seed {seed}, {seconds:.0f} s", *lines(done), ""]))
    return failed


def _failed(kills: Sequence[Kill]) -> int:
    return sum(bool(kill.problems) for kill in kills)


def _line(values: Iterable[object]) -> str:
    return "  ".join(f"{value!s:>12}" for value in values)
