"""The contract every graph store must pass.

Subclass ``GraphStoreContract``, say how an empty store is opened, and let pytest collect it::

    class TestMyStore(GraphStoreContract):
        def opened(self, folder, clock):
            return closing(MyStore.open(folder / "store", clock))

The tests are coroutines run by the pytest plugin that comes with anyio. Each checks one promise of
``graphmem.ports.graph_store.GraphStore``.
"""

from graphmem.testing.graph_store.around import AroundTests
from graphmem.testing.graph_store.asking import AskingTests
from graphmem.testing.graph_store.base import closing
from graphmem.testing.graph_store.changes import ChangeTests
from graphmem.testing.graph_store.erasing import ErasingTests
from graphmem.testing.graph_store.facts import FactTests
from graphmem.testing.graph_store.finding import FindingTests
from graphmem.testing.graph_store.leases import LeaseTests
from graphmem.testing.graph_store.looking import LookingTests
from graphmem.testing.graph_store.outbox import OutboxTests
from graphmem.testing.graph_store.reads import ReadTests
from graphmem.testing.graph_store.refusals import RefusalTests
from graphmem.testing.graph_store.transfer import TransferTests
from graphmem.testing.graph_store.wanted import WantedTests

__all__ = ["GraphStoreContract", "closing"]


class GraphStoreContract(
    ChangeTests,
    RefusalTests,
    WantedTests,
    FactTests,
    ReadTests,
    LookingTests,
    FindingTests,
    AskingTests,
    AroundTests,
    OutboxTests,
    LeaseTests,
    ErasingTests,
    TransferTests,
):
    """Every promise of a graph store, one test each."""
