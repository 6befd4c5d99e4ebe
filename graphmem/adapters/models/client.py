"""The ``openai`` client as both adapters use it: any compatible endpoint, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

import openai

from graphmem.adapters.models.address import read_address
from graphmem.adapters.system.network import certificates


def client_of(
    base_url: str,
    api_key: str | None,
    *,
    timeout: float,
    max_retries: int,
    headers: Mapping[str, str] | None = None,
    query: Mapping[str, str] | None = None,
) -> openai.AsyncOpenAI:
    """Make a client for one call.

    Its connections belong to the running event loop, so each call has one of its own; against the
    seconds an answer takes, making it costs nothing. Nothing is read from the environment but the
    proxy: no key, no organisation, no address. ``headers`` and ``query`` go with every request, and
    so does what the address has after a question mark.
    """
    address = read_address(base_url)
    parts = urlsplit(base_url)
    client = openai.AsyncOpenAI(
        base_url=parts._replace(query="", fragment="").geturl(),
        default_query={**dict(parse_qsl(parts.query)), **(query or {})},
        api_key=api_key or "",
        admin_api_key="",
        organization="",
        project="",
        webhook_secret="",
        timeout=timeout,
        max_retries=max_retries,
        http_client=openai.DefaultAsyncHttpxClient(
            trust_env=not address.is_local,  # this machine is reached without a proxy
            verify=certificates() if address.is_secure else False,
            follow_redirects=False,
        ),
        _enforce_credentials=False,
    )
    client.organization = client.project = None
    # In place of what OPENAI_CUSTOM_HEADERS added; there is no public way to leave it out.
    client._custom_headers = dict(headers or {})  # pyright: ignore[reportPrivateUsage]
    return client
