"""What is wrong inside the file, in plain words."""

from __future__ import annotations

import sqlite3

from graphmem.adapters.sqlite.statements import names, sql
from graphmem.model.chunks import chunks
from graphmem.model.rows import episode_from


def check(connection: sqlite3.Connection) -> list[str]:
    """Return every finding, for live scopes and for those that are being removed."""
    found = [
        f"the file is damaged: {row[0]}"
        for row in connection.execute("PRAGMA integrity_check")
        if row[0] != "ok"
    ]
    found.extend(
        f"a row of {row['table']} refers to a row of {row['parent']} that is not there"
        for row in connection.execute("PRAGMA foreign_key_check")
    )
    for name in names():
        if name.startswith("check."):
            found.extend(row[0] for row in connection.execute(sql(name)))
    found.extend(
        f"the episode {row['id']} has no keywords"
        for row in connection.execute(sql("verify.episodes_without_terms"))
        if chunks(episode_from(row))
    )
    return found
