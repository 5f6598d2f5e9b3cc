"""Markup and controls in names of strangers, on every page that shows them, in a real browser."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from tests.hyperoxo_web.pages.conftest import Open, Site

MARKUP = "<img src=x onerror=oops()>"
TEMPLATE = "{{oops()}}</script><b>"
LINK = "javascript:oops()'\""


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A folder of games beside which somebody has put a report."""
    folder = tmp_path_factory.mktemp("markup")
    place = folder / "reports" / TEMPLATE.replace("/", "")
    (place / "figures").mkdir(parents=True)
    table: dict[str, Any] = {"name": MARKUP, "title": MARKUP, "text": TEMPLATE}
    table |= {"columns": [MARKUP, LINK], "rows": [{MARKUP: MARKUP, LINK: TEMPLATE}]}
    data = {"study": MARKUP, "title": MARKUP, "full": False, "seed": 0, "tables": [table]}
    (place / "tables.json").write_text(json.dumps({**data, "source": TEMPLATE}))
    (place / "index.html").write_text("<p>a report")
    return ["--store", str(folder / "games.sqlite")]


def test_names_are_text_on_every_page(site: Site, open_page: Open, options: list[str]) -> None:
    made = site.make(
        "3^2", [{"name": MARKUP, "holder": "me"}, {"name": TEMPLATE, "holder": "me"}], title=LINK
    )
    report = httpx.get(f"{site.url}/api/studies", timeout=300).json()["reports"][0]
    lesson = httpx.post(f"{site.url}/api/classes", json={"title": MARKUP}, timeout=300).json()
    code = lesson["code"]
    for name in (MARKUP, TEMPLATE):
        joined = httpx.post(
            f"{site.url}/api/classes/{code}/pupils", json={"name": name}, timeout=300
        )
        joined.raise_for_status()
    pages = {
        made["urls"][0]: (MARKUP, TEMPLATE),
        "/games": (MARKUP,),
        f"/class/{code}": (),
        lesson["teacher_url"]: (MARKUP,),
        "/studies": (MARKUP,),
        f"/report/{quote(report['name'])}": (MARKUP,),
    }
    for address, names in pages.items():
        page = open_page(address)
        for name in names:
            page.wait_for_function(
                "name => document.body.innerText.includes(name) ||"
                " [...document.querySelectorAll('input')].some(one => one.value.includes(name))",
                arg=name,
            )
        assert page.evaluate("typeof window.oops") == "undefined", address
        assert not page.query_selector_all("img[src=x]"), address
        assert not page.query_selector_all("a[href^='javascript:']"), address
        page.close()
