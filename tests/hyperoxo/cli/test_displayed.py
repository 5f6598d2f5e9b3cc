"""Texts of files and of strangers on a terminal: controls are shown, and never obeyed."""

from __future__ import annotations

import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import click
import pytest
from rich.text import Text

from hyperoxo.cli.output import as_json
from hyperoxo.errors import displayed
from hyperoxo.lab.match import match
from hyperoxo.lab.results.store import ResultStore
from hyperoxo.play.pictures.boards import to_ansi
from hyperoxo.terminal.screen import Screen
from hyperoxo.terminal.streams import data_stream, displaying, raw
from tests.command import oxo

CONTROLS = [
    *map(chr, [*range(9), *range(11, 32), *range(127, 160)]),
    *map(chr, [0x200E, 0x200F, 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]),
    *map(chr, [0xAD, 0x61C, 0x200B, 0xFEFF, 0xFFF9, 0xE0041, 0xDFFF, 0xD800]),
]
HOSTILE = "[red]\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\u2066\u200e\r\x08[/nothing]"


def test_every_control_is_shown_as_python_writes_it() -> None:
    for one in CONTROLS:
        assert displayed(f"a{one}b") == f"a{ascii(one)[1:-1]}b"
    plain = "Ä 漢字 👩\u200d🚀 ▒·×\tx\ny\u00a0z"
    assert displayed(plain) == plain


def test_json_keeps_what_its_escapes_stand_for() -> None:
    answer = {"name": "".join(CONTROLS)}
    text = as_json(answer)
    assert displayed(text) == text
    assert json.loads(text) == answer
    text.encode()


RECORD = {
    "format": "hyperoxo-record", "version": 1, "game": "3^2", "moves": [4, 0],
    "players": [HOSTILE, HOSTILE], "tags": {"Event": HOSTILE}, "comments": {"1": HOSTILE},
}  # fmt: skip
PGN = f'[Event "{HOSTILE}"]\n[Game "3^2"]\n[Player1 "{HOSTILE}"]\n[Player2 "x"]\n\n1. 4 0 *\n'

SHOWN: dict[str, tuple[tuple[str, ...], str]] = {
    "analyse": (("analyse", "{}", "--seconds", "0.01"), json.dumps(RECORD)),
    "analyse as JSON": (("analyse", "{}", "--seconds", "0.01", "--format", "json"), PGN),
    "analyse a bad record": (("analyse", "{}"), json.dumps({**RECORD, HOSTILE: 1})),
    "analyse a bad game": (("analyse", "{}"), json.dumps({**RECORD, "game": HOSTILE})),
    "convert": (("convert", "{}", "out.json", "--to", "json"), PGN),
    "convert a bad record": (("convert", "{}", "out.pgn"), json.dumps({**RECORD, "moves": [99]})),
    "convert to JSON": (("convert", "{}", "-", "--to", "pgn", "--format", "json"), PGN),
    "load": (("play", "--load", "{}"), json.dumps(RECORD)),
    "load with icons": (("play", "--load", "{}"), json.dumps({**RECORD, "icons": ["\x1b", "o"]})),
    "picture": (("picture", "{}", "--out", "out.svg"), json.dumps(RECORD)),
    "verify": (("verify", "{}"), f"hyperoxo-strategy 1\nsha256 {HOSTILE}\n"),
    "proof": (("proof", "show", "{}"), f"hyperoxo-pairing 1\nsha256 {HOSTILE}\n"),
    "board": (("board", "@{}"), f"3 {HOSTILE}\n0 1 2\n"),
    "dataset": (("dataset", "--score", "{}", "{}"), json.dumps({"id": HOSTILE, "answer": HOSTILE})),
    "a game": (("solve", HOSTILE), ""),
    "an agent": (("match", "3^2", HOSTILE, "random", "--no-store"), ""),
    "a command": ((HOSTILE,), ""),
    "a file": (("verify", HOSTILE), ""),
}


@pytest.mark.parametrize("what", SHOWN)
def test_no_text_reaches_a_terminal_as_it_is(
    tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words, text = SHOWN[what]
    path = tmp_path / "strange"
    path.write_bytes(text.encode())
    done = oxo(*[word.replace("{}", str(path)) for word in words])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    for told in (done.stdout, done.stderr):
        assert displayed(told) == told


def test_tables_show_markup_and_controls(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    with ResultStore(path) as store:
        match("3^2", ["random", "random"], games=2, seed=1, store=store)
    with closing(sqlite3.connect(path, isolation_level=None)) as base:
        agents = json.dumps([HOSTILE, "random"], ensure_ascii=False)
        base.execute("UPDATE runs SET game = ?, state = ?", (HOSTILE, HOSTILE))
        base.execute("UPDATE rows SET agents = ?", (agents,))
        base.execute("UPDATE runs SET settings = ?", (json.dumps({"agents": [HOSTILE]}),))
    for run in ([], ["1"], ["--format", "json"]):
        done = oxo("results", *run, "--store", str(path))
        assert done.exit_code == 0
        assert "[red]" in done.output
        assert displayed(done.output) == done.output


def test_the_prompt_escapes_all_but_its_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    shown, told = io.StringIO(), io.StringIO()
    screen = Screen(io.StringIO("answer\n"), shown, told)
    screen.write_board(HOSTILE)
    screen.write_board(Text(HOSTILE, "bold"))
    screen.write_sentence(HOSTILE)
    screen.write_message(HOSTILE)
    screen.prompt(HOSTILE)
    for text in (shown.getvalue(), told.getvalue()):
        assert "[red]" in text
        assert displayed(text) == text
    coloured = to_ansi(Text(HOSTILE, "bold"), colour=True)
    assert coloured.startswith("\x1b[1m")
    assert "\x1b]" not in coloured


def test_data_is_kept_but_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with displaying():
        print("\x1b", file=data_stream(), end="")
        click.echo("\x1b", nl=False)
        monkeypatch.setattr(raw(data_stream()), "isatty", lambda: True, raising=False)
        print("\x1b", file=data_stream(), end="")
    assert capsys.readouterr().out == "\x1b" + "\\x1b" * 2
