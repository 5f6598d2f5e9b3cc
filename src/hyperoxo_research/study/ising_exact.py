"""Exact outcome probabilities of random play and the Ising agent by backward induction.

Both are stationary policies, so the probabilities follow from the end of the game backwards, over
classes of positions up to symmetry. For Ising a class needs two numbers per move, its own energy
and the rival's; the bias weighs them, so the choice changes at finitely many values of it, and the
probabilities are step functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents.scored import move_values
from hyperoxo.game import Game
from hyperoxo.heuristics import ising_heuristic
from hyperoxo.kernels.arrays import Floats, Longs
from hyperoxo.kernels.scored import TOLERANCE
from hyperoxo.solvers.states.graph import StateGraph
from hyperoxo_research.study.ising_figures import PUBLISHED, Steps, exact_figure
from hyperoxo_research.study.parts import SURPRISING, Finding, Picture, Section, Table, compared

_EQUAL = 1e-9


@dataclass(frozen=True, eq=False)
class _Ply:
    """The unfinished classes of one ply, with the targets and energies of their moves."""

    # places: [classes], numbers of the classes. The others: [classes, moves], moves by cell, padded
    # with target 0 and an own energy of -inf, which no choice takes.
    places: Longs
    targets: Longs
    mine: Floats
    rival: Floats

    def shares(self, bias: float | None) -> Floats:
        """Return the probability of each move: of random play, or of Ising with a bias."""
        if bias is None:
            chosen = np.isfinite(self.mine)
        else:
            values = self.mine + bias * self.rival
            top = values.max(axis=1, keepdims=True)
            chosen = values >= top - TOLERANCE * np.maximum(1.0, abs(top))
        return np.asarray(chosen / chosen.sum(axis=1, keepdims=True))


class ExactPlay:
    """Exact outcome probabilities of games between random play and Ising, for two players."""

    def __init__(self, game: str, reading: str = "formula") -> None:
        self.game = Game(game)
        self.reading = reading
        self.graph = StateGraph(self.game)

    def chances(
        self, first: float | None, second: float | None, *, scoring: str = "rules"
    ) -> tuple[float, float, float]:
        """Return the probabilities of a first player's win, a draw, and a second player's win."""
        # `found` [classes, 3] begins with finished games and fills up from the last ply on.
        found = self._ends(scoring)
        for number, ply in reversed(list(enumerate(self._plies))):
            shares = ply.shares((first, second)[number % 2])
            found[ply.places] = (shares[..., None] * found[ply.targets]).sum(axis=1)
        won, drawn, lost = found[0].tolist()
        return won, drawn, lost

    def losses(self, name: str) -> Steps:
        """Return the probability that Ising loses as second player to random, for b in [0, 1]."""
        # Constant between thresholds: one evaluation in the middle of each interval is exact.
        edges = np.concatenate([[0.0], self.thresholds, [1.0]])
        middles = (edges[:-1] + edges[1:]) / 2
        shares = [self.chances(None, float(bias))[0] for bias in middles]
        return _joined(Steps(name, edges, np.array(shares)))

    @cached_property
    def thresholds(self) -> Floats:
        """Biases between 0 and 1 at which the order of two moves changes in some position."""
        # mine_i + b rival_i = mine_j + b rival_j  at  b = (mine_i - mine_j) / (rival_j - rival_i).
        found: set[float] = set()
        # Ising is the second player of `losses`, and chooses at odd plies. Rounding merges
        # thresholds that several positions give.
        for ply in self._plies[1::2]:
            lead = ply.mine[:, :, None] - ply.mine[:, None, :]
            lag = ply.rival[:, None, :] - ply.rival[:, :, None]
            with np.errstate(divide="ignore", invalid="ignore"):
                ratios = lead / lag
            inside = ratios[np.isfinite(ratios) & (ratios > _EQUAL) & (ratios < 1 - _EQUAL)]
            found |= {round(float(ratio), 9) for ratio in inside}
        return np.array(sorted(found))

    @cached_property
    def _plies(self) -> list[_Ply]:
        found = []
        for number, layer in enumerate(self.graph.layers):
            going = np.flatnonzero(layer.results == 0)
            if len(going):
                found.append(self._ply(number, going))
        return found

    def _ply(self, number: int, going: NDArray[np.intp]) -> _Ply:
        heuristic = ising_heuristic(self.reading)
        edges, texts = self.graph.moves(number), self.graph.texts(number)
        following = self.graph.starts[number] + len(self.graph.layers[number])
        width = int(np.diff(edges.ends)[going].max())
        targets = np.zeros((len(going), width), dtype=np.int64)
        mine = np.full((len(going), width), -np.inf)
        rival = np.zeros((len(going), width))
        for row, place in enumerate(going.tolist()):
            span = slice(int(edges.ends[place]), int(edges.ends[place + 1]))
            # Moves of a position ascend by cell, those of the graph as well.
            position = self.game.position(texts[place])
            alone = move_values(position, heuristic, 0.0)
            targets[row, : len(alone)] = following + edges.targets[span]
            mine[row, : len(alone)] = alone
            rival[row, : len(alone)] = move_values(position, heuristic, 1.0) - alone
        return _Ply(self.graph.starts[number] + going, targets, mine, rival)

    def _ends(self, scoring: str) -> Floats:
        """Return the outcomes of finished classes, ``[classes, 3]``; 0 in the others."""
        found = np.zeros((len(self.graph), 3))
        for ply, layer in enumerate(self.graph.layers):
            full = scoring == "report" and ply == self.game.cells
            for place, result in enumerate(layer.results.tolist()):
                if result:
                    drawn = full or result not in (1, 2)
                    place_of = 1 if drawn else 0 if result == 1 else 2
                    found[self.graph.starts[ply] + place, place_of] = 1.0
        return found


def _joined(steps: Steps) -> Steps:
    """Return the steps without edges at which the share does not change."""
    edges_left = np.flatnonzero(np.abs(np.diff(steps.shares)) > _EQUAL)
    edges = np.concatenate([steps.edges[:1], steps.edges[1:-1][edges_left], steps.edges[-1:]])
    return Steps(steps.name, edges, steps.shares[np.append(edges_left, len(steps.shares) - 1)])


_PUBLISHED: tuple[tuple[str, float | None, float | None, int, tuple[float, ...]], ...] = (
    ("random – random", None, None, 100, (34.0, 41.0)),
    ("random – Ising", None, 0.8, 100, (0.0, 12.0)),
    ("random – Ising", None, 0.8, 10_000, (0.42, 13.81, 85.77)),
    ("Ising – random", 0.647, None, 100, (99.0, 1.0, 0.0)),
    ("Ising – Ising", 0.647, 0.8, 100, (52.0, 48.0, 0.0)),
)
"""Pairing, biases, published games, and % won, drawn and, where it is not a misprint, lost."""


def exactly() -> Section:
    """Return the section on exact chances on 3^2."""
    plays = {reading: ExactPlay("3^2", reading) for reading in ("formula", "scan")}
    steps = [play.losses(f"energy by the {reading}") for reading, play in plays.items()]
    tops = ", ".join(
        f"{100 * one.shares[-1]:.4f} % from b = {one.edges[-2]:.4f} on by the {reading}, after "
        f"{len(one.shares) - 1} steps"
        for reading, one in zip(plays, steps, strict=True)
    )
    return Section(
        "The same without playing: exact chances on 3^2",
        "Random and Ising choose by the position alone, so the chances of every result on 3^2 can "
        "be worked out backwards from the end of all games. The published counts are held against "
        "them by the exact binomial test.\n\nIsing compares sums of two energies, one of them "
        "times b; the order of two moves changes at finitely many values of b, so the chance to "
        "lose is a step function of b. The report sees no reasons for discrete behaviour and fits "
        f"polynomials; in fact the second player loses {tops}. Every b from there to 1 loses "
        "equally often, so the games lost against random cannot tell 0.647 from 0.4 or 1. A "
        "parabola through such steps has a minimum all the same: the first table has it for the "
        "exact shares at the 1,001 values of b that the report takes.",
        compared(
            "exact-parabola",
            "The best b of the report",
            _parabolas(steps),
            where="5.2, on Figure 10",
        ),
        _exact_table(plays),
        _steps_table(dict(zip(plays, steps, strict=True))),
        Picture(
            "exact-bias",
            "How likely Ising, moving second, loses to random on 3^2, exactly",
            lambda: exact_figure(steps),
        ),
    )


def _parabolas(steps: Sequence[Steps]) -> list[Finding]:
    """Fit parabolas to the exact steps at the values of b that the report takes."""
    at = np.linspace(0, 1, 1001)
    found = []
    for one in steps:
        places = np.searchsorted(one.edges[1:-1], at, side="right")
        square, linear, _ = np.polyfit(at, one.shares[places], 2)
        found.append(
            Finding(
                f"minimum of a parabola through the steps, {one.name}",
                PUBLISHED,
                round(float(-linear / (2 * square)), 4),
                remark="The minimum of a parabola through steps, on whose last and lowest one, "
                f"from b = {one.edges[-2]:.4f} to 1, every b is as good.",
                command="oxo study ising",
            )
        )
    return found


def _exact_table(plays: dict[str, ExactPlay]) -> Table:
    from scipy.stats import binomtest

    rows: list[tuple[str | int | float | bool | None, ...]] = []
    for name, first, second, games, printed in _PUBLISHED:
        for place, word in enumerate(("won", "drawn", "lost")):
            published = printed[place] if place < len(printed) else None
            exact = [
                100 * play.chances(first, second, scoring=scoring)[place]
                for play, scoring in (
                    (plays["scan"], "report"),
                    (plays["scan"], "rules"),
                    (plays["formula"], "rules"),
                )
            ]
            agrees = None
            if published is not None:
                seen = round(published * games / 100)
                chance = min(max(exact[0] / 100, 0.0), 1.0)
                agrees = bool(binomtest(seen, games, chance).pvalue >= SURPRISING)
            rows.append((f"{name}: {word}, %", published, games, *exact, agrees))
    columns = (
        "quantity", "published", "of games", "exact, as the report counts", "scan, by the rules",
        "formula, by the rules", "agrees",
    )  # fmt: skip
    return Table(
        "exact",
        "Exact chances of the first player",
        columns,
        tuple(rows),
        "Exact up to rounding at the twelfth digit. The losses of random are left out where the "
        'report repeats its draws. Command: python -c "from hyperoxo_research.study.ising_exact '
        "import ExactPlay as E; print(E('3^2', 'scan').chances(None, 0.8, scoring='report'))\"",
    )


def _steps_table(steps: dict[str, Steps]) -> Table:
    rows = tuple(
        (reading, float(low), float(high), 100 * float(share))
        for reading, one in steps.items()
        for low, high, share in zip(one.edges[:-1], one.edges[1:], one.shares, strict=True)
    )
    columns = ("reading", "from b", "to b", "lost, %")
    return Table("exact-steps", "Chance to lose as second player, by b", columns, rows)
