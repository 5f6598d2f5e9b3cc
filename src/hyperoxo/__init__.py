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
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hyperoxo.agents import Agent, agent, check_agent
    from hyperoxo.agents.energy import Energy, energy
    from hyperoxo.board import (
        Board,
        hypercube,
        hypergraph,
        mnk,
        read_hypergraph,
        write_hypergraph,
    )
    from hyperoxo.errors import (
        AgentError,
        CheckFailedError,
        HyperoxoError,
        IllegalMoveError,
        LimitError,
        MissingExtraError,
        NotationError,
        NotSupportedError,
        SpecError,
    )
    from hyperoxo.heuristics import (
        LineHeuristic,
        PositionHeuristic,
        line_heuristic,
        position_heuristic,
    )
    from hyperoxo.lab import ResultStore, SequentialTest, match
    from hyperoxo.lab.atlas import Atlas, AtlasEntry, atlas, stored_atlas
    from hyperoxo.lab.guide import GuidedTree, guide, guided_strategy
    from hyperoxo.lab.puzzle import Puzzle, daily_puzzle, make_puzzle
    from hyperoxo.lab.study import studies, study
    from hyperoxo.lab.sweep import sweep
    from hyperoxo.lab.tournament import tournament
    from hyperoxo.learn.dataset import Dataset, dataset
    from hyperoxo.learn.scoring import score_answers
    from hyperoxo.learn.training import Training, train
    from hyperoxo.learn.truth import Exam, Mark, Truth, exam, truth
    from hyperoxo.notation import Record, convert, read, write
    from hyperoxo.pictures import picture
    from hyperoxo.position import Outcome, Position, Positions
    from hyperoxo.proof import Strategy, verify, write_strategy
    from hyperoxo.proof.breaker import BreakerPlan
    from hyperoxo.rules import Game
    from hyperoxo.solvers import Solution, solve
    from hyperoxo.solvers.coalition.forces import (
        Coalition,
        coalition,
        coalition_proof,
        coalition_strategy,
    )
    from hyperoxo.solvers.conformance import GameCheck, check_game
    from hyperoxo.solvers.draws.breaker import breaker_plan
    from hyperoxo.solvers.draws.classify import Classification, Evidence, classify
    from hyperoxo.solvers.move_values import MoveValues, move_values
    from hyperoxo.solvers.states.enumerate import States, enumerate_states
    from hyperoxo.solvers.states.graph import StateGraph
    from hyperoxo.solvers.threats.forced_wins import ForcedWins, forced_wins
    from hyperoxo.solvers.threats.sequence import (
        SequenceCheck,
        is_quiet,
        quiet_moves,
        verify_sequence,
    )
    from hyperoxo.workers import ClusterExecutor

__all__ = [
    "Agent",
    "AgentError",
    "Atlas",
    "AtlasEntry",
    "Board",
    "BreakerPlan",
    "CheckFailedError",
    "Classification",
    "ClusterExecutor",
    "Coalition",
    "Dataset",
    "Energy",
    "Evidence",
    "Exam",
    "ForcedWins",
    "Game",
    "GameCheck",
    "GuidedTree",
    "HyperoxoError",
    "IllegalMoveError",
    "LimitError",
    "LineHeuristic",
    "Mark",
    "MissingExtraError",
    "MoveValues",
    "NotSupportedError",
    "NotationError",
    "Outcome",
    "Position",
    "PositionHeuristic",
    "Positions",
    "Puzzle",
    "Record",
    "Region",
    "ResultStore",
    "SequenceCheck",
    "SequentialTest",
    "Solution",
    "SpecError",
    "StateGraph",
    "States",
    "Strategy",
    "Training",
    "Truth",
    "__version__",
    "agent",
    "atlas",
    "breaker_plan",
    "check_agent",
    "check_game",
    "classify",
    "coalition",
    "coalition_proof",
    "coalition_strategy",
    "convert",
    "daily_puzzle",
    "dataset",
    "energy",
    "enumerate_states",
    "exam",
    "forced_wins",
    "guide",
    "guided_strategy",
    "hypercube",
    "hypergraph",
    "is_quiet",
    "line_heuristic",
    "make_puzzle",
    "match",
    "mnk",
    "move_values",
    "picture",
    "position_heuristic",
    "quiet_moves",
    "read",
    "read_hypergraph",
    "regions",
    "score_answers",
    "solve",
    "stored_atlas",
    "studies",
    "study",
    "sweep",
    "tournament",
    "train",
    "truth",
    "verify",
    "verify_sequence",
    "write",
    "write_hypergraph",
    "write_strategy",
]

__version__ = "0.1.0"

_NAMES = {
    "hyperoxo.agents": "Agent agent check_agent",
    "hyperoxo.agents.energy": "Energy energy",
    "hyperoxo.board": "Board hypercube hypergraph mnk read_hypergraph write_hypergraph",
    "hyperoxo.errors": "AgentError CheckFailedError HyperoxoError IllegalMoveError LimitError "
    "MissingExtraError NotSupportedError NotationError SpecError",
    "hyperoxo.heuristics": "LineHeuristic PositionHeuristic line_heuristic position_heuristic",
    "hyperoxo.lab": "ResultStore SequentialTest match",
    "hyperoxo.lab.atlas": "Atlas AtlasEntry atlas stored_atlas",
    "hyperoxo.lab.guide": "GuidedTree guide guided_strategy",
    "hyperoxo.lab.puzzle": "Puzzle daily_puzzle make_puzzle",
    "hyperoxo.lab.study": "studies study",
    "hyperoxo.lab.sweep": "sweep",
    "hyperoxo.lab.tournament": "tournament",
    "hyperoxo.learn.training": "Training train",
    "hyperoxo.learn.dataset": "Dataset dataset",
    "hyperoxo.learn.scoring": "score_answers",
    "hyperoxo.learn.truth": "Exam Mark Truth exam truth",
    "hyperoxo.notation": "Record convert read write",
    "hyperoxo.pictures": "picture",
    "hyperoxo.position": "Outcome Position Positions",
    "hyperoxo.proof": "Strategy verify write_strategy",
    "hyperoxo.proof.breaker": "BreakerPlan",
    "hyperoxo.rules": "Game",
    "hyperoxo.solvers": "Solution solve",
    "hyperoxo.solvers.coalition.forces": "Coalition coalition coalition_proof coalition_strategy",
    "hyperoxo.solvers.conformance": "GameCheck check_game",
    "hyperoxo.solvers.draws.breaker": "breaker_plan",
    "hyperoxo.solvers.draws.classify": "Classification Evidence classify",
    "hyperoxo.solvers.draws.regions": "Region regions",
    "hyperoxo.solvers.move_values": "MoveValues move_values",
    "hyperoxo.solvers.states.enumerate": "States enumerate_states",
    "hyperoxo.solvers.states.graph": "StateGraph",
    "hyperoxo.solvers.threats.forced_wins": "ForcedWins forced_wins",
    "hyperoxo.solvers.threats.sequence": "SequenceCheck is_quiet quiet_moves verify_sequence",
    "hyperoxo.workers": "ClusterExecutor",
}
_HOME_OF = {name: home for home, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Load a public name from its home and keep it."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'hyperoxo' has no attribute {name!r}")
    home = importlib.import_module(_HOME_OF[name])
    return globals().setdefault(name, getattr(home, name))


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(set(globals()) | set(__all__))
