"""The core without the other packages: what works, and what is said of the rest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result

import hyperoxo as ox
from hyperoxo.agents import agent_names
from hyperoxo.errors import AgentError, SpecError
from hyperoxo.lab.requests import RunRequest, carry_out
from tests import command
from tests.declared import declared


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delattr(ox, "classify", raising=False)
    with declared():
        yield


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
        ("classify 3^2", "oxo: 'oxo classify' comes with hyperoxo_research"),
        ("serve", "oxo: 'oxo serve' comes with hyperoxo_web"),
        ("match 3^2 breaker random", "oxo match: agent 'breaker' comes with hyperoxo_research"),
        ("board 3^2 --draw --out -", "oxo board: the picture comes with hyperoxo_research"),
    ],
)
def test_a_missing_package_is_named(line: str, said: str) -> None:
    answer = oxo(line)
    assert (answer.exit_code, answer.stdout) == (1, "")
    assert answer.stderr == f"{said}, which is not installed\n"


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
