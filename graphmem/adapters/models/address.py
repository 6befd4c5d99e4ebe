"""Where an endpoint is: read once, before the first call."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from graphmem.adapters.system.network import is_local
from graphmem.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Address:
    """What is known of an endpoint by its base URL, without the login that may be in it.

    Attributes:
        place: host and port.
        shown: scheme, place and path, for messages.
        is_secure: it has certificates to check.
        is_local: it is on this machine, where no proxy is needed.
    """

    place: str
    shown: str
    is_secure: bool
    is_local: bool


def read_address(base_url: str) -> Address:
    """Read a base URL.

    Raises:
        SettingsError: no request could be sent there; the address is shown without its login.
    """
    url = base_url.rpartition("@")[2]  # without a login
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname, parts.port
    except ValueError:  # its message may repeat the login
        raise SettingsError(f"base_url {url!r} has a host or port that cannot be read") from None
    if parts.scheme not in ("http", "https") or not host:
        raise SettingsError(f"base_url {url!r} is no http or https address")
    if not base_url.isprintable() or any(char.isspace() for char in base_url):
        raise SettingsError(f"base_url {url!r} holds spaces or signs that no address has")
    if not host.isascii():
        raise SettingsError(
            f"base_url {url!r} has a host that is not ASCII; write it in its form with xn--"
        )
    place = f"{host}:{port}" if port else host
    return Address(
        place=place,
        shown=f"{parts.scheme}://{place}{parts.path}",
        is_secure=parts.scheme == "https",
        is_local=is_local(host),
    )
