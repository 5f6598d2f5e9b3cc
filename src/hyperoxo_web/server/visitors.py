"""Who asks: the client that a request counts for, and whether it is at this machine.

A client is a text: the address that it comes from, of IPv6 the network of 64 bits that one
subscriber has, or a name that is no address where that is not known. `is_home` tells clients at
this machine; all rights of the host follow from it. A request that may have come through a proxy on
this machine comes from an address of this machine and is still a guest's, so that the address alone
never decides where a proxy may stand.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import Headers
from starlette.requests import cookie_parser

from hyperoxo.errors import SpecError, quoted

HOME: Final = "127.0.0.1"
"""The client that everybody at this machine is."""

OWN_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""Names by which a machine calls itself."""

# Where the key of this machine's person is shown: in an address that is opened, later in a cookie.
_QUERY = "home"
_COOKIE = "hyperoxo-home"
_HEADER = "hyperoxo-key"
# Headers that proxies add, and their beginnings.
_BY_PROXIES = frozenset(
    {"forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "true-client-ip"}
)
_PREFIXES = (
    *("x-forwarded", "x-original-", "x-envoy-", "cf-", "x-amzn-", "x-arr-"),
    *("client-ip", "fastly-", "x-proxyuser-", "x-azure-", "x-appengine-", "fly-", "akamai-"),
)
_SCHEMES = {"http": "http", "https": "https", "ws": "http", "wss": "https"}

_PREFIX = re.compile(r"(/[A-Za-z0-9._~-]+)*")

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def is_home(client: str) -> bool:
    """Whether a client is at this machine."""
    return client in ("localhost", "::1") or client.startswith("127.")


def network(text: str) -> Network:
    """Read the address of a proxy, or a network of them such as 10.0.0.0/8."""
    try:
        return ipaddress.ip_network(text.strip(), strict=False)
    except ValueError:
        raise SpecError(f"{quoted(text)} is neither an address nor a network") from None


def path_prefix(text: str) -> str:
    """Read the path that a server is served below, such as ``/oxo``."""
    found = text.strip().rstrip("/")
    if not _PREFIX.fullmatch(found):
        raise SpecError(f"{quoted(text)} is no prefix; one looks like /oxo")
    return found


def scheme_of(headers: Headers) -> str | None:
    """Return the scheme by which a proxy says that it was asked: ``http`` or ``https``, or None.

    Anybody is believed: the answer, which nobody else gets, has links with that scheme.
    """
    return _SCHEMES.get(headers.get("x-forwarded-proto", "").rpartition(",")[2].strip().lower())


class Visitors:
    """Tells whom each request comes from.

    - `proxies` are believed when they name the address that they ask for. The header
      ``X-Forwarded-For`` is read from its end, past all named proxies: what comes before may be
      made up.
    - Without `key`, all that connect from this machine are at home, unless the request shows that a
      proxy stands between: by a header that proxies add, by HTTP/1.0, or by a ``Host`` that is no
      name by which a machine calls itself.
    - With `key`, the address gives nobody any rights: at home is who shows the key, in the header
      ``Hyperoxo-Key`` or in the cookie that a page sets which is opened by `opened_by`.
    """

    def __init__(self, proxies: Iterable[Network] = (), key: str | None = None) -> None:
        self.proxies = tuple(proxies)
        self.key = key

    def is_proxy(self, peer: str) -> bool:
        """Whether an address is that of a named proxy."""
        return self._named(_address(peer))

    def is_near(self, peer: str) -> bool:
        """Whether an address is of this machine, and of no named proxy."""
        address = _address(peer)
        return address is not None and address.is_loopback and not self._named(address)

    def client_of(self, peer: str, host: str, headers: Headers, version: str = "1.1") -> str:
        """Return the client of a request from an address, which calls this server `host`."""
        if self.key is not None and any(
            secrets.compare_digest(shown.encode(), self.key.encode()) for shown in _shown(headers)
        ):
            return HOME
        address = _address(peer)
        if self._named(address):
            return self._forwarded(headers) or self.guest_at(peer)
        if address is None or not address.is_loopback:
            return self.guest_at(peer)
        shown = any(one in _BY_PROXIES or one.startswith(_PREFIXES) for one in headers)
        direct = version != "1.0" and _is_own(host) and not shown
        return HOME if direct and self.key is None else self.guest_at(peer)

    def prefix_of(self, peer: str, headers: Headers) -> str:
        """Return the path that a named proxy serves this server below; empty without one."""
        if not self.is_proxy(peer):
            return ""
        told = ",".join(headers.getlist("x-forwarded-prefix")).split(",")
        found = "".join(part.strip().rstrip("/") for part in told)
        return found if _PREFIX.fullmatch(found) else ""

    @staticmethod
    def guest_at(peer: str) -> str:
        """Return the client at an address that is not at home."""
        address = _address(peer)
        if isinstance(address, ipaddress.IPv6Address) and not address.is_loopback:
            return str(ipaddress.IPv6Network((int(address) >> 64 << 64, 64)))
        client = str(address or peer)
        return f"guest@{client}" if is_home(client) else client

    def opened_by(self, url: str) -> str:
        """Return the address that this machine's person opens: with the key, if there is one."""
        return url if self.key is None else f"{url}/?{_QUERY}={self.key}"

    def let_in(self, path: str, query: bytes, *, secure: bool) -> tuple[str, str] | None:
        """Return where an address with the key leads, and the cookie to set; None without it."""
        if self.key is None or _QUERY.encode() not in query:
            return None
        asked = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
        if not any(
            name == _QUERY and secrets.compare_digest(value.encode(), self.key.encode())
            for name, value in asked
        ):
            return None
        rest = urlencode([(name, value) for name, value in asked if name != _QUERY])
        # One slash: an address that begins with two leads to another site.
        place = "/" + quote(path.lstrip("/")) + ("?" + rest if rest else "")
        cookie = f"{_COOKIE}={self.key}; Path=/; HttpOnly; SameSite=Lax"
        return place, cookie + ("; Secure" if secure else "")

    def _named(self, address: Address | None) -> bool:
        return address is not None and any(address in proxy for proxy in self.proxies)

    def _forwarded(self, headers: Headers) -> str | None:
        """Return the client that a named proxy asks for, where it says so."""
        told = [
            one.strip() for line in headers.getlist("x-forwarded-for") for one in line.split(",")
        ]
        for one in reversed(told):
            address = _address(_without_port(one))
            if address is None:
                return None
            if not self._named(address):
                return self.guest_at(str(address))
        return None


def _address(text: str) -> Address | None:
    """Read an address; IPv4 inside IPv6 is IPv4."""
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def _without_port(text: str) -> str:
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text


def _is_own(host: str) -> bool:
    if host in OWN_NAMES:
        return True
    address = _address(host.strip("[]"))
    return address is not None and address.is_loopback


def _shown(headers: Headers) -> Iterator[str]:
    """Yield the keys that a request shows."""
    if _HEADER in headers:
        yield headers[_HEADER]
    for line in headers.getlist("cookie"):
        yield cookie_parser(line).get(_COOKIE, "")
