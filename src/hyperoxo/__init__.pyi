# The public names of hyperoxo, each with its home; `__init__.py` loads them at their first use.

import functools
import typing

from .agents import Agent as Agent, agent as agent, check_agent as check_agent
from .agents.energy import Energy as Energy, energy as energy
from .board import (
    Board as Board,
    hypercube as hypercube,
    hypergraph as hypergraph,
    mnk as mnk,
    read_hypergraph as read_hypergraph,
    write_hypergraph as write_hypergraph,
)
from .errors import (
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
from .game import (
    Game as Game,
    Outcome as Outcome,
    Position as Position,
    Positions as Positions,
)
from .heuristics import (
    LineHeuristic as LineHeuristic,
    PositionHeuristic as PositionHeuristic,
    line_heuristic as line_heuristic,
    position_heuristic as position_heuristic,
)
from .lab import ResultStore as ResultStore, SequentialTest as SequentialTest
from .lab.guide import (
    GuidedTree as GuidedTree,
    guide as guide,
    guided_strategy as guided_strategy,
)
from .lab.match import match as match
from .lab.puzzle import (
    Puzzle as Puzzle,
    daily_puzzle as daily_puzzle,
    make_puzzle as make_puzzle,
)
from .lab.sweep import sweep as sweep
from .lab.tournament import tournament as tournament
from .learn.learner import Learner as Learner
from .learn.training import Training as Training, train as train
from .learn.truth import (
    Exam as Exam,
    Mark as Mark,
    ScoreCheck as ScoreCheck,
    Truth as Truth,
    check_scores as check_scores,
    exam as exam,
    truth as truth,
)
from .notation import Record as Record, convert as convert, read as read, write as write
from .pictures.picture import picture as picture
from .proof import (
    Strategy as Strategy,
    verify as verify,
    write_strategy as write_strategy,
)
from .solvers import Solution as Solution, solve as solve
from .solvers.coalition.forces import (
    Coalition as Coalition,
    coalition as coalition,
    coalition_proof as coalition_proof,
)
from .solvers.conformance import GameCheck as GameCheck, check_game as check_game
from .solvers.move_values import (
    MoveValues as MoveValues,
    move_values as move_values,
    solve_many as solve_many,
)
from .solvers.states.enumerate import (
    States as States,
    enumerate_states as enumerate_states,
)
from .solvers.states.graph import StateGraph as StateGraph
from .solvers.threats.forced_wins import (
    ForcedWins as ForcedWins,
    forced_wins as forced_wins,
)
from .solvers.threats.sequence import (
    SequenceCheck as SequenceCheck,
    is_quiet as is_quiet,
    quiet_moves as quiet_moves,
    verify_sequence as verify_sequence,
)
from .workers import ClusterExecutor as ClusterExecutor

__version__: str

_added: functools._lru_cache_wrapper[dict[str, str]]

def __getattr__(name: str) -> typing.Any: ...  # names that other packages add
