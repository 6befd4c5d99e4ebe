"""One change: take the scope's lock, run the decision, write what it returns."""

from __future__ import annotations

import secrets
from functools import partial

from graphmem.adapters.neo4j.apply import Writer
from graphmem.adapters.neo4j.connection import Connection
from graphmem.adapters.neo4j.documents import Counts
from graphmem.adapters.neo4j.erase import erase
from graphmem.adapters.neo4j.names import Vocabulary, indexed
from graphmem.adapters.neo4j.snapshot import Reader
from graphmem.adapters.neo4j.there import there
from graphmem.adapters.neo4j.tx import Found, Tx
from graphmem.adapters.neo4j.writing import write
from graphmem.adapters.system.line import apart
from graphmem.errors import StoreUnavailableError
from graphmem.model.changes import Changed, ChangeSet, Decide, Decision, Snapshot, Wanted
from graphmem.model.scope import Scope
from graphmem.model.touched import Touched
from graphmem.ports.clock import Clock

_TRIES = 5


class _NothingError(Exception):
    """Nothing is to be written, so the transaction, which may have made a node, is rolled back."""

    def __init__(self, changed: Changed) -> None:
        super().__init__("nothing to write")
        self.changed = changed


class _ErasedError(Exception):
    """The scope was erased while we waited for its lock; it begins anew."""


async def change(
    connection: Connection,
    clock: Clock,
    vocabulary: Vocabulary,
    scope: Scope,
    decide: Decide,
    change_id: str | None,
) -> Changed:
    """Run a decision and commit what it returns.

    Raises:
        RefusedError: the change set breaks a rule; nothing was written.
        StoreUnavailableError: the store is away or busy beyond its deadline.
    """

    attempt = _Attempt(clock, vocabulary, scope, decide, change_id)
    for _ in range(_TRIES):
        try:
            return await connection.write(attempt.run, turn=scope.key)
        except _NothingError as nothing:
            return nothing.changed
        except _ErasedError:
            continue
    raise StoreUnavailableError(
        f"the scope of user {scope.user!r} was erased again and again meanwhile; try again"
    )


class _Attempt:
    """One change, tried until it is committed.

    It has a key of its own even where the caller gives none: if the acknowledgement of a commit is
    lost, the next try finds that it was applied.
    """

    def __init__(
        self,
        clock: Clock,
        vocabulary: Vocabulary,
        scope: Scope,
        decide: Decide,
        change_id: str | None,
    ) -> None:
        self._clock = clock
        self._vocabulary = vocabulary
        self._scope = scope
        self._decide = decide
        self._id = change_id
        self._key = secrets.token_hex(16) if change_id is None else indexed(change_id)
        self._written: dict[int, ChangeSet] = {}

    async def run(self, tx: Tx) -> Changed:
        """Do all of it in the transaction ``tx``."""
        decision = self._decide()
        try:
            return await self._run(tx, decision)
        finally:
            decision.close()

    async def _run(self, tx: Tx, decision: Decision) -> Changed:
        # What it wants first does not depend on the store, and is read together with the lock.
        step = await apart(partial(_step, decision, None))
        reader = Reader(tx, self._scope)
        locked = await reader.begin(step if isinstance(step, Wanted) else Wanted(), self._key)
        if not locked["alive"]:
            raise _ErasedError
        done = locked["done"]
        if done is not None:
            written = self._written.get(done["number"], ChangeSet())
            raise _NothingError(Changed(done["number"], done["at"], written))
        now = self._clock.now()
        if not locked["fresh"]:
            now = max(now, locked["at"] + 1)
        number: int = locked["number"] + 1
        reader.stamp(now, number)
        while isinstance(step, Wanted):
            # Each step is apart from the loop that serves all calls of the store.
            step = await apart(partial(_step, decision, await reader.snapshot(step)))
        if step.empty:
            raise _NothingError(Changed(locked["number"], locked["at"], step))
        await self._write(tx, locked, step, number, now)
        self._written[number] = step
        return Changed(number, now, step)

    async def _write(
        self, tx: Tx, locked: Found, changes: ChangeSet, number: int, now: int
    ) -> None:
        sid = locked["sid"]
        counts, touched = Counts(), Touched()
        if changes.erased is not None:
            await erase(tx, sid, changes.erased, counts, touched, number=number, at=now)
        own = None if locked["self"] is None else locked["self"]["id"]
        found = await there(tx, sid, changes, own)
        plan = Writer(found, now, self._vocabulary, counts, touched).plan(changes)
        noted = {"number": number, "at": now, "change_id": self._id, "change_key": self._key}
        await write(tx, sid, plan, counts, touched, changes=[noted], number=number, at=now)


def _step(decision: Decision, sent: Snapshot | None) -> Wanted | ChangeSet:
    try:
        return next(decision) if sent is None else decision.send(sent)
    except StopIteration as done:
        changes: ChangeSet = done.value
        return changes
