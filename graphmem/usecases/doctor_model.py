"""What the doctor says of the model that reads turns."""

from __future__ import annotations

import json
import logging
from typing import cast

from graphmem.errors import StoreError
from graphmem.model.draft import Steps
from graphmem.model.spent import spent
from graphmem.ports.language_model import Endpoint, Rung
from graphmem.usecases.finding import Finding
from graphmem.usecases.services import Services

log = logging.getLogger(__name__)

META = "model endpoint"
"""Where the store keeps how the endpoint was last asked, and what that cost."""


async def look_at_model(services: Services, *, probe: bool, is_away: bool) -> list[Finding]:
    """Say how the endpoint is asked for JSON, and what was spent on it since it was opened.

    With ``probe`` each way is tried once; else what was found at the last call is told.
    ``is_away``: the store cannot be asked for that.
    """
    metered = services.model
    if metered is None:
        return []
    noted = {} if is_away else await _noted(services)
    found = [Finding("model's last cost", noted.get("spent", "nothing was asked yet"))]
    if words := spent(metered.steps):
        found.append(Finding("model's cost since it was opened", words))
    endpoint = metered.model
    if not isinstance(endpoint, Endpoint):
        return found
    where = f"{metered.name} at {endpoint.place}"
    if probe:
        rungs = await endpoint.probe()
        found += [_rung(rung) for rung in rungs]
        best = next((rung.name for rung in rungs if rung.works), None)
        value = f"{where}: asked by {best}" if best else f"{where}: no way of asking works"
        return [Finding("model", value, well=best is not None), *found]
    way = endpoint.response_format or noted.get("asked")
    value = f"asked by {way}" if way else "not asked yet; doctor --probe does"
    return [Finding("model", f"{where}: {value}"), *found]


def _rung(rung: Rung) -> Finding:
    # One that is not known is no fault, as long as another is.
    return Finding(f"model by {rung.name}", f"{'works' if rung.works else 'no'}: {rung.told}")


async def note_call(services: Services, steps: Steps) -> None:
    """Keep for the next process how the endpoint was asked, and what the last call cost."""
    metered = services.model
    if metered is None or not steps:
        return
    endpoint = metered.model
    far = isinstance(endpoint, Endpoint)
    row = {
        "model": metered.name,
        "at": endpoint.place if far else "",
        "asked": (endpoint.response_format or "") if far else "",
        "spent": spent(steps),
    }
    try:
        await services.store.set_meta(META, json.dumps(row, ensure_ascii=False))
    except StoreError as error:  # what was added is there, and this is no part of it
        log.warning("what the model cost is not noted: %s", error)


async def _noted(services: Services) -> dict[str, str]:
    """Return what was noted of the same model at the same place."""
    metered = services.model
    text = await services.store.get_meta(META)
    row = cast("dict[str, str]", json.loads(text)) if text else {}
    place = metered.model.place if metered and isinstance(metered.model, Endpoint) else ""
    same = metered is not None and (row.get("model"), row.get("at")) == (metered.name, place)
    return row if same else {}
