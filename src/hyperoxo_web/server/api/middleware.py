"""Middleware for access control: hosts, origins, sizes and rates; dependencies for tokens."""

from __future__ import annotations

import asyncio
import ipaddress
import math
from collections import Counter
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Query, Request
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hyperoxo.board.limits import allowing
from hyperoxo_web.server.api.replies import problem
from hyperoxo_web.server.budget import REQUEST, metered
from hyperoxo_web.server.clients import OWN_NAMES, ClientIdentifier, scheme_of
from hyperoxo_web.server.core import Core
from hyperoxo_web.server.game_session import GameSession
from hyperoxo_web.server.limits import Limits
from hyperoxo_web.server.refusal import RefusedError

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_ELSEWHERE = "requests from pages of other sites are refused"
_PATIENCE = 2.0
"""Seconds for which a request waits for its client's budget before it is refused."""
_AGAIN = 0.25
# Vue compiles the pages' templates in the browser, which needs 'unsafe-eval'; their data and the
# choice of light or dark are inline scripts. Nothing comes from elsewhere.
_PAGES = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; "
    "form-action 'self'; frame-ancestors 'none'"
)
_API = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Links to seats hold tokens: other sites must not learn them.
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}


def _raw(more: dict[str, str]) -> list[tuple[bytes, bytes]]:
    pairs = {**_HEADERS, **more}.items()
    return [(name.lower().encode(), value.encode()) for name, value in pairs]


_ON_PAGES = _raw({"Content-Security-Policy": _PAGES})
_ON_API = _raw({"Content-Security-Policy": _API, "Cache-Control": "no-store"})


class AccessMiddleware:
    """ASGI middleware: identifies the client, refuses cross-site and excessive requests.

    Behind it the ``client`` of a request is the one that `visitors` identifies; addresses and
    proxy headers are not read again.

    - A foreign ``Host`` is refused: DNS rebinding points another site's name here.
    - A foreign ``Origin`` or ``Sec-Fetch-Site`` is refused, except for links that are followed.
    - A client over its CPU budget waits, and is refused after `_PATIENCE` seconds.
    - Bodies beyond the limit are refused before they are read whole.
    - No request builds a board beyond the limits of the server. The limits of a client are
      narrower, and hold for its own games, not for those it joins.
    - Addresses begin with `prefix`, or a named proxy's prefix; without it they are served too.
    - `hosts` are further names of this server, without a port; with `any_address`, any numeric
      address is accepted: no other site can own one that leads here.
    """

    def __init__(
        self,
        app: ASGIApp,
        core: Core,
        hosts: frozenset[str] = frozenset(),
        any_address: bool = False,
        visitors: ClientIdentifier | None = None,
        prefix: str = "",
    ) -> None:
        self.app = app
        self.core = core
        self.hosts = OWN_NAMES | {host.lower() for host in hosts}
        self.any_address = any_address
        self.visitors = visitors or ClientIdentifier()
        self.prefix = prefix
        self._served: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        # 1. The client, from the peer, the headers and the key. From here on `scope["client"]` is
        #    the identified client, so no handler can mistake a proxy for one.
        headers = Headers(scope=scope)
        host = headers.get("host", "").lower()
        host = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        peer, port = scope.get("client") or ("", 0)
        version = scope.get("http_version", "1.1")
        client = self.visitors.client_of(peer, host, headers, version)
        # 2. Scheme and path as the browser knows them, for links and redirects.
        scheme = scheme_of(headers) or scope.get("scheme", "http")
        root = self.visitors.prefix_of(peer, headers) or self.prefix
        path = root + _below(root, scope["path"])
        scope = {**scope, "client": (client, port), "scheme": scheme}
        scope |= {"root_path": root, "path": path, "raw_path": path.encode()}
        limits = self.core.limits_of(client)
        # 3. Requests in progress are counted before the first `await`, waiting ones too: a client
        #    cannot park more requests in the wait for its budget than it may have connections.
        self._served[client] += 1
        try:
            wait = await self._wait(client) if self._served[client] <= limits.connections else 1
            refusal = self._refusal(scope, host, headers, limits.request_bytes)
            if wait:
                refusal = RefusedError("limit", f"too many requests; wait {wait} s")
            if refusal is not None:
                await _refuse(scope, receive, send, refusal, wait)
                return
            # 4. All work below is bounded in board size and charged to the client.
            with allowing(self.core.allowance):
                work = self._serve(scope, receive, send, limits)
                await metered(work, self.core.budget.of(client))
        finally:
            self._served[client] -= 1
            if not self._served[client]:
                del self._served[client]

    async def _serve(self, scope: Scope, receive: Receive, send: Send, limits: Limits) -> None:
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        # The address that holds the owner's key is answered by a cookie and a redirect to the same
        # address without it.
        path, secure = path_of(scope), scope["scheme"] == "https"
        leads = self.visitors.let_in(path, scope["query_string"], secure=secure)
        dressed = _dressed(send, path)
        if leads is not None and scope["method"] == "GET":
            place, cookie = leads
            answer = Response(
                status_code=303,
                headers={"Location": scope["root_path"] + place, "Set-Cookie": cookie},
            )
            await answer(scope, receive, dressed)
            return
        await self.app(scope, _bounded(receive, limits.request_bytes), dressed)

    def _refusal(self, scope: Scope, host: str, headers: Headers, most: int) -> RefusedError | None:
        """Return the refusal of a cross-site or oversized request, or None."""
        # 1. The host must be ours. Otherwise a page of another site, whose name now resolves to
        #    this address, would count as a page of this server in the next two checks.
        if not (host in self.hosts or (self.any_address and _is_address(host))):
            return RefusedError("foreign-host", "this server does not have that host name")
        # 2. Browsers send `Origin` with every unsafe request and every WebSocket.
        origin = headers.get("origin")
        if origin is not None and _netloc(origin) != headers["host"].lower():
            return RefusedError("foreign-origin", _ELSEWHERE)
        # 3. `Sec-Fetch-*` also covers safe requests: images and scripts of other sites, which send
        #    no `Origin`. A link that is followed as a whole document may come from anywhere.
        unsafe = scope["type"] == "websocket" or scope["method"] not in _SAFE
        linked = headers.get("sec-fetch-mode", "navigate") == "navigate"
        linked = linked and headers.get("sec-fetch-dest", "document") == "document"
        if (unsafe or not linked) and is_elsewhere(headers):
            return RefusedError("foreign-origin", _ELSEWHERE)
        # 4. The announced size; `_bounded` counts the bytes that really come.
        length = headers.get("content-length", "")
        if length.isdigit() and (len(length) > 12 or int(length) > most):
            return RefusedError("too-large", f"a request has at most {most:,} bytes")
        return None

    async def _wait(self, client: str) -> int:
        """Wait until a client can pay for a request; return 0, or the seconds to retry after."""
        left = _PATIENCE
        while not self.core.budget.takes(client, REQUEST):
            if left <= 0:
                return math.ceil(self.core.budget.of(client).wait(REQUEST))
            left -= _AGAIN
            await asyncio.sleep(_AGAIN)
        return 0


def _dressed(send: Send, path: str) -> Send:
    """Wrap `send` to add the security headers of all responses."""
    usual = _ON_API if f"{path}/".startswith("/api/") else _ON_PAGES

    async def dressed(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *usual]
        await send(message)

    return dressed


def _bounded(receive: Receive, most: int) -> Receive:
    """Wrap `receive` to refuse bodies that exceed the limit while they arrive."""
    seen = 0

    async def bounded() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise HTTPException(413, f"a request has at most {most:,} bytes")
        return message

    return bounded


def _below(root: str, path: str) -> str:
    """Return a path below a root, whether or not a proxy has taken the root away."""
    return path.removeprefix(root) or "/" if f"{path}/".startswith(f"{root}/") else path


def path_of(scope: Scope) -> str:
    """Return the path of a request without the server's prefix."""
    return _below(scope["root_path"], scope["path"])


def _netloc(origin: str) -> str:
    """Return the host and port of an origin, or an empty string if it is malformed."""
    try:
        return urlsplit(origin.lower()).netloc
    except ValueError:
        return ""


def is_elsewhere(headers: Headers) -> bool:
    """Return True if a request comes from a page of another site."""
    return headers.get("sec-fetch-site") in ("cross-site", "same-site")


def _is_address(name: str) -> bool:
    bracketed = name.startswith("[") and name.endswith("]")
    try:
        ipaddress.IPv6Address(name[1:-1]) if bracketed else ipaddress.IPv4Address(name)
    except ValueError:
        return False
    return True


async def _refuse(
    scope: Scope, receive: Receive, send: Send, refusal: RefusedError, wait: int
) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": str(refusal)})
        return
    answer = problem(refusal)
    if wait:
        answer.headers["Retry-After"] = str(wait)
    await answer(scope, receive, _dressed(send, path_of(scope)))


def client_of(connection: HTTPConnection) -> str:
    """Return the client of a request or a socket, as identified by `AccessMiddleware`."""
    return connection.client.host if connection.client else ""


async def _core(request: Request) -> Core:
    core: Core = request.app.state.core
    return core


async def _client(request: Request) -> str:
    return client_of(request)


async def token_of(
    request: Request,
    token: Annotated[
        str | None,
        Query(description="Token of a seat, where no Authorization header can be sent."),
    ] = None,
) -> str | None:
    """Return the bearer token of a request, from its header or else its query."""
    scheme, _, shown = request.headers.get("authorization", "").partition(" ")
    return shown.strip() if scheme.lower() == "bearer" else token


async def game_of(request: Request, room: str) -> GameSession:
    """Return the game that a request is about."""
    return await (await _core(request)).open(room)


async def own_pages_only(request: Request) -> None:
    """Refuse all requests from other sites, links included, to addresses that cost much work."""
    if is_elsewhere(request.headers):
        raise RefusedError("foreign-origin", _ELSEWHERE)


TheCore = Annotated[Core, Depends(_core)]
ClientAddress = Annotated[str, Depends(_client)]
Token = Annotated[str | None, Depends(token_of)]
Room = Annotated[GameSession, Depends(game_of)]
