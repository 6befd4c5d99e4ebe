"""Addresses of endpoints are checked before the first call, by every adapter."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graphmem.adapters.models.address import read_address
from graphmem.adapters.models.openai import OpenAIModel
from graphmem.adapters.models.openai_embedder import OpenAIEmbedder
from graphmem.errors import SettingsError

UNUSABLE = [
    "127.0.0.1:9/v1",
    "ftp://127.0.0.1/v1",
    "http://",
    "http://127.0.0.1:99999/v1",
    "http://127.0.0.1:port/v1",
    "http://[::1/v1",
    "http://a b/v1",
    " http://127.0.0.1:9/v1",
    "http://127.0.0.1:9/v1\n",
    "http://127.0.0.1:9/v1?x=\x7f",
    "http://\ud800/v1",
    "http://模型.example/v1",
]


@pytest.mark.parametrize("make", [OpenAIModel, OpenAIEmbedder])
@pytest.mark.parametrize("url", UNUSABLE)
def test_an_unusable_address_is_refused(make: Callable[[str, str], object], url: str) -> None:
    """What no request can be sent to is an error of ours, that names the setting."""
    with pytest.raises(SettingsError, match="base_url"):
        make("tiny", url)


@pytest.mark.parametrize("tail", ["127.0.0.1:99999/v1", "[::1/v1", "a b/v1", "\x7f/v1"])
def test_a_login_is_not_shown(tail: str) -> None:
    """The message shows the address without what must stay secret."""
    with pytest.raises(SettingsError) as caught:
        read_address(f"http://me:s3cret@{tail}")
    assert "s3cret" not in str(caught.value)


def test_an_address_is_shown_without_its_login() -> None:
    """Host, port and path are enough to find the endpoint."""
    address = read_address("http://me:s3cret@example.org:81/v1")
    assert (address.place, address.shown) == ("example.org:81", "http://example.org:81/v1")


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://localhost/v1", True),
        ("http://127.0.0.2:9/v1", True),
        ("https://[::1]/v1", True),
        ("http://localhost.example/v1", False),
        ("http://10.0.0.1/v1", False),
    ],
)
def test_this_machine_is_known(url: str, local: bool) -> None:
    """No proxy stands between a program and its own machine."""
    assert read_address(url).is_local is local
