"""Monte-Carlo tree search agents: UCT with playouts, PUCT guided by a line heuristic."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import ClassVar

from hyperoxo.agents import tree_search
from hyperoxo.agents.base import (
    Explanation,
    Randomness,
    ThinkingAgent,
    because,
    drawn,
    generator,
    hurried,
    moves_of,
)
from hyperoxo.agents.options import (
    choice_option,
    int_option,
    number_option,
    seconds_option,
    spelled,
)
from hyperoxo.agents.scored import TIES
from hyperoxo.errors import SpecError
from hyperoxo.game import Game, Position, Why
from hyperoxo.game.messages import in_plies, share_of
from hyperoxo.heuristics import LineHeuristic, as_heuristic
from hyperoxo.jit import working_time
from hyperoxo.task import ALONE, Task

_DEFAULTS = tree_search.TreeSettings()
_MOST = 10**9
# Simulations times cells: at most so many stones are played in some ten milliseconds.
_QUICK_STONES = 300_000
GUIDED_EXPLORATION = 1.0
GUIDE = "ising"


class MctsAgent(ThinkingAgent):
    """Grows a tree by playouts and plays a proven win, or the move with the most visits.

    Proven wins, losses and draws are backed up exactly, for any number of players; the search ends
    when its root is proven. Draws count half a win.
    """

    name = "mcts"
    title = "Tree search"
    opponents = (("Tree search, 2,000 games", "mcts:simulations=2000"),)
    usual: ClassVar[int | None] = _DEFAULTS.simulations
    """Simulations unless they or seconds are given."""

    def __init__(
        self,
        simulations: int | str | None = None,
        seconds: float | str | None = None,
        c: float | str = _DEFAULTS.exploration,
        rave: float | str = 0.0,
        playout: str | LineHeuristic = "uniform",
        epsilon: float | str = _DEFAULTS.randomness,
        nodes: int | str = _DEFAULTS.nodes,
        reuse: str = "off",
        ties: str = "random",
    ) -> None:
        if simulations is not None:
            simulations = int_option("simulations", simulations, 1, _MOST)
        elif seconds is None:
            simulations = self.usual
        self.settings = tree_search.TreeSettings(
            simulations,
            seconds_option(seconds, 0.0),
            number_option("c", c, 0.0, 1e6),
            number_option("rave", rave, 0.0, 1e9),
            None if playout == "uniform" else lines_heuristic(playout, "mcts playouts"),
            number_option("epsilon", epsilon, 0.0, 1.0),
            int_option("nodes", nodes, 1, 2**31 - 1),
        )
        self.reuse = choice_option("reuse", reuse, ("off", "on"))
        self.ties = choice_option("ties", ties, TIES)
        self._last: tuple[tree_search.SearchTree, tree_search.SearchTree | None] | None = None

    @property
    def spec(self) -> str:
        """Spelling of the agent."""
        chosen = self.settings
        usual = chosen.seconds is None and chosen.simulations == self.usual
        return spelled(
            self,
            simulations=None if usual else chosen.simulations,
            seconds=chosen.seconds,
            c=chosen.exploration,
            rave=chosen.rave,
            playout=chosen.playout or "uniform",
            epsilon=chosen.randomness,
            nodes=chosen.nodes,
            heuristic=chosen.guide,
            temperature=chosen.temperature,
            leaf=chosen.threats,
        )

    @property
    def heuristic(self) -> object:
        """Heuristic of the playouts or the leaves, or None."""
        return self.settings.playout or self.settings.guide

    @property
    def seconds_a_move(self) -> float | None:
        """Time limit per move, in seconds."""
        return self.settings.seconds

    def check(self, game: Game) -> None:
        """Refuse games that tree search does not support."""
        tree_search.check_trees(game, self.settings_for(game))

    def settings_for(self, game: Game) -> tree_search.TreeSettings:
        """Return the tree settings for a game."""
        return self.settings

    def quick(self, game: Game) -> bool:
        """True if every move is quick: with few simulated games on a small board."""
        simulations = self.settings.simulations
        timed = self.settings.seconds is not None or simulations is None
        return not timed and (simulations or 0) * game.cells <= _QUICK_STONES

    def choose(self, position: Position, rng: Randomness = None) -> int:
        """Choose a move by search; see :meth:`Agent.choose`."""
        moves = moves_of(position)
        if len(moves) == 1:
            return moves[0]
        return self._search(position, rng)[1].cell

    def think(self, position: Position, rng: Randomness = None, task: Task = ALONE) -> Explanation:
        """Choose the best move of a tree that grows until the task ends; see `Agent.think`."""
        tree, chosen = self._search(position, rng, tree_search.thoughtful(task))
        candidates = tuple((move.cell, move.value) for move in tree.moves())
        found = Explanation(chosen.cell, candidates, simulation_reason(tree, chosen))
        return hurried(found) if task.stopped else found

    def _search(
        self, position: Position, rng: Randomness, task: Task = ALONE
    ) -> tuple[tree_search.SearchTree, tree_search.RootMove]:
        begin = working_time()
        random = generator(rng)
        seed = int(random.integers(2**63))
        base = self._base(position)
        settings = self.settings_for(position.game)
        tree = tree_search.grow_tree(position, settings, seed, base=base, task=task)
        # With `reuse`, the next move begins with the statistics of the subtree that is entered.
        if self.reuse == "on":
            self._last = tree, base
        hopeful = tree_search.hopeful_moves(tree, settings, seed, begin, task=task)
        return tree, drawn(hopeful, random, self.ties)

    def _base(self, position: Position) -> tree_search.SearchTree | None:
        """Return the earlier tree to graft from, if it contains the position."""
        # The same position asked again must give the same move: then begin with the tree that the
        # last search began with, not with its result.
        if self._last is None:
            return None
        tree, earlier = self._last
        if tree.node_of(position) is None:
            return None
        return earlier if len(position.history) == len(tree.position.history) else tree


class PuctAgent(MctsAgent):
    """Grows a tree with priors and leaf values from a line heuristic, in place of playouts.

    At every new leaf it searches for a win by threats, in at most `leaf` positions, and at the root
    in a thousand times as many.
    """

    name = "puct"
    title = "Guided tree search"
    opponents = (("Guided tree search", "puct:simulations=1000"),)

    def __init__(
        self,
        simulations: int | str | None = None,
        seconds: float | str | None = None,
        heuristic: str | LineHeuristic = GUIDE,
        c: float | str = GUIDED_EXPLORATION,
        temperature: float | str = _DEFAULTS.temperature,
        leaf: int | str = _DEFAULTS.threats,
        nodes: int | str = _DEFAULTS.nodes,
        reuse: str = "off",
        ties: str = "random",
    ) -> None:
        super().__init__(simulations, seconds, c, nodes=nodes, reuse=reuse, ties=ties)
        self.settings = replace(
            self.settings,
            guide=lines_heuristic(heuristic, "guided trees"),
            temperature=number_option("temperature", temperature, 1e-6, 1e6),
            threats=int_option("leaf", leaf, 0, 10**9),
        )


def lines_heuristic(given: object, taker: str) -> LineHeuristic:
    """Return a heuristic of lines, given as such or by name."""
    heuristic = as_heuristic(given)
    if heuristic.on_neighbours:
        raise SpecError(f"{taker} take heuristics of lines, not of neighbours")
    return heuristic


def simulation_reason(tree: tree_search.SearchTree, chosen: tree_search.RootMove) -> str:
    """Return a sentence with the result of a tree search for a root move."""
    say = partial(because, position=tree.position, cell=chosen.cell)
    if not chosen.proven:
        share, games = share_of(chosen.value), tree.visits
        why = Why.TREE_WORTH if tree.guided else Why.TREE_SCORE
        return say(why, share=share, visits=chosen.visits, games=games)
    if chosen.value == 0.5:
        rest = "" if tree.outcome is None else ", and no move wins"
        return say(Why.TREE_DRAW, rest=rest)
    two = tree.position.game.players == 2
    # In a lost position the chosen move need not be the one that lasts longest.
    distance = chosen.distance if chosen.value else max(move.distance for move in tree.moves())
    within = in_plies(distance + 1, before=" within ") if two else ""
    end = Why.TREE_WIN if chosen.value == 1.0 else Why.TREE_LOSS
    return say(end, within=within)
