"""Completion: what is suggested, that the tables are those of the program, and real shells."""

from __future__ import annotations

import inspect
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

import hyperoxo as ox
from hyperoxo.agents.base import HumanAgent
from hyperoxo.agents.spec import agent_names, registered
from hyperoxo.cli import completion
from hyperoxo.heuristics import HEURISTICS
from tests.processes import python

agents, games = (
    partial(suggest, None, None)
    for suggest in (completion.complete_agent, completion.complete_game)
)

STARTER = f"#!{sys.executable}\nfrom hyperoxo.cli.main import main\nmain()\n"
ON_TERMINAL = "import os, sys; os.login_tty(0); os.execvp(sys.argv[1], sys.argv[1:])"
HEAVY = (
    "import sys\n"
    "from hyperoxo.cli.main import main\n"
    "try:\n"
    "    main()\n"
    "finally:\n"
    "    heavy = {'numba', 'scipy', 'rich', 'hyperoxo.agents'} & sys.modules.keys()\n"
    "    assert not heavy, heavy\n"
)


def suggested(line: str, program: str = HEAVY) -> list[str]:
    """Ask a process as Bash does; what is suggested may load nothing heavy."""
    asked = os.environ | {"_OXO_COMPLETE": "bash_complete", "COMP_WORDS": line}
    done = python("-c", program, env=asked)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "some"),
    [
        ("oxo so", "plain,solve"),
        ("oxo solve ", "plain,4^3"),
        ("oxo solve 4^3:grav", "plain,4^3:gravity"),
        pytest.param(
            "oxo solve 4^3:gravity,convention=m",
            "plain,4^3:gravity,convention=maker-breaker",
            marks=pytest.mark.more,
        ),
        ("oxo match 4^3 exp", "plain,expert"),
        ("oxo train 4^3 al", "plain,alphazero"),
        ("oxo match 4^3 random mcts:sim", "plain,mcts:simulations="),
        ("oxo sweep 3^3 --versus minimax:heuristic=tr", "plain,minimax:heuristic=traps"),
        ("oxo play 3^2 level:", "plain,level:8"),
        ("oxo values 3", "plain,3^3"),
        ("oxo solve 3^2 --pro", "plain,--proof"),
        ("oxo proof st", "plain,stored"),
        ("oxo verify ", "file,"),
        ("oxo picture some", "file,some"),
    ],
)
def test_what_may_follow_is_suggested(line: str, some: str) -> None:
    assert some in suggested(line)


@pytest.mark.parametrize("name", agent_names())
def test_the_options_of_an_agent_are_those_that_it_takes(name: str) -> None:
    taken = [*inspect.signature(registered().get(name, HumanAgent)).parameters]
    if name in ("level", "human"):
        taken = []  # a level is spelled by its number alone, and people are asked on the screen
    assert completion.AGENTS[name].split() == taken


def test_the_agents_are_those_of_the_program() -> None:
    assert (*completion.AGENTS,) == agent_names()
    offered = {item.value for item in agents("minimax:heuristic=")}
    assert offered == {f"minimax:heuristic={name}" for name in HEURISTICS}
    for item in agents("level:"):
        ox.agent(item.value)
    assert agents("level:9") == agents("chess:") == []


def test_every_suggested_board_is_one() -> None:
    for board in completion.BOARDS:
        assert str(ox.Game(board)) == board


def test_whole_options_of_games_read_back() -> None:
    for item in games("3^3:"):
        if not item.value.endswith("="):
            ox.Game(item.value)
    for item in games("3^3:blocked="):
        ox.Game(item.value)


def test_an_option_is_suggested_once() -> None:
    assert "4^3:players=3,players=" not in [item.value for item in games("4^3:players=3,")]
    assert "mcts:c=1,c=" not in [item.value for item in agents("mcts:c=1,")]
    assert games("4^3:colour=") == agents("mcts:colour=") == []


class Shell:
    """An interactive shell behind a terminal of its own, with `oxo` on its path."""

    setup = (
        ("bash", ("--norc", "--noprofile", "-i"), 'eval "$(_OXO_COMPLETE=bash_source oxo)"'),
        (
            "zsh",
            ("-f", "-i"),
            'autoload -U compinit; compinit -u -D; eval "$(_OXO_COMPLETE=zsh_source oxo)"',
        ),
        (
            "fish",
            ("--no-config", "-i"),
            "function fish_prompt; echo 'ready '; end; _OXO_COMPLETE=fish_source oxo | source",
        ),
    )

    def __init__(self, name: str, folder: Path) -> None:
        if shutil.which(name) is None:
            pytest.skip(f"{name} is not installed")
        program = folder / "oxo"
        program.write_text(STARTER)
        program.chmod(0o755)
        options, loading = next((one[1], one[2]) for one in self.setup if one[0] == name)
        path = f"{folder}:{os.environ['PATH']}"
        self.terminal, inside = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", ON_TERMINAL, name, *options],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            env={**os.environ, "PATH": path, "HOME": str(folder), "TERM": "dumb", "PS1": "ready "},
            cwd=folder,
        )
        os.close(inside)
        self.answer(f"{loading}; printf '<%s>' load ed\n", "load")

    def answer(self, keys: str, first: str) -> list[str]:
        """Send keys; return the words printed then from the first one on, before a new prompt."""
        os.write(self.terminal, keys.encode())
        seen = ""
        end = time.monotonic() + 120
        while (found := re.search(rf"<{first}>((<[^<>]*>)+).*?ready ", seen, re.DOTALL)) is None:
            left = max(0.0, end - time.monotonic())
            assert select.select([self.terminal], [], [], left)[0], seen
            seen += os.read(self.terminal, 4096).decode(errors="replace")
        return found[1].strip("<>").split("><")

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)


@pytest.fixture(scope="module", params=[name for name, *_ in Shell.setup])
def shell(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shell]:
    started = Shell(request.param, tmp_path_factory.mktemp("shell"))
    yield started
    started.end()


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("perf", ["perft", "END"]),
        ("solve 4^3:grav", ["solve", "4^3:gravity", "END"]),
        ("solve 4^3:gravity,conv", ["solve", "4^3:gravity,convention=END"]),
        ("solve 4^3:convention=m", ["solve", "4^3:convention=maker-breaker", "END"]),
        ("match 4^3 random mcts:simu", ["match", "4^3", "random", "mcts:simulations=END"]),
        ("match 4^3 mcts:c=1,ties=lo", ["match", "4^3", "mcts:c=1,ties=lowest", "END"]),
        ("solve 3^2 --mem", ["solve", "3^2", "--memory", "END"]),
    ],
)
def test_a_shell_completes(shell: Shell, typed: str, completed: list[str]) -> None:
    # What was completed is printed by a command put before it: the line's start is Control-A.
    assert shell.answer(f"oxo {typed}\tEND\x01printf '<%s>' \n", "oxo") == completed
