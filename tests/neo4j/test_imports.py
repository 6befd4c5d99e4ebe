"""What a memory without a server does not load."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROBE = """
import sys
from graphmem import Memory
with Memory(sys.argv[1]) as memory:
    memory.add_fact("me", "lives_in", "Larkham", user="ana")
    assert memory.facts(user="ana")
print("neo4j" in sys.modules)
"""


def test_a_memory_in_a_folder_loads_no_driver(tmp_path: Path) -> None:
    """The driver takes long to import, and nobody without a server needs it."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, tmp_path / "memory"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "False\n"), done.stderr
