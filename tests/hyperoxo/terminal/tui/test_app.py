"""The application driven by keys and mouse, without a terminal."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Awaitable, Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("textual")

from rich.table import Table
from textual.binding import Binding
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Input, Label, OptionList, Select, Static

from hyperoxo.agents import AGENTS, Agent
from hyperoxo.agents.base import Explanation, Randomness, Thought, hurried
from hyperoxo.game import Game, Position
from hyperoxo.jit import compile_events
from hyperoxo.notation import Record, read, write
from hyperoxo.play.session import Session
from hyperoxo.task import ALONE, Task
from hyperoxo.terminal.tui.app import HyperoxoApp
from hyperoxo.terminal.tui.board import BoardView
from hyperoxo.terminal.tui.dialogs import LevelDialog, NewGameDialog, respelled

Scene = Callable[[HyperoxoApp, "Pilot[None]"], Awaitable[None]]
PEOPLE = ("human",) * 8


def play(
    scene: Scene,
    spec: str = "3^2",
    seats: tuple[str, ...] | None = None,
    *,
    size: tuple[int, int] = (110, 36),
    theme: str = "dark",
    moves: tuple[int, ...] = (),
    asks: bool = False,
) -> None:
    """Run a scene with the application."""
    game = Game(spec)
    session = Session(game.start(), PEOPLE[: game.players] if seats is None else seats)
    for cell in moves:
        session.play(cell)

    async def run() -> None:
        app = HyperoxoApp(session, seed=1, theme=theme, analysis_seconds=0.5)
        app.asks = LevelDialog(session) if asks else None
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await scene(app, pilot)

    asyncio.run(run())


async def entered(app: HyperoxoApp, pilot: Pilot[None], text: object) -> None:
    """Answer the question that is open."""
    app.screen.query_one("#file", Input).value = str(text)
    await pilot.press("enter")
    await pilot.pause()


def scene(
    spec: str = "3^2", seats: tuple[str, ...] | None = None, **options: Any
) -> Callable[[Scene], Callable[[], None]]:
    """Make a test of what is done with the application."""

    def test_of(acts: Scene) -> Callable[[], None]:
        def test() -> None:
            play(acts, spec, seats, **options)

        test.__name__ = acts.__name__
        return test

    return test_of


@pytest.mark.parametrize(("keys", "level"), [(["enter"], 3), (["up", "enter"], 2), (["escape"], 3)])
def test_a_game_without_named_agents_asks_for_the_level(keys: list[str], level: int) -> None:
    async def scene(app: HyperoxoApp, pilot: Pilot[None]) -> None:
        assert isinstance(app.screen, LevelDialog)
        await pilot.press(*keys)
        await pilot.pause()
        assert app.session.seats == ("human", f"level:{level}")
        assert not isinstance(app.screen, LevelDialog)

    play(scene, seats=("human", "level:3"), asks=True)


def told(app: HyperoxoApp) -> str:
    return str(app.query_one("#status", Label).render())


def history(app: HyperoxoApp) -> tuple[int, ...]:
    return app.session.position.history


def board(app: HyperoxoApp) -> BoardView:
    return app.query_one(BoardView)


async def until(pilot: Pilot[None], holds: Callable[[], bool], seconds: float = 60.0) -> None:
    for _ in range(int(seconds / 0.05)):
        await pilot.pause(0.05)
        if holds():
            return
    raise AssertionError("this did not come about in time")


async def click(app: HyperoxoApp, pilot: Pilot[None], cell: int) -> None:
    await pilot.click(BoardView, offset=board(app).place_of(cell))
    await pilot.pause()


def bindings() -> list[Binding]:
    return [one for one in HyperoxoApp.BINDINGS if isinstance(one, Binding)]


def screen_text(app: HyperoxoApp) -> str:
    view = board(app)
    return "\n".join(view.render_line(y).text for y in range(view.size.height))


@pytest.mark.more
@scene()
async def test_a_game_by_keys(app: HyperoxoApp, pilot: Pilot[None]) -> None:
    assert board(app).cursor == 4
    await pilot.press("enter")
    assert history(app) == (4,)
    await pilot.press("up", "left", "enter", "down", "enter")
    assert history(app) == (4, 0, 3)
    assert "Ring to move" in told(app)
    await pilot.press("right", "enter")
    assert told(app) == "Cell 4 is taken."
    assert app.session.position.ply == 3


@pytest.mark.more
@scene()
async def test_a_game_by_mouse_to_its_end(app: HyperoxoApp, pilot: Pilot[None]) -> None:
    for cell in (4, 0, 3, 1, 5):
        await click(app, pilot, cell)
    assert told(app) == "Cross wins."
    assert board(app).picture.glowing == {3, 4, 5}
    await click(app, pilot, 8)
    assert app.session.position.ply == 5


@scene()
async def test_preparing_a_board_is_shown_and_hides_no_answer(
    app: HyperoxoApp, pilot: Pilot[None]
) -> None:
    before = told(app)
    report = compile_events.on_compile
    assert report is not None
    for number, known, shown in ((2, 5, "2 of about 5"), (0, 0, before)):
        await asyncio.to_thread(report, number, known)
        await pilot.pause()
        assert shown in told(app)
    app.show_message("Saved.")
    report(0, 0)
    await pilot.pause()
    assert told(app) == "Saved."


@scene("3^4", size=(130, 44))
async def test_arrows_and_pages_walk_across_layers(app: HyperoxoApp, pilot: Pilot[None]) -> None:
    view = board(app)
    assert view.cursor == 4  # in the middle of the first layer
    await pilot.press("right", "right")
    assert Game("3^4").board.coordinates(view.cursor) == (1, 0, 1, 0)
    await pilot.press("pageup")
    assert Game("3^4").board.coordinates(view.cursor) == (1, 1, 1, 0)
    await pilot.press("end", "end")
    assert Game("3^4").board.coordinates(view.cursor) == (2, 1, 1, 0)
    assert "Cell 3.2a2." in told(app)
    above = "".join(segment.text for segment in view.render_line(view._origin[1]))
    assert above.split() == ["1.3", "2.3", "3.3"]


@pytest.mark.more
@scene(seats=("human", "greedy"))
async def test_an_agent_answers_and_undo_takes_both_moves_back(
    app: HyperoxoApp, pilot: Pilot[None]
) -> None:
    await pilot.press("enter")
    await until(pilot, lambda: app.session.position.ply == 2)
    assert told(app) == "Your move."
    await pilot.press("u")
    assert app.session.position.ply == 0
    await pilot.press("r")
    assert app.session.position.ply == 2


class Endless(Agent):
    """Thinks until it is asked to move."""

    name = "endless"

    def choose(self, position: Position, rng: Randomness = None) -> int:
        raise AssertionError

    def think(self, position: Position, rng: Randomness = None, task: Task = ALONE) -> Explanation:
        task.report(Thought(4, depth=3))
        assert isinstance(task.stop, threading.Event)
        assert task.stop.wait(600)
        return hurried(Explanation(4, (), "Why not."))


@pytest.mark.more
def test_an_agent_that_thinks_is_asked_to_move_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AGENTS, "endless", Endless)

    async def scene(app: HyperoxoApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "3 moves ahead, best so far b2" in told(app))
        await pilot.press("f")
        await until(pilot, lambda: app.session.position.ply == 2)
        assert told(app) == "Ring was asked to move at once. Your move."
        await pilot.press("u")  # those who take back do not wait for it
        app.action_take("redo")
        assert app.session.position.ply == 2

    play(scene, seats=("human", "endless"), moves=(0,))


class Gated(Agent):
    """Moves as often as it may."""

    name = "gated"
    allowed = threading.Semaphore(0)

    def choose(self, position: Position, rng: Randomness = None) -> int:
        assert self.allowed.acquire(timeout=600)
        return position.legal_moves[0]


@pytest.mark.more
def test_agents_play_among_themselves_and_can_be_paused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AGENTS, "gated", Gated)
    monkeypatch.setattr(Gated, "allowed", threading.Semaphore(2))

    async def scene(app: HyperoxoApp, pilot: Pilot[None]) -> None:
        # On a busy machine a key may be handled only after `press` has returned.
        await until(pilot, lambda: app.session.position.ply >= 2)
        await pilot.press("p")
        await until(pilot, lambda: "p lets agents go on" in told(app))
        await pilot.press("u")
        await until(pilot, lambda: app.session.position.ply == 1)
        assert "p lets agents go on" in told(app)
        Gated.allowed.release(10)  # one for the move that was being thought about, which is late
        await pilot.press("p")
        await until(pilot, lambda: app.session.state.is_over)

    play(scene, seats=("gated", "gated"))


class Slow(Agent):
    """Thinks until it is told to move."""

    name = "slow"
    told = threading.Event()

    def choose(self, position: Position, rng: Randomness = None) -> int:
        self.told.wait(20)
        return position.legal_moves[0]


@pytest.mark.more
def test_the_screen_stays_awake_while_an_agent_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AGENTS, "slow", Slow)

    async def scene(app: HyperoxoApp, pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        assert "thinks" in told(app)
        await pilot.press("left")
        assert board(app).cursor != 13
        await click(app, pilot, 0)
        assert "not your turn" in told(app)
        await pilot.press("u")
        assert app.session.position.ply == 0
        Slow.told.set()
        await pilot.pause(0.2)
        assert app.session.position.ply == 0
        await pilot.press("enter")
        await until(pilot, lambda: app.session.position.ply == 2)

    play(scene, "3^3", seats=("human", "slow"))


@pytest.mark.more
@scene(moves=(4, 1))
async def test_analysis_streams_into_the_pane_and_onto_the_cells(
    app: HyperoxoApp, pilot: Pilot[None]
) -> None:
    await pilot.press("a")
    await until(pilot, lambda: app.session.tree.node in app.session.analyses)
    await until(pilot, lambda: app.session.analyses[app.session.tree.node].finished)
    await pilot.pause()
    pane = app.query_one("#analysis", Static)
    assert pane.display
    assert "W 5" in str(pane.render())
    assert str(pane.render()).startswith("exact")
    assert "loses" in str(app.query_one("#curve", Static).render())
    assert "W 5" in screen_text(app)
    best = app.session.analyses[app.session.tree.node].best
    assert best is not None
    assert board(app).picture.marks[best].best
    await pilot.press("a")
    assert not app.query_one("#analysis").display
    assert "W 5" not in screen_text(app)


@pytest.mark.more
@scene("3^3")
async def test_an_analysis_follows_the_game(app: HyperoxoApp, pilot: Pilot[None]) -> None:
    await pilot.press("a", "enter")
    await until(pilot, lambda: app.session.tree.node in app.session.analyses)
    assert app.session.analyses[app.session.tree.node].ply == 1


@pytest.mark.more
@scene()
async def test_a_move_is_typed(app: HyperoxoApp, pilot: Pilot[None]) -> None:
    await pilot.press("colon", "b", "2", "enter")
    await until(pilot, lambda: app.session.position.history == (4,))
    await pilot.press("colon", "4", "enter")
    await until(pilot, lambda: "is taken" in told(app))


@pytest.mark.more
@scene(moves=(0, 3, 1, 4))
async def test_a_hint_points_at_a_cell_and_says_why(app: HyperoxoApp, pilot: Pilot[None]) -> None:
    await pilot.press("h")
    await until(pilot, lambda: app.hinted is not None)
    assert app.hinted == board(app).cursor == 2
    assert "completes a line" in told(app)


@pytest.mark.more
@scene(moves=(0, 3, 1, 4))
async def test_threats_lines_and_numbers_are_shown_one_at_a_time(
    app: HyperoxoApp, pilot: Pilot[None]
) -> None:
    await pilot.press("t")
    marks = board(app).picture.marks
    assert {cell: mark.text for cell, mark in marks.items()} == {2: "+X", 5: "+O"}
    await pilot.press("n")
    assert board(app).picture.marks[8].text == "8"
    await pilot.press("n")
    assert board(app).picture.marks == {}
    await pilot.press("l")
    tinted = board(app).picture.tinted
    await pilot.press("down", "down")
    assert board(app).picture.tinted != tinted


@pytest.mark.more
@scene("3^2:gravity", moves=(0, 3, 1, 4))
async def test_threats_out_of_reach_stand_in_brackets(app: HyperoxoApp, pilot: Pilot[None]) -> None:
    await pilot.press("t")
    assert {cell: mark.text for cell, mark in board(app).picture.marks.items()} == {
        2: "+X",
        5: "(O)",
    }


@pytest.mark.more
@scene("3^2:target=2", moves=(0, 3, 1, 4, 2))
async def test_full_lines_glow_on_request(app: HyperoxoApp, pilot: Pilot[None]) -> None:
    assert board(app).picture.glowing == frozenset()
    await pilot.press("l")
    assert board(app).picture.glowing == {0, 1, 2}


@pytest.mark.more
@scene(moves=(4, 0, 8))
async def test_the_history_jumps_and_branches(app: HyperoxoApp, pilot: Pilot[None]) -> None:
    listed = app.query_one("#moves", OptionList)
    assert listed.option_count == 4
    await pilot.press("left_square_bracket", "left_square_bracket")
    assert history(app) == (4,)
    await click(app, pilot, 2)
    assert history(app) == (4, 2)
    assert listed.option_count == 4
    assert "└" in str(listed.get_option_at_index(3).prompt)
    await pilot.press("b")
    assert history(app) == (4, 0)
    listed.focus()
    await pilot.press("home", "enter")
    assert history(app) == ()
    assert board(app).has_focus


@pytest.mark.more
@scene("7,6,4:gravity")
async def test_gravity_lets_stones_fall(app: HyperoxoApp, pilot: Pilot[None]) -> None:
    await click(app, pilot, 38)
    assert history(app) == (3,)
    await click(app, pilot, 38)
    assert history(app) == (3, 10)


@pytest.mark.more
@scene("3^4:blocked=centre,target=9,players=4", size=(130, 44))
async def test_four_players_on_the_tesseract(app: HyperoxoApp, pilot: Pilot[None]) -> None:
    for cell in (0, 1, 2, 3, 27):
        await click(app, pilot, cell)
    assert history(app) == (0, 1, 2, 3, 27)
    assert "Ring to move" in told(app)
    assert "░" in screen_text(app)
    cards = [str(card.render()) for card in app.query(".card").results(Static)]
    assert cards == ["X Person  0/9", "O Person  0/9", "△ Person  0/9", "□ Person  0/9"]


@pytest.mark.more
@scene(moves=(4, 0))
async def test_symbols_change_during_play(app: HyperoxoApp, pilot: Pilot[None]) -> None:
    await pilot.press("i")
    assert app.screen.query_one("#file", Input).value == "X O"
    await entered(app, pilot, "@ %")
    assert "@" in screen_text(app)
    await pilot.press("i")
    await entered(app, pilot, "@")
    assert told(app) == "2 players need 2 icons, not 1."
    assert app.board_style.icons == ("@", "%")
    await pilot.press("i", "escape")
    assert app.board_style.icons == ("@", "%")


@pytest.mark.more
def test_a_game_is_saved_and_opened(tmp_path: Path) -> None:
    file = tmp_path / "game.oxo"

    async def scene(app: HyperoxoApp, pilot: Pilot[None]) -> None:
        await pilot.press("s")
        await entered(app, pilot, file)
        assert read(file.read_text())[0].moves == (4, 0)
        await pilot.press("g", "escape", "u", "u", "o")
        await entered(app, pilot, file)
        assert history(app) == (4, 0)
        saved = Record(Game("3^2"), (4,), icons=("@", "%", "&"))
        file.write_text(write([saved], "pgn"))
        await pilot.press("o")
        await entered(app, pilot, file.replace(tmp_path / "icons.pgn"))
        assert app.board_style.icons == ("@", "%", "&")
        await pilot.press("o")
        await entered(app, pilot, tmp_path / "none.oxo")
        assert "No such file" in told(app)
        await pilot.press("s")
        await entered(app, pilot, tmp_path / "game.xyz")
        assert "must end in .pos" in told(app)

    play(scene, moves=(4, 0))


@pytest.mark.more
@scene()
async def test_a_new_game_is_set_up(app: HyperoxoApp, pilot: Pilot[None]) -> None:
    await pilot.press("g")
    dialog = app.screen
    assert isinstance(dialog, NewGameDialog)
    dialog.query_one("#field-spec", Input).value = "3^3:players=3"
    await pilot.pause()
    assert "27 cells, 49 lines" in str(dialog.query_one("#about", Label).render())
    assert dialog.query_one("#row3").display
    assert not dialog.query_one("#row4").display
    dialog.query_one("#field-spec", Input).value = "3^"
    await pilot.pause()
    assert dialog.query_one("#about").has_class("wrong")
    dialog.query_one("#field-spec", Input).value = "3^2:[/b]\x1b["
    await pilot.pause()
    assert r"[/b]\x1b[" in str(dialog.query_one("#about", Label).render())
    dialog.query_one("#field-spec", Input).value = "100^2"
    await pilot.press("ctrl+s")
    await pilot.pause()
    assert "fit on a screen" in str(dialog.query_one("#about", Label).render())
    dialog.query_one("#field-spec", Input).value = "4^3:gravity"
    await pilot.press("ctrl+s")
    await pilot.pause()
    assert str(app.session.game) == "4^3:gravity"
    assert app.session.position.ply == 0


@pytest.mark.more
@scene()
async def test_the_fields_of_a_new_game_spell_it(app: HyperoxoApp, pilot: Pilot[None]) -> None:
    await pilot.press("g")
    dialog = app.screen
    dialog.query_one("#field-side", Input).value = "5"
    dialog.query_one("#field-dim", Input).value = "3"
    await pilot.click("#field-misere")
    await pilot.pause()
    assert dialog.query_one("#field-spec", Input).value == "5^3:misere"
    dialog.query_one("#field-connect", Input).value = "4"
    dialog.query_one("#field-blocked", Input).value = "centre"
    dialog.query_one("#field-players", Select).value = 3
    await pilot.pause()
    await pilot.click("#field-wrap")
    await pilot.click("#field-misere")
    await pilot.pause()
    shown = dialog.query_one("#field-spec", Input).value
    assert shown == "5^3:connect=4,wrap,players=3,blocked=centre"
    assert "Lines continue over the edge." in str(dialog.query_one("#about", Label).render())
    dialog.query_one("#field-connect", Input).value = ""
    dialog.query_one("#field-players", Select).value = 2
    await pilot.pause()
    assert dialog.query_one("#field-spec", Input).value == "5^3:wrap,blocked=centre"
    await pilot.press("escape")
    assert str(app.session.game) == "3^2"


@pytest.mark.more
@scene()
async def test_resigning_help_and_leaving(app: HyperoxoApp, pilot: Pilot[None]) -> None:
    await pilot.press("question_mark")
    assert len(app.screen_stack) == 2
    keys = app.screen.query(Static).last().content
    assert isinstance(keys, Table)
    rows = dict(zip(*(map(str, column._cells) for column in reversed(keys.columns)), strict=True))
    assert rows["Walk from cell to cell, across layers"] == "↑, ↓, ←, →"
    assert {binding.tooltip or binding.description for binding in bindings()} <= rows.keys()
    await pilot.press("escape")
    assert len(app.screen_stack) == 1
    await pilot.press("x")
    assert told(app).startswith("Resign? Press x again")
    await pilot.press("up", "enter")
    assert history(app) == (1,)
    await pilot.press("x")
    assert told(app).startswith("Resign? Press x again")
    await pilot.press("x")
    assert told(app) == "Ring resigns. Cross wins."
    await pilot.press("q")
    await pilot.pause()
    assert not app.is_running


@pytest.mark.more
@pytest.mark.parametrize(
    ("size", "theme"),
    [((40, 16), "light"), ((60, 24), "dark"), ((80, 24), "light"), ((160, 50), "dark")],
)
def test_every_size_and_both_grounds(size: tuple[int, int], theme: str) -> None:
    async def scene(app: HyperoxoApp, pilot: Pilot[None]) -> None:
        view = board(app)
        # In the middle of the first layer, of even sides too.
        assert Game("4^3").board.coordinates(view.cursor) == (0, 1, 1)
        assert view.size.height >= 3
        assert "X" in screen_text(app) or view.plan.size.height == 3
        for _ in range(5):
            await pilot.press("down", "right")
        x, y = view.place_of(view.cursor)
        assert 0 <= x < view.size.width
        assert 0 <= y < view.size.height
        await pilot.press("d", "a")
        assert app.current_theme.dark == (theme == "light")

    play(scene, "4^3", theme=theme, size=size, moves=(0, 1))


@pytest.mark.more
@scene(moves=(4, 0, 8))
async def test_looking_back_and_the_way_back_to_the_game(
    app: HyperoxoApp, pilot: Pilot[None]
) -> None:
    await pilot.press("backspace", "left_square_bracket")
    assert history(app) == (4,)
    await pilot.press("escape")
    assert history(app) == (4, 0, 8)
    assert app.session.state.paused is None


@pytest.mark.more
def test_keys_of_the_page_do_the_same_here() -> None:
    """Every letter that the page of a game knows is bound to what has its name there."""
    page = (files("hyperoxo_web.pages") / "static/lib/keys.js").read_text(encoding="utf-8")
    table = page[page.index(" ACTIONS = {") :].partition("};")[0]
    named = dict(re.findall(r'^  "?([^\s"]+?)"?: "([a-z ]+)",$', table, re.MULTILINE))
    assert len(named) > 10
    words = {"left_square_bracket": "[", "right_square_bracket": "]", "question_mark": "?"}
    here = {
        words.get(key, key): binding.description.lower()
        for binding in bindings()
        for key in binding.key.split(",")
    }
    assert {key: here.get(key.lower()) for key in named} == named


@pytest.mark.more
@scene("3^5", size=(80, 24))
async def test_five_and_six_dimensions_scroll(app: HyperoxoApp, pilot: Pilot[None]) -> None:
    view = board(app)
    view.point_at(242)
    await pilot.pause()
    x, y = view.place_of(242)
    assert 0 <= x < view.size.width
    assert 0 <= y < view.size.height
    await click(app, pilot, 242)
    assert history(app) == (242,)


def test_an_option_of_a_spec_is_changed() -> None:
    assert respelled("3^2", "misere", "") == "3^2:misere"
    assert respelled("3^2:misere,opening=poor", "misere", None) == "3^2:opening=poor"
    assert respelled("5^2:gravity=1,misere", "connect", "4") == "5^2:connect=4,misere,gravity=1"
    assert respelled("3{0+1}", "players", "3") == "3{0+1}:players=3"
    assert (
        str(Game(respelled("4^2:opening=0x2", "blocked", "5+6"))) == "4^2:blocked=5+6,opening=0x2"
    )


def test_the_style_sheet_names_widgets_that_exist() -> None:
    def names(widget: type[Widget]) -> set[str]:
        return {widget.__name__}.union(*map(names, widget.__subclasses__()))

    text = files("hyperoxo.terminal.tui").joinpath("style.tcss").read_text("utf-8")
    selectors = " ".join(re.findall(r"^([^{]+)\{", text, re.MULTILINE))
    styled = {*re.findall(r"(?<![-.#\w])[A-Z]\w+", selectors)}
    assert {"TickBox", "SelectCurrent"} <= styled <= names(Widget)
