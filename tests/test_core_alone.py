"""The core without the other packages: what works, and one line on each thing that is not known."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import hyperoxo as ox
from hyperoxo.agents import agent_names
from hyperoxo.errors import AgentError, CheckFailedError, SpecError
from hyperoxo.game import Game
from hyperoxo.lab.requests import RunRequest, carry_out
from hyperoxo.play.explorer import refused
from hyperoxo.proof import KINDS, verify
from hyperoxo.proof.stored import stored_file
from hyperoxo.solvers.sources import bounds_by_stored_proofs, full_board
from tests import command
from tests.command import refusal

RESEARCH = (
    *("breaker", "filling", "filling-cases", "full-board", "no-draw", "no-pairing", "region"),
    "table-bound",
)
MISSING = "hyperoxo_research, which is not installed"


@pytest.fixture(autouse=True)
def _alone(core_alone: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delattr(ox, "classify", raising=False)


def oxo(line: str) -> Result:
    return command.oxo(*line.split())


def test_help_lists_the_commands_of_the_core() -> None:
    shown = oxo("--help").stdout
    listed = {line.split()[0] for line in shown.splitlines() if line.startswith("  ")}
    assert listed >= {"play", "match", "sweep", "solve", "verify", "warmup"}
    assert not listed & {"serve", "classify", "atlas", "study", "bench", "ladder"}


def test_the_core_works_alone() -> None:
    for line in (
        "play 3^2 random random",
        "match 3^2 random greedy --games 4 --no-store",
        "solve 3^2 --proof proof.oxo",
        "verify proof.oxo",
        "board 3^2 --draw",
    ):
        answer = oxo(line)
        assert answer.exit_code == 0, (line, answer.stderr)
        assert answer.stdout


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("classify 3^2", "'oxo classify' comes with hyperoxo_research"),
        ("serve", "'oxo serve' comes with hyperoxo_web"),
        ("prove quiet 3^3", "'oxo prove quiet' comes with hyperoxo_research"),
        ("draw map 3^2", "'oxo draw map' comes with hyperoxo_research"),
        ("match 3^2 breaker random", "agent 'breaker' comes with hyperoxo_research"),
        ("board 3^2 --draw --out -", "the picture comes with hyperoxo_research"),
        ("train 3^2 ppo", "the learner 'ppo' comes with hyperoxo_research"),
        ("board 3^2 --draws", "full boards need hyperoxo_research"),
        ("solve 7^3 --method plan", "the method 'plan' comes with hyperoxo_research"),
    ],
)
def test_a_missing_package_is_named(line: str, said: str) -> None:
    name = "" if line.startswith(("classify", "serve")) else f" {line.partition(' ')[0]}"
    assert refusal(oxo(line), 1) == f"oxo{name}: {said}, which is not installed\n"


def test_missing_names_agents_and_runs_are_named() -> None:
    assert {"Game", "solve"} <= {*ox.__all__}
    assert "classify" not in {*ox.__all__, *dir(ox)}
    with pytest.raises(AttributeError, match="'classify'; more names come with hyperoxo_research"):
        _ = ox.classify
    with pytest.raises(AgentError, match="agent 'breaker' comes with hyperoxo_research"):
        ox.agent("breaker")
    assert "breaker" not in agent_names()
    with pytest.raises(SpecError, match="runs of match, tournament, sweep, not 'study'"):
        carry_out(RunRequest("study", options={"study": "ising"}))


def test_kinds_of_proofs() -> None:
    assert not {f"hyperoxo-{name} 1".encode() for name in RESEARCH} & KINDS.keys()
    assert len(KINDS) == 7


@pytest.mark.parametrize("name", RESEARCH)
def test_a_file_of_research_says_who_reads_it(name: str, tmp_path: Path) -> None:
    data = f"hyperoxo-{name} 1\n".encode()
    reason = f"a proof of the kind '{name} 1' is read by {MISSING}"
    assert verify(data).reason == reason
    assert refused(data) == f"the checker rejects this proof: {reason}"
    file = tmp_path / "proof"
    file.write_bytes(data)
    assert reason in oxo(f"verify {file}").stdout
    shown = oxo(f"proof show {file}")
    assert (shown.exit_code, shown.stderr) == (2, f"oxo proof: {file}: {reason}\n")
    with pytest.raises(ValueError, match=f"the file holds no pairing: {reason}"):
        ox.agent(f"pairing:pairs={file}").check(Game("5^2"))


def test_a_file_of_nobody_says_so() -> None:
    reason = "a proof of the kind 'breaker 2' is read by a package that is not installed"
    assert verify(b"hyperoxo-breaker 2\n").reason == reason
    assert verify(b"hyperoxo-breaker 02\n").reason == "this is not a proof file"


def test_a_stored_plan_is_a_file_of_research() -> None:
    assert MISSING in verify(stored_file("breaker-7-3.oxo", package="hyperoxo_research")).reason
    listed = oxo("proof stored").stdout
    assert "4^3:opening=poorx5" in listed
    assert "7^3" not in listed


@pytest.mark.parametrize("spec", ["6^3", "7^3:convention=maker-breaker"])
def test_nothing_is_known_of_a_board_that_research_decides(spec: str) -> None:
    said = bounds_by_stored_proofs(Game(spec).start())
    assert (said.own.reasons, said.own.decided, said.moves) == ((), False, {})


def test_solve_says_what_is_missing() -> None:
    done = oxo("solve 6^3 --nodes 1 --method exact --value-only")
    assert "player 1, to move, can force something between draw and win" in done.stdout
    assert "hyperoxo_research, which knows more games, is not installed" in done.stderr
    done = oxo("solve 3^2 --value-only")
    assert "hyperoxo_research" not in done.stderr


def test_the_method_of_research_is_named() -> None:
    with pytest.raises(CheckFailedError, match=f"the method 'plan' comes with {MISSING}"):
        ox.solve("7^3", method="plan")
    assert "--keys" not in oxo("solve --help").stdout


def test_full_boards_are_sought_by_research() -> None:
    with pytest.raises(CheckFailedError, match=f"full boards need {MISSING}"):
        full_board(Game("3^2"))


def test_readings_of_published_programs_are_named() -> None:
    for name, reading in (("minimax", "published"), ("ising", "doubled")):
        with pytest.raises(SpecError, match=f"reading={reading} comes with {MISSING}"):
            ox.agent(f"{name}:reading={reading}")


def test_what_others_register_still_counts(declare: Callable[[str], None]) -> None:
    declare("[hyperoxo.sources]\nresearch = hyperoxo_research.sources:SOURCE\n")
    assert bounds_by_stored_proofs(Game("6^3").start()).own.reasons
    assert len(KINDS) == 7
