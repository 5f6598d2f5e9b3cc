"""Pictures over HTTP, and previews as a crawler reads them: no script runs."""

from __future__ import annotations

import asyncio
import datetime as dt
import io
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image

import hyperoxo as ox
from hyperoxo.pictures import KINDS
from hyperoxo_web.pages.pages import mount
from hyperoxo_web.pages.previews import file_name
from hyperoxo_web.server import Core, NewGame, SeatSpec, actions
from hyperoxo_web.server.api import create_app, middleware
from hyperoxo_web.server.limits import HOME, Limits
from tests.hyperoxo_web.pages.simulated import Table
from tests.hyperoxo_web.server.sessions import called


class Crawler(HTMLParser):
    """Reads what other sites show beside a link."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pairs = dict(attrs)
        key = pairs.get("property") or pairs.get("name")
        if tag == "meta" and key and pairs.get("content"):
            assert key not in self.found
            self.found[key] = str(pairs["content"])


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("4^3", "4x4x4-move-7.oxo"),
        ("3^4:blocked=centre,players=4", "3x3x3x3-players-4-blocked-centre-move-7.oxo"),
        ("7,6,4:gravity", "7-6-4-gravity-move-7.oxo"),
    ],
)
def test_files_are_named_after_games(spec: str, name: str) -> None:
    assert file_name(ox.Game(spec), 7, ".oxo") == name


async def previewed(http: httpx.AsyncClient, path: str, **headers: str) -> dict[str, str]:
    answer = await http.get(path, headers={"accept": "text/html", **headers})
    assert answer.status_code == 200
    return Crawler(answer.text).found


async def shown(http: httpx.AsyncClient, url: str) -> Any:
    """Return the picture of a preview."""
    answer = await http.get(url)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    return Image.open(io.BytesIO(answer.content))


@pytest.mark.more
async def test_positions_as_pictures(place: Table) -> None:
    position = ox.Game("4^3").position("moves:0,21,42")

    for kind, media in KINDS.items():
        answer = await place.http.get(f"/p/4^3/0,21,42.{kind}")
        assert answer.content == ox.picture(position, kind)
        assert answer.headers["content-type"] == media
        assert answer.headers["cache-control"] == "public, max-age=86400"
        assert f'"4x4x4-move-3.{kind}"' in answer.headers["content-disposition"]
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        tag = answer.headers["etag"]
        again = await place.http.get(f"/p/4^3/0,21,42.{kind}", headers={"if-none-match": tag})
        assert (again.status_code, again.content) == (304, b"")
    dark = await place.http.get("/p/4^3/0,21,42.png?theme=dark")
    assert dark.content == ox.picture(position, "png", theme="dark")
    empty = await place.http.get("/p/3^2.svg")
    assert empty.content == ox.picture(ox.Game("3^2").start())
    written = await place.http.get("/p/3^2/1.2.......svg")
    assert written.content == ox.picture(ox.Game("3^2").position("1.2......"))
    # The same stones have other animations behind them.
    one, other = [await place.http.get(f"/p/3^2/{moves}.gif") for moves in ("0,1,2", "2,1,0")]
    assert one.content != other.content


async def test_what_cannot_be_drawn_is_answered_in_one_line(place: Table) -> None:
    for path, status in (
        ("/p/4^3/0,0.png", 422),
        ("/p/nonsense.svg", 422),
        ("/p/99^2.png", 429),
        ("/p/4^3.png?theme=red", 422),
        ("/game/none.png", 404),
        ("/puzzles/2001-01-01.png", 404),
        ("/puzzles/nonsense.png", 422),
    ):
        answer = await place.http.get(path)
        assert answer.status_code == status, path
        assert answer.json()["error"]["message"]


@pytest.mark.more
async def test_a_game_as_it_stood_after_a_move(place: Table) -> None:
    record = ox.Record(ox.Game("3^2"), (4, 0, 2))
    made = await place.core.create(NewGame(record=record, seats=[SeatSpec(), SeatSpec()]))
    path = f"/game/{made.live.room.id}"
    for move in range(4):
        answer = await place.http.get(f"{path}.png?move={move}")
        assert answer.content == ox.picture(record.position.undo(3 - move), "png")
        assert answer.headers["cache-control"] == "no-cache"
    assert (await place.http.get(f"{path}.gif")).content == ox.picture(record, "gif")
    late = await place.http.get(f"{path}.png?move=4")
    assert late.status_code == 404
    assert "has no move 4" in late.text


@pytest.mark.more
async def test_other_people_get_few_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "_PATIENCE", 0.0)

    few = Limits(processor_share=1e-9, processor_burst=1e9, cells=30)
    core = Core(tmp_path / "games.sqlite", HOME, few)
    application = create_app(core)
    mount(application, core)
    async with (
        application.router.lifespan_context(application),
        called(application, "10.0.0.9", "http://127.0.0.1") as http,
    ):
        assert (await http.get("/p/3^2.svg")).status_code == 200
        assert "30 cells" in (await http.get("/p/4^3.svg")).text
        core.budget.of("10.0.0.9").pay(1e9)
        assert (await http.get("/p/3^2.svg")).status_code == 429


@pytest.mark.more
async def test_pages_of_scripts_have_a_preview(place: Table) -> None:
    for path in ("/", "/games", "/lab", "/analyse"):
        found = await previewed(place.http, path)
        assert found["og:title"] == "Tic-tac-toe in two, three and four dimensions"
        assert found["og:description"] == found["description"]
        assert found["twitter:card"] == "summary_large_image"
        assert found["og:image"].startswith("http://127.0.0.1/p/")
    picture = await shown(place.http, found["og:image"])
    assert picture.size == (1200, 630)
    assert [found["og:image:width"], found["og:image:height"]] == ["1200", "630"]
    found = await previewed(place.http, "/?game=3^4:blocked=centre")
    assert found["og:description"].startswith("3×3×3×3, Cross to move, 0 stones.")
    assert (await shown(place.http, found["og:image"])).size == (1200, 630)


@pytest.mark.more
async def test_a_position_is_previewed_in_words_and_as_a_picture(place: Table) -> None:
    found = await previewed(place.http, "/p/4^3/0,21,42,63,1,2,3")
    assert found["og:title"] == "Qubic"
    assert found["og:description"] == "4×4×4, Ring to move, 7 stones."
    assert found["og:url"] == "http://127.0.0.1/p/4%5E3/0,21,42,63,1,2,3"
    position = ox.Game("4^3").position("moves:0,21,42,63,1,2,3")
    answer = await place.http.get(found["og:image"])
    assert answer.content == ox.picture(position, "png", size=(1200, 630))
    proxied = await previewed(place.http, "/p/4^3/0", **{"x-forwarded-proto": "https"})
    assert proxied["og:image"].startswith("https://127.0.0.1/p/")
    written = await previewed(place.http, "/p/3^2:blocked=8/1.2.....%23")
    assert (await shown(place.http, written["og:image"])).size == (1200, 630)


@pytest.mark.more
async def test_a_preview_of_a_game_names_players_and_keeps_their_tokens(place: Table) -> None:
    seats = [SeatSpec('Ada "A" <b>'), SeatSpec("Bob")]
    made = await place.core.create(NewGame("4^3", seats))
    path = f"/game/{made.live.room.id}"
    answer = await place.http.get(f"{path}?seat={made.tokens[0]}&host={made.host}")
    found = Crawler(answer.text).found
    assert found["og:title"] == 'Ada "A" <b> against Bob'
    assert found["og:description"] == "4×4×4, Cross to move, 0 stones."
    assert found["og:url"] == f"http://127.0.0.1{path}"
    for secret in (*made.tokens, made.host):
        assert not any(str(secret) in value for value in found.values())
    assert (await shown(place.http, found["og:image"])).size == (1200, 630)


async def test_a_preview_says_how_a_game_ended(place: Table) -> None:
    made = await place.core.create(NewGame("3^2", [SeatSpec("Ada"), SeatSpec("Bob")]))
    await made.live.play(made.tokens[0], 4)
    await made.live.do(actions.resign, made.tokens[1])
    found = await previewed(place.http, f"/game/{made.live.room.id}")
    assert found["og:description"] == "Ring resigns. Cross wins. 3×3, 1 stone."


@pytest.mark.more
async def test_the_puzzle_of_the_day_has_a_picture(place: Table) -> None:
    today = dt.datetime.now(dt.UTC).date()
    made = {"game": "4^3", "position": ox.Game("4^3").position("moves:0,21").text}
    for day in range(2):
        date = today + dt.timedelta(day)
        await place.core.store.put_fact(f"puzzle 4^3 {date.isoformat()} 2", made)
    found = await previewed(place.http, "/puzzles")
    assert found["og:title"] == "The puzzle of the day"
    assert (await shown(place.http, found["og:image"])).size == (1200, 630)
    tomorrow = today + dt.timedelta(2)
    hidden = await place.http.get(f"/puzzles/{tomorrow.isoformat()}.png")
    assert hidden.status_code == 404


@pytest.mark.more
async def test_pictures_asked_for_at_once_are_all_answered(place: Table) -> None:
    asked = [place.http.get(f"/p/3^2/{cell}.png") for cell in range(9)]
    answers = await asyncio.gather(*asked)
    assert len({answer.content for answer in answers}) == 9
