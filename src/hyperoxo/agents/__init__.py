"""Agents: programs that choose moves."""

# `base` has the contract: an agent gets a position and its randomness, and returns a legal move; it
# keeps nothing between games. `spec` makes agents from text, `options` reads their options. By
# method: `scored` (line heuristics, one ply), `minimax` (alpha-beta, max^n), `tree_search` with
# `mcts` (UCT, and PUCT guided by a heuristic), `network` with `alphazero`, `threats`, `pairing` and
# `proof`. `expert` combines them; `level` weakens it for people.

from hyperoxo.agents.base import Agent, Explanation, Seat
from hyperoxo.agents.conformance import check_agent
from hyperoxo.agents.level import LEVELS, Level
from hyperoxo.agents.spec import (
    AGENTS,
    agent,
    agent_names,
    default_opponent,
    opponents,
    registered,
    title,
)

__all__ = [
    "AGENTS",
    "LEVELS",
    "Agent",
    "Explanation",
    "Level",
    "Seat",
    "agent",
    "agent_names",
    "check_agent",
    "default_opponent",
    "opponents",
    "registered",
    "title",
]
