"""`oxo serve`: the web application."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from threading import Thread
from typing import Any

import click

from hyperoxo.cli import options as cli
from hyperoxo.errors import MissingExtraError, SpecError, quoted

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")


def has_screen() -> bool:
    """Return True if a browser can open a window here; never in continuous integration."""
    named = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return bool(named or sys.platform in ("darwin", "win32")) and not os.environ.get("CI")


def _several(metavar: str, text: str, *, spelled: str) -> Any:
    """Declare an option that can be repeated."""
    text = f"{text[:-1]}; repeat for more."
    return cli.option(text, spelled=spelled, metavar=metavar, multiple=True)


def read_offers(texts: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Read offers, each ``NAME=AGENTSPEC``; refuse the names of `known` agents."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, spec = text.partition("=")
        if not equals or not spec:
            raise SpecError(f"{quoted(text)} is not NAME=AGENTSPEC")
        if not _NAME.fullmatch(name):
            raise SpecError(f"a name has up to 40 letters, digits, - and _, not {quoted(name)}")
        if name in known or name in found:
            raise SpecError(f"there is an agent {quoted(name)} already")
        found[name] = spec
    return found


def offer(texts: Sequence[str]) -> None:
    """Register agents under new names, for this process and its later children."""
    from hyperoxo.agents.base import HumanAgent
    from hyperoxo.agents.spec import OFFERED, agent, agent_names, opponents

    found = read_offers(texts, agent_names())
    for name, spec in found.items():
        if isinstance(agent(spec), HumanAgent):
            raise SpecError(f"{quoted(name)} must be an agent, not a person")
    # In the environment, since worker processes inherit it and make the agents by name.
    os.environ[OFFERED] = json.dumps(found)
    opponents.cache_clear()


@cli.command("serve", "serve --host 0.0.0.0 --port 8000", seed=False)
def command(
    options: cli.Options,
    port: int | None = cli.number("Port; default 8765, or else any free port.", 0, 65535),
    host: str = cli.option("Address to bind to; 0.0.0.0 for all.", default="127.0.0.1"),
    names: tuple[str, ...] = _several(
        "NAME", "Another name of this machine that browsers may use.", spelled="--allow-host"
    ),
    proxies: tuple[str, ...] = _several(
        "ADDRESS", "A proxy in front, or its network, that names clients.", spelled="--proxy"
    ),
    prefix: str = cli.option(
        "Path prefix of all addresses, such as /oxo.", default="", metavar="PATH"
    ),
    store: Path | None = cli.plain_file("File for games; default: in your data folder."),
    results: Path | None = cli.plain_file("File for the laboratory; default: beside the games."),
    reports: Path | None = cli.option(
        "Folder for study reports; default: reports beside the games.",
        click.Path(file_okay=False, path_type=Path),
    ),
    opponents: tuple[str, ...] = _several(
        "NAME=AGENT", "An agent to offer: mine=td:checkpoint=FILE.", spelled="--opponent"
    ),
    api_only: bool = cli.flag("Only the HTTP interface, no pages."),
    opens: bool = cli.flag(
        "Open the first page in your browser, if there is a screen.", spelled="--open"
    ),
) -> None:
    """Serve the web application on this machine until you press Ctrl-C.

    Only this machine can reach it unless --host says otherwise. The server keeps games in a file
    and continues them after a restart. /api/docs describes the HTTP interface.
    """
    for module in ("nicegui", "fastapi", "jinja2", "uvicorn"):
        if importlib.util.find_spec(module) is None:
            raise MissingExtraError("web", "the web application")
    from starlette.responses import RedirectResponse

    from hyperoxo.jit import check_jit

    check_jit()

    # Processes that the server begins learn of them by the environment, which comes first.
    offer(opponents)

    from hyperoxo_web.server import HOME, PUBLIC, Core, default_path
    from hyperoxo_web.server.api import create_app
    from hyperoxo_web.server.clients import ClientIdentifier, network, path_prefix
    from hyperoxo_web.server.new_game import new_token
    from hyperoxo_web.server.running import listen, run, url_for_others, url_of

    # Behind other host names or proxies, addresses do not identify clients on this machine.
    key = new_token() if names or proxies else None
    visitors = ClientIdentifier(map(network, proxies), key)
    root = path_prefix(prefix)
    listener = listen(host, port)
    address, bound = listener.getsockname()[:2]
    named = {name for name in (host, *names) if name not in ("0.0.0.0", "::")}  # noqa: S104
    path = store or default_path()
    core = Core(path, HOME, PUBLIC, warm=True, results=results, reports=reports)
    anywhere = address not in ("127.0.0.1", "::1") or bool(proxies)
    app = create_app(core, hosts=named, any_address=anywhere, visitors=visitors, prefix=root)
    if api_only:
        app.add_route("/", lambda _: RedirectResponse(f"{root}/api/docs"))
    else:
        from hyperoxo_web.pages import mount

        mount(app, core)
    shown = "127.0.0.1" if address in ("0.0.0.0", "::") else address  # noqa: S104
    url = url_of(shown, bound) + root
    core.url = url_for_others(address, bound, root)

    def ready() -> None:
        answer = {"url": url, "store": str(path), "host": host, "port": bound}
        if key is not None:
            answer["key"] = key
        options.note(f"games are kept in {path}; Ctrl-C stops the server")
        if core.url not in (None, url):
            options.note(f"others on your network reach it at {core.url}")
        if key is not None:
            options.note("this address has your key: who opens it has the rights of this machine")
        options.emit(answer, "hyperoxo is served at {address}", address=visitors.opened_by(url))
        if opens and has_screen():
            Thread(target=webbrowser.open, args=(visitors.opened_by(url),), daemon=True).start()

    run(app, core, listener, ready, visitors)
