"""The server behind nginx with HTTPS, set up as the page about the server says."""

from __future__ import annotations

import json
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.expect import require
from tests.hyperoxo_web.pages.conftest import OXO, Site

pytestmark = pytest.mark.more

DOCS = Path(__file__).parents[3] / "docs" / "serve.md"
NAME = "games.example"
FRAME = """
daemon off;
pid FOLDER/nginx.pid;
error_log FOLDER/error.log;
events {}
http {
access_log off;
client_body_temp_path FOLDER/body;
proxy_temp_path FOLDER/proxy;
fastcgi_temp_path FOLDER/fastcgi;
uwsgi_temp_path FOLDER/uwsgi;
scgi_temp_path FOLDER/scgi;
"""


@pytest.fixture(scope="module")
def options() -> list[str]:
    return ["--proxy", "127.0.0.1", "--allow-host", NAME]


@pytest.fixture(scope="module")
def outside(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Run nginx before the server; give its port."""
    nginx, openssl = shutil.which("nginx", path="/usr/sbin:/usr/bin"), shutil.which("openssl")
    if nginx is None or openssl is None:
        pytest.skip("nginx or openssl is not installed: apt-get install nginx-light openssl")
    folder = tmp_path_factory.mktemp("nginx")
    files = ["-keyout", str(folder / f"{NAME}.key"), "-out", str(folder / f"{NAME}.pem")]
    words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    subprocess.run([openssl, *words, *files], check=True, capture_output=True)
    block = require(re.search(r"```nginx\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    changes = (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("/etc/ssl/", f"{folder}/"),
        ("http://127.0.0.1:8765", site.url),
    )
    text = block[1]
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    conf = folder / "nginx.conf"
    conf.write_text(FRAME.replace("FOLDER", str(folder)) + text + "}\n", "utf-8")
    proxy = subprocess.Popen([nginx, "-c", str(conf), "-p", str(folder), "-e", "stderr"])
    try:
        end = time.monotonic() + 60
        while True:
            assert proxy.poll() is None, "nginx did not start"
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                assert time.monotonic() < end
                time.sleep(0.05)
        yield port
    finally:
        proxy.terminate()
        proxy.wait()


@pytest.fixture
def guest(outside: int) -> Iterator[httpx.Client]:
    """Someone who comes by the proxy."""
    url = f"https://127.0.0.1:{outside}"
    headers = {"Host": f"{NAME}:{outside}"}
    with httpx.Client(base_url=url, headers=headers, verify=unchecked(), timeout=60) as client:
        yield client


def unchecked() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-Forwarded-For": "127.0.0.1"},
        {"Forwarded": "for=127.0.0.1"},
        {"X-Real-IP": "::1"},
        {"Cookie": "hyperoxo-home=guess"},
        {"Hyperoxo-Key": "guess"},
        {"Host": "127.0.0.1"},
        {"Host": "localhost:8765"},
    ],
)
def test_a_guest_is_a_guest(guest: httpx.Client, headers: dict[str, str]) -> None:
    found = guest.get("/api", headers=headers).json()
    assert found["limits"]["run_workers"] == 1
    body = {"game": "3^2", "agents": ["random", "random"], "games": 10**8}
    refused = guest.post("/api/matches", json=body, headers=headers)
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "limit")


def test_a_page_is_alive(guest: httpx.Client, outside: int) -> None:
    """Its links have the name and the scheme of the proxy, and its socket comes through."""
    made = guest.post("/api/games", json={"game": "3^2", "seats": ["human", "human"]}).json()
    markup = guest.get(made["url"]).text
    assert f"https://{NAME}:{outside}/game/{made['id']}" in markup
    data = require(re.search(r'id="page-data"[^>]*>(.*?)</script>', markup, re.DOTALL))
    page = json.loads(data[1])["client"]
    with socket.create_connection(("127.0.0.1", outside)) as line:
        address = f"wss://{NAME}:{outside}/live/{page}?last=0"
        origin = Origin(f"https://{NAME}:{outside}")
        with connect(address, sock=line, ssl=unchecked(), origin=origin) as talk:
            talk.send('["play",{}]')
            assert json.loads(talk.recv(60))["call"] in ("notify", "failed")


def test_the_key_is_printed_and_opens_the_house(tmp_path: Path) -> None:
    words = ["serve", "--api-only", "--port", "0", "--store", str(tmp_path / "g.sqlite")]
    with subprocess.Popen(
        [*OXO, *words, "--proxy", "127.0.0.1"], stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            address = require(server.stdout).readline().split()[-1]
            with httpx.Client(timeout=60) as client:
                api = httpx.URL(address).join("/api")
                assert client.get(api).json()["limits"]["run_workers"] == 1
                opened = client.get(address)
                assert opened.status_code == 303
                assert client.get(api).json()["limits"]["run_workers"] == 8
        finally:
            server.terminate()
