"""Generalised tic-tac-toe on n^d boards and any other hypergraph: rules, agents, measurements.

Every public name is loaded when it is first used, so that ``import hyperoxo`` costs nothing.

Examples
--------
>>> import hyperoxo as ox
>>> ox.Game("3^2").start().play(4).to_move
2
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hyperoxo.agents import Agent as Agent, agent as agent, check_agent as check_agent
    from hyperoxo.agents.energy import Energy as Energy, energy as energy
    from hyperoxo.board import (
        Board as Board,
        hypercube as hypercube,
        hypergraph as hypergraph,
        mnk as mnk,
        read_hypergraph as read_hypergraph,
        write_hypergraph as write_hypergraph,
    )
    from hyperoxo.errors import (
        AgentError as AgentError,
        CheckFailedError as CheckFailedError,
        HyperoxoError as HyperoxoError,
        IllegalMoveError as IllegalMoveError,
        LimitError as LimitError,
        MissingExtraError as MissingExtraError,
        NotationError as NotationError,
        NotSupportedError as NotSupportedError,
        SpecError as SpecError,
    )
    from hyperoxo.game import (
        Game as Game,
        Outcome as Outcome,
        Position as Position,
        Positions as Positions,
    )
    from hyperoxo.heuristics import (
        LineHeuristic as LineHeuristic,
        PositionHeuristic as PositionHeuristic,
        line_heuristic as line_heuristic,
        position_heuristic as position_heuristic,
    )
    from hyperoxo.lab import ResultStore as ResultStore, SequentialTest as SequentialTest
    from hyperoxo.lab.guide import (
        GuidedTree as GuidedTree,
        guide as guide,
        guided_strategy as guided_strategy,
    )
    from hyperoxo.lab.match import match as match
    from hyperoxo.lab.puzzle import (
        Puzzle as Puzzle,
        daily_puzzle as daily_puzzle,
        make_puzzle as make_puzzle,
    )
    from hyperoxo.lab.sweep import sweep as sweep
    from hyperoxo.lab.tournament import tournament as tournament
    from hyperoxo.learn.training import Training as Training, train as train
    from hyperoxo.learn.truth import (
        Exam as Exam,
        Mark as Mark,
        Truth as Truth,
        exam as exam,
        truth as truth,
    )
    from hyperoxo.notation import Record as Record, convert as convert, read as read, write as write
    from hyperoxo.pictures.picture import picture as picture
    from hyperoxo.proof import (
        Strategy as Strategy,
        verify as verify,
        write_strategy as write_strategy,
    )
    from hyperoxo.solvers import Solution as Solution, solve as solve
    from hyperoxo.solvers.coalition.forces import (
        Coalition as Coalition,
        coalition as coalition,
        coalition_proof as coalition_proof,
        coalition_strategy as coalition_strategy,
    )
    from hyperoxo.solvers.conformance import GameCheck as GameCheck, check_game as check_game
    from hyperoxo.solvers.move_values import MoveValues as MoveValues, move_values as move_values
    from hyperoxo.solvers.states.enumerate import (
        States as States,
        enumerate_states as enumerate_states,
    )
    from hyperoxo.solvers.states.graph import StateGraph as StateGraph
    from hyperoxo.solvers.threats.forced_wins import (
        ForcedWins as ForcedWins,
        forced_wins as forced_wins,
    )
    from hyperoxo.solvers.threats.sequence import (
        SequenceCheck as SequenceCheck,
        is_quiet as is_quiet,
        quiet_moves as quiet_moves,
        verify_sequence as verify_sequence,
    )
    from hyperoxo.workers import ClusterExecutor as ClusterExecutor

__version__ = "0.1.0"

_NAMES = {
    "hyperoxo.agents": "Agent agent check_agent",
    "hyperoxo.agents.energy": "Energy energy",
    "hyperoxo.board": "Board hypercube hypergraph mnk read_hypergraph write_hypergraph",
    "hyperoxo.errors": "AgentError CheckFailedError HyperoxoError IllegalMoveError LimitError "
    "MissingExtraError NotSupportedError NotationError SpecError",
    "hyperoxo.game": "Game Outcome Position Positions",
    "hyperoxo.heuristics": "LineHeuristic PositionHeuristic line_heuristic position_heuristic",
    "hyperoxo.lab": "ResultStore SequentialTest",
    "hyperoxo.lab.match": "match",
    "hyperoxo.lab.guide": "GuidedTree guide guided_strategy",
    "hyperoxo.lab.puzzle": "Puzzle daily_puzzle make_puzzle",
    "hyperoxo.lab.sweep": "sweep",
    "hyperoxo.lab.tournament": "tournament",
    "hyperoxo.learn.training": "Training train",
    "hyperoxo.learn.truth": "Exam Mark Truth exam truth",
    "hyperoxo.notation": "Record convert read write",
    "hyperoxo.pictures.picture": "picture",
    "hyperoxo.proof": "Strategy verify write_strategy",
    "hyperoxo.solvers": "Solution solve",
    "hyperoxo.solvers.coalition.forces": "Coalition coalition coalition_proof coalition_strategy",
    "hyperoxo.solvers.conformance": "GameCheck check_game",
    "hyperoxo.solvers.move_values": "MoveValues move_values",
    "hyperoxo.solvers.states.enumerate": "States enumerate_states",
    "hyperoxo.solvers.states.graph": "StateGraph",
    "hyperoxo.solvers.threats.forced_wins": "ForcedWins forced_wins",
    "hyperoxo.solvers.threats.sequence": "SequenceCheck is_quiet quiet_moves verify_sequence",
    "hyperoxo.workers": "ClusterExecutor",
}
_MORE = "; more names come with hyperoxo_research, which is not installed"
_HOME_OF = {name: home for home, names in _NAMES.items() for name in names.split()}


@cache
def _added() -> dict[str, str]:
    """Return the homes of the names that extensions add, such as the research package."""
    from hyperoxo.registry import loaded

    found: dict[str, str] = {}
    for _, homes in loaded("hyperoxo.names", report=lambda _: None):
        for home, names in homes.items():
            found |= {name: home for name in names.split() if name not in _HOME_OF}
    return found


def __getattr__(name: str) -> Any:
    """Load a public name from its home and keep it."""
    if name == "__all__":
        return sorted(["__version__", *_HOME_OF, *_added()])
    home = _HOME_OF.get(name) or (None if name.startswith("_") else _added().get(name))
    if home is None:
        from hyperoxo.extensions import extensions

        has_more = "" if "research" in extensions("hyperoxo.names") else _MORE
        raise AttributeError(f"module 'hyperoxo' has no attribute {name!r}{has_more}")
    return globals().setdefault(name, getattr(importlib.import_module(home), name))


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *_HOME_OF, *_added()})
