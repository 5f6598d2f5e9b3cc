"""Markup and controls in names of strangers, on every page that shows them, in a real browser."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import httpx

from tests.hyperoxo_web.pages.conftest import Open, Site

MARKUP = "<img src=x onerror=oops()>"
TEMPLATE = "{{oops()}}</script><b>"
LINK = "javascript:oops()'\""


def put_report(site: Site) -> str:
    """Put a report beside the games of a server, as somebody may; return its name."""
    name = TEMPLATE.replace("/", "")
    place = site.folder / "reports" / name
    (place / "figures").mkdir(parents=True)
    table: dict[str, Any] = {"name": MARKUP, "title": MARKUP, "text": TEMPLATE}
    table |= {"columns": [MARKUP, LINK], "rows": [{MARKUP: MARKUP, LINK: TEMPLATE}]}
    data = {"study": MARKUP, "title": MARKUP, "full": False, "seed": 0, "tables": [table]}
    (place / "tables.json").write_text(json.dumps({**data, "source": TEMPLATE}))
    (place / "index.html").write_text("<p>a report")
    return name


def test_names_are_text_on_every_page(site: Site, open_page: Open) -> None:
    made = site.make(
        "3^2", [{"name": MARKUP, "holder": "me"}, {"name": TEMPLATE, "holder": "me"}], title=LINK
    )
    report = put_report(site)
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
        f"/report/{quote(report)}": (MARKUP,),
    }
    page = open_page("/about")
    for address, names in pages.items():
        page.goto(site.url + address)
        for name in names:
            page.wait_for_function(
                "name => document.body.innerText.includes(name) ||"
                " [...document.querySelectorAll('input')].some(one => one.value.includes(name))",
                arg=name,
            )
        assert page.evaluate("typeof window.oops") == "undefined", address
        assert not page.query_selector_all("img[src=x]"), address
        assert not page.query_selector_all("a[href^='javascript:']"), address
