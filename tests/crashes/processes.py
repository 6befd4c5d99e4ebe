"""Child processes that start in milliseconds and may be killed."""

from __future__ import annotations

import multiprocessing
from multiprocessing.context import ForkServerContext, SpawnContext


def context(*also: str) -> ForkServerContext | SpawnContext:
    """Return where children come from: forked from a server without threads, where there is one.

    It imports the modules ``also`` beforehand, if this is the first call.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    forking = multiprocessing.get_context("forkserver")
    forking.set_forkserver_preload(["tests.crashes.child", "tests.crashes.races", *also])
    return forking
