"""How much of a model one call may use."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from graphmem.errors import InputError
from graphmem.extraction.metered import Meter, metering
from graphmem.model.draft import Cap
from graphmem.usecases.doctor_model import note_call
from graphmem.usecases.services import Services


@asynccontextmanager
async def within(services: Services, cap: Cap | None = None) -> AsyncGenerator[Meter]:
    """Keep what is asked of a model inside within a cap; what it leaves open, the settings say.

    Raises:
        InputError: it is below 0.
    """
    with metering(whole(services, cap)) as meter:
        yield meter
    await note_call(services, meter.steps)


def whole(services: Services, cap: Cap | None = None) -> Cap:
    """Return a cap with what it leaves open as the settings say.

    Raises:
        InputError: it is below 0.
    """
    given = cap or Cap()
    for name, most in (("max_model_calls", given.calls), ("max_model_tokens", given.tokens)):
        if most is not None and most < 0:
            raise InputError(f"{name} is a number from 0, not {most!r}")
    return Cap(
        services.cap.calls if given.calls is None else given.calls,
        services.cap.tokens if given.tokens is None else given.tokens,
    )
