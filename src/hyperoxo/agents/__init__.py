"""Agents: programs that choose moves."""

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
