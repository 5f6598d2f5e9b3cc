"""The server answers what its OpenAPI document says."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from hyperoxo_web.server.api import analyses
from hyperoxo_web.server.api.replies import CODES
from tests.processes import tool
from tools import schema as command

ROOT = Path(__file__).parents[3]


@pytest.mark.more
def test_moves_and_streams_are_as_described() -> None:
    said = tool("schema.py", "{room}/moves", "{room}/events", "--examples", "5")
    assert " x 200" in said
    assert said.endswith(" 0 wrong\n")


@pytest.mark.more
def test_everything_is_as_described() -> None:
    assert tool("schema.py", "--examples", "3").endswith(" 0 wrong\n")


@pytest.mark.more
def test_an_answer_of_another_shape_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = SimpleNamespace(name=1, about="", extensions=[])
    monkeypatch.setattr(analyses, "FORMATS", {"odd": odd})
    with command.served(tmp_path) as url:
        examiner = command.Examiner(url, 1, 0)
        (operation,) = examiner.operations(["/api/notations"])
        examiner.examine(operation)
    assert "1 is not of type" in examiner.wrong[0]


def test_all_codes_of_refusals_are_documented() -> None:
    text = (ROOT / "docs" / "api-http.md").read_text("utf-8")
    assert [code for code in CODES if f"`{code}`" not in text] == []


async def test_what_the_framework_refuses_has_the_same_form(client: httpx.AsyncClient) -> None:
    for verb, path, status in (
        ("PATCH", "/api/games", 405),
        ("GET", "/api/nothing", 404),
        ("GET", "/api/games?limit=0", 422),
    ):
        answer = await client.request(verb, path)
        assert answer.status_code == status
        assert answer.json()["error"]["code"] in CODES


async def test_answers_are_on_the_page(client: httpx.AsyncClient) -> None:
    page = (await client.get("/api/docs")).text
    assert "Answers <code>{id, host, tokens, url, urls, state}</code>" in page
    assert "Answers <code>text/event-stream</code>" in page
