"""Wrapper for every agent: threats first."""

from __future__ import annotations

from hyperoxo.agents.base import Agent, Explanation, Randomness, because, moves_of
from hyperoxo.game import Game, Position, Why, cell_name
from hyperoxo.solvers.threats.search import THREATS, ThreatResult, ThreatSearch
from hyperoxo.task import ALONE, Task

_NODES = 200_000


def threat_reply(position: Position, found: ThreatResult) -> tuple[int, str] | None:
    """Return a move from the result of a threat search, with its reason; None without one."""
    if found.immediate:
        return found.immediate[0], because(Why.COMPLETES, position, found.immediate[0])
    if found.status == "win":
        # Attacker and defender alternate, and the attacker has the last move.
        steps = len(found.line) // 2 + 1
        line = "-".join(cell_name(position.game, cell) for cell in found.line)
        why = because(Why.FORCED_WIN, position, found.line[0], moves=steps, line=line)
        return found.line[0], why
    blocks = [cell for cell in found.forced if cell in position.legal_moves]
    return (blocks[0], because(Why.STOPS, position, blocks[0])) if blocks else None


class ThreatAgent(Agent):
    """An agent that plays threats first, and otherwise as the agent it wraps.

    Its spec is that of the other agent with the option ``threats=on``.
    """

    name = "threats"

    def __init__(self, inner: Agent) -> None:
        self.inner = inner

    @property
    def spec(self) -> str:
        """Spelling of the agent."""
        inner = self.inner.spec
        return f"{inner}{',' if ':' in inner else ':'}threats=on"

    @property
    def repeatable(self) -> bool:
        """True if the same seed gives the same move."""
        return self.inner.repeatable

    @property
    def seconds_a_move(self) -> float | None:
        """The time limit of the other agent."""
        return self.inner.seconds_a_move

    def check(self, game: Game) -> None:
        """Refuse the games that the other agent refuses."""
        self.inner.check(game)

    def choose(self, position: Position, rng: Randomness = None) -> int:
        """Choose a move; see :meth:`Agent.choose`."""
        reply = self._reply(position)
        return self.inner.choose(position, rng) if reply is None else reply.move

    def explain(self, position: Position, rng: Randomness = None) -> Explanation | None:
        """Choose a move and explain it; without threats as the other agent does."""
        return self._reply(position) or self.inner.explain(position, rng)

    def think(self, position: Position, rng: Randomness = None, task: Task = ALONE) -> Explanation:
        """Choose a move; the other agent's search ends with the task."""
        return self._reply(position) or self.inner.think(position, rng, task)

    def _reply(self, position: Position) -> Explanation | None:
        moves_of(position)
        if not THREATS.accepts(position.game):
            return None
        found = ThreatSearch(position.game).forced_win(position, node_limit=_NODES, shortest=True)
        reply = threat_reply(position, found)
        return None if reply is None else Explanation.of(*reply, 1.0)
