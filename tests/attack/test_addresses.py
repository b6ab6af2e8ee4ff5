"""Whoever has one IPv6 address has 2⁶⁴ of them: they count as one."""

from ipaddress import IPv6Address
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from branchline.server.guard.addresses import address, network


def test_one_network_is_one_key() -> None:
    random = Random(1)
    prefix = 0x2001_0DB8_0000_0001 << 64
    hosts = {str(IPv6Address(prefix | random.getrandbits(64))) for _ in range(5_000)} | {
        "2001:db8:0:1::",
        "2001:DB8:0:1::1",
    }
    assert {network(host) for host in hosts} == {"2001:db8:0:1::/64"}
    assert network("2001:db8:0:2::1") == "2001:db8:0:2::/64"
    assert network("fe80::1%eth0") == "fe80::/64"
    assert network("::1") == "::/64"


def test_ipv4_is_the_same_however_it_is_written() -> None:
    assert network("192.0.2.1") == network("::ffff:192.0.2.1") == network("::ffff:c000:201") == "192.0.2.1"
    assert network("192.0.2.1") != network("192.0.2.2")


@given(st.integers(0, 2**128 - 1), st.integers(0, 2**64 - 1))
def test_the_lower_half_never_counts(host: int, other: int) -> None:
    same = (host >> 64 << 64) | other
    if host >> 32 != 0xFFFF and same >> 32 != 0xFFFF:
        assert network(str(IPv6Address(host))) == network(IPv6Address(same).exploded)


@given(st.text())
def test_what_is_no_address_is_cut_short(host: str) -> None:
    assert len(network(host)) <= 64


def test_a_scope_without_a_client() -> None:
    assert address({"type": "http"}) == address({"client": None}) == ""
    assert address({"client": ("2001:db8::5", 4)}) == "2001:db8::/64"
