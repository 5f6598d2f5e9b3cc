"""Who is at this machine, and for whom a proxy asks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers

from hyperoxo.errors import SpecError
from hyperoxo_web.server import HOME, PUBLIC
from hyperoxo_web.server.api import middleware
from hyperoxo_web.server.clients import ClientIdentifier, is_home, network, path_prefix, scheme_of
from tests.hyperoxo_web.server.sessions import served

NAMED = ClientIdentifier([network("127.0.0.1"), network("10.0.0.0/8")], "secret")
BEHIND: dict[str, Any] = {"hosts": ["games.example"], "visitors": NAMED}
ADA, BOB = ({"X-Forwarded-For": f"203.0.113.{number}"} for number in (5, 6))
ADDRESSES = ["127.0.0.1", "::1", "::ffff:127.0.0.1", "192.168.1.20", "10.0.0.3", "2001:db8::7", ""]
BY_PROXIES = [
    {"X-Forwarded-For": "203.0.113.5"},
    {"x-forwarded-proto": "https"},
    {"X-Forwarded-Host": "127.0.0.1"},
    {"Forwarded": "for=127.0.0.1"},
    {"Via": "1.1 proxy"},
    {"X-Real-IP": "127.0.0.1"},
    {"CF-Connecting-IP": "127.0.0.1"},
    {"Client-IP": "127.0.0.1"},
    {"Fastly-Client-IP": "127.0.0.1"},
    {"X-ProxyUser-Ip": "127.0.0.1"},
    {"Fly-Client-IP": "127.0.0.1"},
]


@pytest.mark.parametrize(
    ("peer", "host", "home"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("127.0.0.1", "localhost", True),
        ("127.0.0.1", "127.0.1.1", True),
        ("::1", "[::1]", True),
        ("::ffff:127.0.0.1", "127.0.0.1", True),
        ("127.0.0.1", "192.168.1.20", False),
        ("127.0.0.1", "games.example", False),
        ("127.0.0.1", "", False),
        ("192.168.1.20", "127.0.0.1", False),
        ("::ffff:192.168.1.20", "127.0.0.1", False),
        ("", "127.0.0.1", False),
    ],
)
def test_who_connects_from_this_machine_is_at_home(peer: str, host: str, home: bool) -> None:
    assert is_home(ClientIdentifier().client_of(peer, host, Headers({}))) is home


@pytest.mark.parametrize("headers", BY_PROXIES)
def test_a_header_of_a_proxy_makes_a_guest(headers: dict[str, str]) -> None:
    client = ClientIdentifier().client_of("127.0.0.1", "127.0.0.1", Headers(headers))
    assert client == "guest@127.0.0.1"
    assert not is_home(client)


@pytest.mark.parametrize(
    ("peer", "client"),
    [
        ("2001:db8:0:7::1", "2001:db8:0:7::/64"),
        ("2001:db8:0:7:ffff:ffff:ffff:ffff", "2001:db8:0:7::/64"),
        ("2001:db8:0:8::1", "2001:db8:0:8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:203.0.113.5", "203.0.113.5"),
        ("::1", "guest@::1"),
        ("::2", "::/64"),
        ("203.0.113.5", "203.0.113.5"),
        ("nowhere", "nowhere"),
    ],
)
def test_one_network_of_ipv6_is_one_client(peer: str, client: str) -> None:
    assert ClientIdentifier().client_of(peer, "localhost", Headers({"via": "1.1 x"})) == client
    assert not is_home(client)


def test_an_old_protocol_makes_a_guest() -> None:
    assert not is_home(ClientIdentifier().client_of("127.0.0.1", "127.0.0.1", Headers({}), "1.0"))


@pytest.mark.parametrize(
    ("peer", "told", "client"),
    [
        ("127.0.0.1", "203.0.113.5", "203.0.113.5"),
        ("127.0.0.1", "127.0.0.1, 203.0.113.5", "203.0.113.5"),
        ("127.0.0.1", "203.0.113.5, 10.2.3.4", "203.0.113.5"),
        ("127.0.0.1", "9.9.9.9, 203.0.113.5, 10.2.3.4, 10.1.1.1", "203.0.113.5"),
        ("127.0.0.1", "203.0.113.5:4711", "203.0.113.5"),
        ("127.0.0.1", "[2001:db8::7]:4711", "2001:db8::/64"),
        ("127.0.0.1", "::ffff:203.0.113.5", "203.0.113.5"),
        ("127.0.0.1", "127.0.0.2", "guest@127.0.0.2"),
        ("127.0.0.1", "::1", "guest@::1"),
        ("127.0.0.1", "10.0.0.1", "guest@127.0.0.1"),
        ("127.0.0.1", "localhost", "guest@127.0.0.1"),
        ("127.0.0.1", "", "guest@127.0.0.1"),
        ("10.0.0.3", "203.0.113.5", "203.0.113.5"),
        ("192.168.1.20", "203.0.113.5", "192.168.1.20"),  # not named: not believed
    ],
)
def test_only_named_proxies_are_believed(peer: str, told: str, client: str) -> None:
    assert NAMED.client_of(peer, "games.example", Headers({"x-forwarded-for": told})) == client


def test_several_headers_are_one_list() -> None:
    raw = [(b"x-forwarded-for", b"127.0.0.1"), (b"x-forwarded-for", b"203.0.113.5")]
    assert NAMED.client_of("127.0.0.1", "127.0.0.1", Headers(raw=raw)) == "203.0.113.5"


@pytest.mark.more
@given(
    st.sampled_from(ADDRESSES),
    st.sampled_from(["127.0.0.1", "localhost", "games.example", ""]),
    st.dictionaries(
        st.sampled_from(
            ["x-forwarded-for", "forwarded", "via", "x-real-ip", "cookie", "hyperoxo-key"]
        ),
        st.sampled_from([*ADDRESSES, "hyperoxo-home=guess", "hyperoxo-home=", "127.0.0.1,::1", "é"])
        | st.text(st.characters(max_codepoint=255), max_size=20),
    ),
)
def test_nobody_is_at_home_without_the_key_where_there_is_one(
    peer: str, host: str, headers: dict[str, str]
) -> None:
    raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    assert not is_home(NAMED.client_of(peer, host, Headers(raw=raw)))


@pytest.mark.parametrize(
    "headers",
    [{"Hyperoxo-Key": "secret"}, {"Cookie": "a=b; hyperoxo-home=secret"}],
)
def test_who_shows_the_key_is_at_home_wherever(headers: dict[str, str]) -> None:
    for peer in ADDRESSES:
        assert is_home(NAMED.client_of(peer, "games.example", Headers(headers)))


@pytest.mark.parametrize(
    ("told", "scheme"),
    [("https", "https"), ("HTTP", "http"), ("wss", "https"), ("javascript", None), ("", None)],
)
def test_the_scheme_of_links(told: str, scheme: str | None) -> None:
    assert scheme_of(Headers({"x-forwarded-proto": told})) == scheme


@pytest.mark.parametrize("text", ["games.example", "", "10.0.0.0/99", "a\nb"])
def test_a_proxy_has_an_address(text: str) -> None:
    with pytest.raises(SpecError, match="neither an address nor a network"):
        network(text)


def test_an_address_with_the_key_sets_a_cookie_and_leads_on() -> None:
    """Not to another site, whatever the path."""
    assert NAMED.opened_by("http://127.0.0.1:1") == "http://127.0.0.1:1/?home=secret"
    assert ClientIdentifier().opened_by("http://127.0.0.1:1") == "http://127.0.0.1:1"
    place, cookie = NAMED.let_in("/games", b"query=a+b&home=secret", secure=True) or ("", "")
    assert place == "/games?query=a+b"
    assert cookie == "hyperoxo-home=secret; Path=/; HttpOnly; SameSite=Lax; Secure"
    for path in ("//evil.example", "///evil.example", "/\\evil.example", "/\r\nX: y"):
        place, _ = NAMED.let_in(path, b"home=secret", secure=False) or ("", "")
        assert place.isprintable()
        assert place[:2] not in ("//", "/\\")
        assert "\\" not in place
    assert NAMED.let_in("/", b"home=guess", secure=False) is None
    assert ClientIdentifier().let_in("/", b"home=", secure=False) is None


async def test_behind_a_proxy_everyone_has_limits_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its guests get what others get, each for themselves; the key gives what this machine has."""
    monkeypatch.setattr(middleware, "_PATIENCE", 0.0)

    public = replace(PUBLIC, processor_share=1e-9)
    async with served(tmp_path, HOME, public, **BEHIND) as (client, core):

        async def workers(headers: dict[str, str]) -> int:
            found: int = (await client.get("/api", headers=headers)).json()["limits"]["run_workers"]
            return found

        client.base_url = httpx.URL("http://games.example")
        assert await workers({}) == 1
        assert await workers({"X-Forwarded-For": "127.0.0.1"}) == 1
        assert await workers({"Host": "127.0.0.1:8765"}) == 1
        body = {"game": "3^2", "agents": ["random", "random"], "games": 10**8, "workers": 8}
        refused = await client.post("/api/matches", json=body, headers=ADA)
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "limit")
        core.budget.of("203.0.113.5").pay(public.processor_burst)
        assert (await client.get("/api", headers=ADA)).status_code == 429
        assert await workers(BOB) == 1

        opened = await client.get("/api?home=secret", headers=BOB)
        assert (opened.status_code, opened.headers["location"]) == (303, "/api")
        assert await workers(BOB) == 8  # by the cookie


@pytest.mark.more
async def test_a_run_of_one_guest_is_not_anothers_to_delete(tmp_path: Path) -> None:
    async with served(tmp_path, HOME, PUBLIC, **BEHIND) as (client, _):
        client.base_url = httpx.URL("http://games.example")
        body = {"game": "3^2", "agents": ["random", "random"], "games": 20}
        began = await client.post("/api/matches", json=body, headers=ADA)
        assert began.status_code == 202, began.text
        path = f"/api/runs/{began.json()['run']}"
        for verb, place in (("POST", f"{path}/stop"), ("DELETE", path)):
            refused = await client.request(verb, place, headers=BOB)
            assert refused.status_code == 403
            assert refused.json()["error"]["code"] == "not-yours"


@pytest.mark.parametrize(
    ("peer", "told", "found"),
    [
        ("127.0.0.1", "/oxo", "/oxo"),
        ("10.1.2.3", "/games/, /oxo/", "/games/oxo"),
        ("10.1.2.3", "//evil.example", ""),
        ("10.1.2.3", '/"onload=', ""),
        ("192.168.1.20", "/oxo", ""),
    ],
)
def test_a_named_proxy_tells_the_prefix(peer: str, told: str, found: str) -> None:
    assert NAMED.prefix_of(peer, Headers({"X-Forwarded-Prefix": told})) == found


def test_a_prefix_is_a_path() -> None:
    assert (path_prefix("/oxo/"), path_prefix("")) == ("/oxo", "")
    for text in ("oxo", "//oxo", "/a b", "/a?b"):
        with pytest.raises(SpecError, match="is not a prefix; one looks like /oxo"):
            path_prefix(text)
