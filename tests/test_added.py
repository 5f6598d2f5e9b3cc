"""A proof kind, a source of knowledge and a method of solving of another package are used."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest

import hyperoxo as ox
from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Bounds, Game, Position, Value, Why
from hyperoxo.methods import Method, added_methods
from hyperoxo.play.explorer import Explorer
from hyperoxo.proof import KINDS, Pairing, Proof, Verdict, verify, write_proof
from hyperoxo.proof.envelope import FileSchema
from hyperoxo.proof.registry import ProofKind, by_first_line, proof_text
from hyperoxo.solvers.certify import draw_by_theorem
from hyperoxo.solvers.sources import (
    FullBoard,
    NoDrawReason,
    Source,
    Stored,
    bounds_by_stored_proofs,
    full_board,
)
from hyperoxo.solvers.theorems import SOURCES, bounds_by_theorems, no_draw
from tests.command import oxo

LINES = "5{0+1+2/2+3+4}"
ENTRIES = """[hyperoxo.proofs]
mine = another_package:KINDS

[hyperoxo.sources]
mine = another_package:SOURCE

[hyperoxo.methods]
guess = another_package:METHOD
"""


@dataclass(frozen=True)
class Told(Proof):
    """A proof that somebody told."""

    game: Game
    seat: int = 2
    claim: str = "draw"
    begins = None

    @property
    def statement(self) -> str:
        return f"player {self.seat} draws {self.game}, as we were told"


class Mine(Source):
    """A source that knows one game."""

    references = {Why.STEALING: "elsewhere", Why.REGIONS: "A. Nobody (2026)"}  # noqa: RUF012 - read only

    def bounds(self, position: Position) -> Iterator[Bounds]:
        if str(position.game) == LINES and not position.ply:
            yield Bounds(high=Value.DRAW, reasons=(Why.NO_HARDER(game=position.game),))

    def stored(self, position: Position) -> Stored | None:
        lost = Bounds.exactly(Value.LOSS)
        return Stored(Bounds(high=Value.DRAW), {0: lost}) if str(position.game) == LINES else None

    def no_draw(self, game: Game) -> NoDrawReason | None:
        return NoDrawReason(Why.NO_DRAW_BY_CASES(reached="a line")) if str(game) == "2^2" else None

    def full_board(self, game: Game, seed: int) -> FullBoard | None:
        return FullBoard((1, 2, seed), exhausted=True)

    def prove(self, position: Position, seat: int) -> Proof | None:
        return Told(position.game, seat)


def _guess(position: Position, **options: Any) -> ox.Solution:
    options.pop("report", print)("guessing")
    seen.append(options)
    return ox.solve(position, method="exact", seconds=options["seconds"])


seen: list[dict[str, Any]] = []


@pytest.fixture
def another(declare: Callable[[str], None], monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("another_package")
    told = ProofKind(
        Told,
        FileSchema(
            "told",
            "game creator",
            lambda found: ({}, []),
            lambda head, _: Told(Game(head["game"])),
            counted=False,
        ),
        lambda found, begin=None: Verdict(found.statement, "proved", "", 1, 0.0),
        lambda found: (2, "word", "words"),
        theorem="They said so.",
        words=lambda found, name: f"{name} does not lose, they say.",
        facts=lambda found: {"told": True},
    )
    vars(module)["KINDS"] = {
        **by_first_line(told),
        b"hyperoxo-pairing 1": "never used, as the core has one",
    }
    vars(module)["SOURCE"] = Mine()
    options = (click.Option(["--luck"], type=int, default=3, help="Guess: how lucky."),)
    vars(module)["METHOD"] = Method(_guess, "a guess", "a guess", options, ("threads",))
    monkeypatch.setitem(sys.modules, "another_package", module)
    seen.clear()
    declare(ENTRIES)


@pytest.mark.usefixtures("another")
def test_a_proof_kind(tmp_path: Path) -> None:
    told = Told(Game("3^2"))
    write_proof(told, tmp_path / "told")
    verdict = verify(tmp_path / "told")
    assert (verdict.proved, verdict.claim) == (True, told.statement)
    assert KINDS[b"hyperoxo-pairing 1"].value is Pairing
    assert len(KINDS) == len([*KINDS]) == 8
    explorer = Explorer.read((tmp_path / "told").read_bytes())
    explorer.count()
    summary = explorer.summary()
    assert summary["kind"] == "told"
    assert summary["theorem"] == "They said so."
    assert summary["words"] == "Ring does not lose, they say."
    assert summary["told"] is True


@pytest.mark.usefixtures("another")
def test_a_source_of_knowledge() -> None:
    start = Game(LINES).start()
    assert bounds_by_theorems(start).high is Value.DRAW
    said = bounds_by_stored_proofs(start)
    assert (said.own.high, said.moves) == (Value.DRAW, {0: Bounds.exactly(Value.LOSS)})
    drawless = no_draw(Game("2^2"))
    assert drawless is not None
    assert drawless.reason.code is Why.NO_DRAW_BY_CASES
    assert no_draw(Game("3^2")) is None
    assert full_board(Game("3^2"), 7).owners == (1, 2, 7)
    assert SOURCES[Why.REGIONS] == "A. Nobody (2026)"
    assert SOURCES[Why.STEALING].startswith("A. Hales")
    hard = Game("3^2:bias=1+2").start()
    assert draw_by_theorem(hard, 1) == Told(hard.game, 1)


@pytest.mark.usefixtures("another")
def test_a_method_of_solving() -> None:
    assert ox.solve("2^2", method="guess", seconds=1.0).value == "win"
    assert seen.pop() == {"seconds": 1.0, "proof": None, "creator": "", "stop": None}
    with pytest.raises(ValueError, match="method is 'auto', 'exact', 'proof', 'guess' or 'plan',"):
        ox.solve("2^2", method="luck")
    with pytest.raises(ValueError, match="a guess is for the concept 'exact'"):
        ox.solve("2^2:players=3", method="guess", concept="maxn")
    words = ["solve", "2^2", "--format", "json", "-q", "--threads", "2", "--luck", "5"]
    done = oxo(*words, "--method", "guess")
    assert json.loads(done.stdout)["value"] == "win"
    options = seen.pop()
    assert (options["luck"], options["threads"], options["seconds"]) == (5, 2, 600.0)
    done = oxo(*words)
    assert (done.exit_code, "it is for --method guess" in done.stderr) == (2, True)
    shown = oxo("solve", "--help").stdout
    assert "Exact search, proof search, or a guess; auto takes" in " ".join(shown.split())
    assert "--luck" not in shown
    own = oxo("solve", "--method", "guess", "--help").stdout
    assert "Guess: how lucky." in own
    assert "--threads" in own
    assert "--width" not in own


def test_what_does_not_load_is_one_line_and_others_work(
    another: None, declare: Callable[..., None]
) -> None:
    groups = ("proofs", "sources", "methods")
    declare(ENTRIES, *(f"[hyperoxo.{name}]\nbroken = no_such_module:X\n" for name in groups))
    words = "'broken' of another package does not load: No module named 'no_such_module'"
    with pytest.warns(UserWarning, match=words):
        assert verify(proof_text(Told(Game("3^2")))).proved
    with pytest.warns(UserWarning, match=words):
        assert bounds_by_theorems(Game(LINES).start()).high is Value.DRAW
    with pytest.warns(UserWarning, match=words):
        assert [*added_methods()] == ["guess"]
    with pytest.raises(CheckFailedError, match=words):
        ox.solve("2^2", method="broken")
