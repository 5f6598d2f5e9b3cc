"""Client identification: the client of each request, and whether it is on this machine.

A client is a string: its address (for IPv6 the /64 network that one subscriber has), or a name
that is not an address if unknown. `is_home` recognises clients on this machine; all rights of the
server's owner follow from it. A request that may have passed a local proxy has a local address
and is still a guest's: the address alone never decides if a proxy is possible.
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
"""The client of all requests from this machine."""

OWN_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""Names by which a machine calls itself."""

# The owner's key is in the query of the address opened first, and in a cookie afterwards.
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
    """Return True if a client is on this machine."""
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
        raise SpecError(f"{quoted(text)} is not a prefix; one looks like /oxo")
    return found


def scheme_of(headers: Headers) -> str | None:
    """Return the scheme of the original request, ``http`` or ``https``, as a proxy forwards it."""
    # The header is trusted from anyone: it only sets the scheme of links in its sender's answer.
    return _SCHEMES.get(headers.get("x-forwarded-proto", "").rpartition(",")[2].strip().lower())


class ClientIdentifier:
    """Identifies the client of each request.

    - `proxies` are trusted to forward client addresses. The header ``X-Forwarded-For`` is read
      from its end, past all named proxies: earlier entries may be forged.
    - Without `key`, connections from this machine are at home, unless the request shows signs of
      a proxy: a header that proxies add, HTTP/1.0, or a ``Host`` other than a machine's own names.
    - With `key`, addresses give no rights: a client is at home if it presents the key, in the
      header ``Hyperoxo-Key`` or in the cookie set by the page that `opened_by` names.
    """

    def __init__(self, proxies: Iterable[Network] = (), key: str | None = None) -> None:
        self.proxies = tuple(proxies)
        self.key = key

    def is_proxy(self, peer: str) -> bool:
        """Return True if an address is that of a named proxy."""
        return self._named(_address(peer))

    def is_near(self, peer: str) -> bool:
        """Return True if an address is of this machine, and of no named proxy."""
        address = _address(peer)
        return address is not None and address.is_loopback and not self._named(address)

    def client_of(self, peer: str, host: str, headers: Headers, version: str = "1.1") -> str:
        """Return the client of a request from an address with the header ``Host: host``."""
        # The order is a chain of decreasing trust; each step may only lower the rights.
        # 1. The key proves its owner from anywhere; compared in constant time.
        if self.key is not None and any(
            secrets.compare_digest(shown.encode(), self.key.encode())
            for shown in _presented_keys(headers)
        ):
            return HOME
        # 2. A named proxy speaks for others, never for itself: without a usable header it is a
        #    guest, also on this machine.
        address = _address(peer)
        if self._named(address):
            return self._forwarded(headers) or self.guest_at(peer)
        # 3. Another machine. Its forwarding headers are ignored: anyone can write them.
        if address is None or not address.is_loopback:
            return self.guest_at(peer)
        # 4. This machine, or an unnamed proxy on it: any sign of a proxy makes it a guest.
        shown = any(one in _BY_PROXIES or one.startswith(_PREFIXES) for one in headers)
        direct = version != "1.0" and _is_own(host) and not shown
        return HOME if direct and self.key is None else self.guest_at(peer)

    def prefix_of(self, peer: str, headers: Headers) -> str:
        """Return the path prefix forwarded by a named proxy, or an empty string."""
        if not self.is_proxy(peer):
            return ""
        forwarded = ",".join(headers.getlist("x-forwarded-prefix")).split(",")
        found = "".join(part.strip().rstrip("/") for part in forwarded)
        return found if _PREFIX.fullmatch(found) else ""

    @staticmethod
    def guest_at(peer: str) -> str:
        """Return the remote client at an address; a local address gets the prefix ``guest@``."""
        address = _address(peer)
        if isinstance(address, ipaddress.IPv6Address) and not address.is_loopback:
            return str(ipaddress.IPv6Network((int(address) >> 64 << 64, 64)))
        client = str(address or peer)
        return f"guest@{client}" if is_home(client) else client

    def opened_by(self, url: str) -> str:
        """Return the owner's address of the server: with the key, if there is one."""
        return url if self.key is None else f"{url}/?{_QUERY}={self.key}"

    def let_in(self, path: str, query: bytes, *, secure: bool) -> tuple[str, str] | None:
        """Return the redirect and the cookie for an address with the key; None without the key."""
        # The redirect drops the key from the address, which histories and screenshots would keep.
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
        """Return the client forwarded by a named proxy, or None."""
        # Each proxy appends the peer that it saw. From the end, entries are true as long as a
        # named proxy wrote them: the first that is not a named proxy is the client.
        forwarded = [
            one.strip() for line in headers.getlist("x-forwarded-for") for one in line.split(",")
        ]
        for one in reversed(forwarded):
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


def _presented_keys(headers: Headers) -> Iterator[str]:
    """Yield the keys that a request presents."""
    if _HEADER in headers:
        yield headers[_HEADER]
    for line in headers.getlist("cookie"):
        yield cookie_parser(line).get(_COOKIE, "")
