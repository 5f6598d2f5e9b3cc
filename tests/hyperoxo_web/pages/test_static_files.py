"""How the files of the pages are served."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from urllib.parse import quote

import pytest

from hyperoxo_web.pages import static_files
from hyperoxo_web.pages.component import Page
from hyperoxo_web.pages.static_files import LIBRARY
from hyperoxo_web.server import Core
from tests.hyperoxo_web.pages.simulated import Table

PAGES = sorted(
    path.stem
    for path in static_files.FOLDER.glob("*.js")
    if "export default" in path.read_text("utf-8")
)


async def test_files_are_compressed_and_kept_for_good(place: Table) -> None:
    for name in ("theme.css", "theme+table+board+game.css", "lib.js", "vue.js", "three.js"):
        answer = await place.http.get(f"{static_files.URL}/{name}")
        assert answer.headers["content-encoding"] == "gzip"
        assert "immutable" in answer.headers["cache-control"]
        plain = await place.http.get(
            f"{static_files.URL}/{name}", headers={"accept-encoding": "identity"}
        )
        assert "content-encoding" not in plain.headers
        assert plain.content == answer.content  # which httpx has unpacked
        assert len(gzip.compress(plain.content)) < len(plain.content) / 1.5


async def test_a_page_of_an_earlier_version_gets_files_but_does_not_keep_them(place: Table) -> None:
    answer = await place.http.get("/static/0123456789abcdef/theme.css")
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")


@pytest.mark.parametrize(
    "name",
    [
        "nothing.js",
        "theme+nothing.css",
        "+".join(["theme"] * 9) + ".css",
        "theme+.css",
        "lib",
        "..%2Fpages.py",
        "..%2F..%2F__init__.py",
        "lib/..%2F..%2Fshell.py",
    ],
)
async def test_nothing_else_is_served(place: Table, name: str) -> None:
    assert (await place.http.get(f"{static_files.URL}/{name}")).status_code == 404


@pytest.mark.parametrize("ending", [".json", ".js", ".svg", ".css"])
async def test_no_file_of_the_disk_is_served(place: Table, tmp_path: Path, ending: str) -> None:
    """An absolute path would replace the folder that it is appended to."""
    secret = tmp_path / f"secret{ending}"
    secret.write_text("words of another file")
    for name in (f"{secret}", f"lib/{secret}", f"theme+{secret}", quote(str(secret), safe="")):
        answered = await place.http.get(f"{static_files.URL}/{name}")
        assert (answered.status_code, "of another" in answered.text) == (404, False)


@pytest.mark.parametrize("name", PAGES)
async def test_all_that_a_script_imports_is_loaded_at_once(name: str, core: Core) -> None:
    page = Page(core)
    page.script = name
    page.show("/", "Title <b>", words="</script><b>")
    assert "<b>" not in page.markup
    loaded = set(re.findall(r'rel="modulepreload" href="([^"]+)"', page.markup))
    assert f"{static_files.URL}/vue.js" in loaded
    assert f"{static_files.URL}/{name}.js" in loaded
    assert f"{static_files.URL}/three.js" not in loaded
    for address in loaded:
        file = address.removeprefix(static_files.URL + "/")
        path = static_files.LIBRARIES.get(file) or static_files.FOLDER / file
        assert path.is_file() or file == LIBRARY
