"""How much of a model one call may use."""

from __future__ import annotations

from contextlib import AbstractContextManager

from graphmem.errors import InputError
from graphmem.extraction.metered import Meter, metering
from graphmem.model.draft import Cap
from graphmem.usecases.services import Services


def within(services: Services, cap: Cap | None = None) -> AbstractContextManager[Meter]:
    """Keep what is asked of a model inside within a cap; what it leaves open, the settings say.

    Raises:
        InputError: it is below 0.
    """
    given = cap or Cap()
    for name, most in (("max_model_calls", given.calls), ("max_model_tokens", given.tokens)):
        if most is not None and most < 0:
            raise InputError(f"{name} is a number from 0, not {most!r}")
    return metering(
        Cap(
            services.cap.calls if given.calls is None else given.calls,
            services.cap.tokens if given.tokens is None else given.tokens,
        )
    )
