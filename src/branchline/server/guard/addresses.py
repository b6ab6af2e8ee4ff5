"""Who is counted: an IPv4 address, or the /64 of an IPv6 one, since whoever has one has all of it."""

import ipaddress
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

LONGEST = 64
"""Letters of the longest address, with its zone."""


@lru_cache(4096)
def network(host: str) -> str:
    """The network that a host is counted by. What is no address counts as itself, cut short."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host[:LONGEST]
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:  # how a socket for both sees IPv4
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


def address(scope: Mapping[str, Any]) -> str:
    """Who a request is counted by."""
    client = scope.get("client")
    return network(str(client[0])[: 2 * LONGEST]) if client else ""
