"""What the machine says of an address: whether it is this one, and which certificates it trusts."""

from __future__ import annotations

import ipaddress
import ssl
from functools import cache


def is_local(host: str) -> bool:
    """Say whether a host is this machine, which is reached without a proxy."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@cache
def certificates() -> ssl.SSLContext:
    """Load the system's certificates once: it takes longer than all else."""
    return ssl.create_default_context()
