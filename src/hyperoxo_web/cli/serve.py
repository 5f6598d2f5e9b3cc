"""`oxo serve`: the web application."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import click

from hyperoxo.cli.options import PLAIN_FILE, Options, flag, number, shared_options
from hyperoxo.errors import MissingExtraError


@click.command()
@number("--port", "Port; default 8765, or any free port if that is taken.", 0, 65535)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to bind to; 0.0.0.0 for all."
)
@click.option(
    "--allow-host",
    "names",
    multiple=True,
    metavar="NAME",
    help="Another name of this machine that browsers may use; can be repeated.",
)
@click.option(
    "--proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    help="Address or network of a proxy in front that names its clients; can be repeated.",
)
@click.option(
    "--prefix",
    default="",
    metavar="PATH",
    help="Path that all addresses begin with, such as /oxo; a named proxy may tell another.",
)
@click.option(
    "--store",
    type=PLAIN_FILE,
    metavar="FILE",
    help="File for games; default: in your data folder.",
)
@click.option(
    "--results",
    type=PLAIN_FILE,
    metavar="FILE",
    help="File for the laboratory's results; default: results.sqlite beside the games.",
)
@click.option(
    "--reports",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Folder for study reports; default: reports beside the games.",
)
@click.option(
    "--opponent",
    "opponents",
    multiple=True,
    metavar="NAME=AGENT",
    help="Offer an agent under a name, such as mine=td:checkpoint=FILE; can be repeated.",
)
@flag("--api-only", "Only the HTTP interface, no pages.")
@shared_options
def command(
    port: int | None,
    host: str,
    names: tuple[str, ...],
    proxies: tuple[str, ...],
    prefix: str,
    store: Path | None,
    results: Path | None,
    reports: Path | None,
    opponents: tuple[str, ...],
    api_only: bool,
    options: Options,
) -> None:
    """Serve the web application on this machine until interrupted by Ctrl-C.

    Only this machine can reach it unless --host says otherwise. Games are kept in a file and
    continue after a restart. The HTTP interface is described at /api/docs.
    """
    for module in ("nicegui", "fastapi", "jinja2", "uvicorn"):
        if importlib.util.find_spec(module) is None:
            raise MissingExtraError("web", "the web application")
    from starlette.responses import RedirectResponse

    from hyperoxo.agents.spec import offer
    from hyperoxo.jit import check_jit

    check_jit()

    # Processes that the server begins learn of them by the environment, which comes first.
    offer(opponents)

    from hyperoxo_web.server import HOME, PUBLIC, Core, default_path
    from hyperoxo_web.server.api import create_app
    from hyperoxo_web.server.new_game import new_token
    from hyperoxo_web.server.running import listen, run, url_for_others, url_of
    from hyperoxo_web.server.visitors import Visitors, network
    from hyperoxo_web.server.visitors import prefix as read_prefix

    # Where others come by another name, or by a proxy, addresses do not tell who is at home.
    key = new_token() if names or proxies else None
    visitors = Visitors(map(network, proxies), key)
    root = read_prefix(prefix)
    listener = listen(host, port)
    address, bound = listener.getsockname()[:2]
    public = address not in ("127.0.0.1", "::1")
    named = {name for name in (host, *names) if name not in ("0.0.0.0", "::")}  # noqa: S104
    path = store or default_path()
    core = Core(path, HOME, PUBLIC, warm=True, results=results, reports=reports)
    anywhere = public or bool(proxies)
    app = create_app(core, hosts=named, any_address=anywhere, visitors=visitors, prefix=root)
    if api_only:
        app.add_route("/", lambda _: RedirectResponse(f"{root}/api/docs"))
    else:
        from hyperoxo_web.pages import mount

        mount(app, core)
    shown = "127.0.0.1" if address in ("0.0.0.0", "::") else address  # noqa: S104
    url = url_of(shown, bound) + root
    outside = url_for_others(address, bound)
    core.url = None if outside is None else outside + root

    def ready() -> None:
        answer = {"url": url, "store": str(path), "host": host, "port": bound}
        if key is not None:
            answer["key"] = key
        options.emit(answer, text=lambda: f"hyperoxo is served at {visitors.opened_by(url)}")
        if key is not None:
            options.note("that address has your key: who opens it has the rights of this machine")
        if core.url not in (None, url):
            options.note(f"others on your network reach it at {core.url}")
        options.note(f"games are kept in {path}; Ctrl-C stops the server")

    run(app, core, listener, ready, visitors)
