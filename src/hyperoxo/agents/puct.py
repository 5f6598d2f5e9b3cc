"""Tree search guided by a line heuristic, for two players or more."""

from __future__ import annotations

from dataclasses import replace

from hyperoxo.agents.mcts import MctsAgent, lines_heuristic
from hyperoxo.agents.options import int_option, number_option
from hyperoxo.agents.tree_search import TreeSettings
from hyperoxo.heuristics import LineHeuristic

EXPLORATION = 1.0
HEURISTIC = "ising"


class PuctAgent(MctsAgent):
    """Grows a tree whose moves and leaves a line heuristic judges, in place of simulated games.

    Promising moves are tried first and more often. At every new leaf it looks for a win by
    threats, in at most `leaf` positions, and at the root in a thousand times as many.
    """

    name = "puct"
    title = "Guided tree search"
    opponents = (("Guided tree search", "puct:simulations=1000"),)

    def __init__(
        self,
        simulations: int | str | None = None,
        seconds: float | str | None = None,
        heuristic: str | LineHeuristic = HEURISTIC,
        c: float | str = EXPLORATION,
        temperature: float | str = 1.0,
        leaf: int | str = TreeSettings.threats,
        nodes: int | str = TreeSettings.nodes,
        reuse: str = "off",
        ties: str = "random",
    ) -> None:
        super().__init__(simulations, seconds, c, nodes=nodes, reuse=reuse, ties=ties)
        guide = lines_heuristic(heuristic, "guided trees")
        self.settings = replace(guided(self.settings, temperature, leaf), guide=guide)


def guided(settings: TreeSettings, temperature: float | str, leaf: int | str) -> TreeSettings:
    """Return settings with the options that guided trees have beside those of plain ones."""
    return replace(
        settings,
        temperature=number_option("temperature", temperature, 1e-6, 1e6),
        threats=int_option("leaf", leaf, 0, 10**9),
    )
