"""Classification of games into the regions of Golomb and Hales, each step with a proof."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from hyperoxo.board.limits import MAX_LISTED_CELLS
from hyperoxo.display import Result
from hyperoxo.errors import CheckFailedError, LimitError, MissingExtraError
from hyperoxo.game import Game
from hyperoxo.proof import BoardProof, Pairing, Prevention, Proof, Strategy, check_proof
from hyperoxo.proof.registry import proof_text
from hyperoxo.proof.stored import stored_dictionary, stored_proof
from hyperoxo.solvers.certify import find_strategy
from hyperoxo.solvers.draws.pairing import crowded, pairs_of
from hyperoxo.solvers.exact.minimax import ExactSearch
from hyperoxo.solvers.maker_breaker.plans import plan_of
from hyperoxo.solvers.maker_breaker.search import MakerSearch
from hyperoxo.task import Progress, Stop, Task
from hyperoxo_research.draws.full_boards import board_of, full_board
from hyperoxo_research.draws.key_plan_search import find_key_plan
from hyperoxo_research.draws.no_draw import MOST_CELLS, board_by_cell_kinds, draw_or_none
from hyperoxo_research.draws.published import (
    CITED,
    DELORME_POLJAK,
    DEZA_LAURENT,
    GOLOMB_HALES,
    HALES_JEWETT,
    hales_jewett,
)
from hyperoxo_research.draws.several_lines import by_several_lines
from hyperoxo_research.draws.stored import stored_board, stored_no_draw
from hyperoxo_research.proof.cubes import cube_lines, plain_cube
from hyperoxo_research.proof.filling import Filling
from hyperoxo_research.proof.filling_cases import FillingCases
from hyperoxo_research.proof.full_board import DrawnBoard
from hyperoxo_research.proof.keyplan.stored import stored_claim, stored_plan_file
from hyperoxo_research.proof.no_draw import DRAWS, NoDraw
from hyperoxo_research.proof.no_pairing import NoPairing
from hyperoxo_research.proof.region import REGIONS, RegionProof, first_always_wins

__all__ = ["REGION_WORDS", "Classification", "Evidence", "classify"]

REGION_WORDS = {
    1: "the first player wins, whatever the two play",
    2: "no draw exists, and the first player can force a win",
    3: "draws exist, and the first player can force a win",
    4: "the second player can force a draw, but not by a pairing",
    5: "the second player can draw by a pairing",
}
"""Meaning of each region."""

_HALL = "P. Hall, On representatives of subsets, J. London Math. Soc. 10 (1935)"
_ERDOS_SELFRIDGE = (
    "P. Erdős and J. Selfridge, On a combinatorial game, J. Combin. Theory A 14 (1973)"
)
_MOST_REDUCED = 400
"""Most lines of a Hall violator that is reduced."""
_MOST_EXACT = 25
"""Most playable cells for an exact search."""
_MOST_EXCHANGED = 5_000
_MOST_PLANNING = 5.0
"""Seconds for Breaker's key plan: found at once or not at all."""
_TABLE = 64
"""Megabytes of the search for a plan with zones."""
_GAMES = 200
"""Random games that player 2 may win."""
_PART = 0.3
"""Fraction of the time left that one attempt gets."""


@dataclass(frozen=True)
class Evidence:
    """One step towards a region.

    Attributes
    ----------
    claim : str
        The claim, as a sentence.
    theorem : str
        The theorem, or the kind of proof, that it rests on.
    source : str
        Publication of the theorem; empty if the proof is self-contained.
    cited : bool
        Whether it has been proved elsewhere only, so that nothing here checks it.
    part : bytes
        The proof file; empty where there is none, or where none is needed.

    Examples
    --------
    >>> import hyperoxo as ox
    >>> ox.classify("2^3").evidence[0].theorem
    'every two cells are a line'
    """

    claim: str
    theorem: str
    source: str = ""
    cited: bool = False
    part: bytes = field(default=b"", repr=False)

    @property
    def basis(self) -> str:
        """Theorem and source in one line."""
        return f"{self.theorem}: {self.source}" if self.source else self.theorem

    @property
    def part_kind(self) -> str | None:
        """The kind of the proof file, as in its first line; None if there is none."""
        first = self.part.partition(b"\n")[0].decode("ascii")
        return first.removeprefix("hyperoxo-").rpartition(" ")[0] or None

    def as_data(self, file: str | None = None) -> dict[str, Any]:
        """Return plain values for JSON, with the name of the proof file.

        Parameters
        ----------
        file : str, optional
            Name of the file that holds the proof.

        Returns
        -------
        dict
            Plain values.
        """
        return {
            "claim": self.claim,
            "theorem": self.theorem,
            "source": self.source,
            "kind": "cited" if self.cited else "proved",
            "part": self.part_kind,
            "file": file if self.part else None,
        }


@dataclass(frozen=True)
class Classification(Result):
    """The region of a game, as far as it is proved.

    The regions are those of Golomb and Hales: 1 the first player wins whatever the two play; 2 no
    draw exists; 3 draws exist, and the first player can force a win; 4 the second player can force
    a draw, but not by a pairing; 5 there is a pairing.

    Attributes
    ----------
    game : str
        The game, in its canonical spelling.
    regions : tuple of int
        Regions that are possible after all proofs here; empty with more than two players.
    draw : bool or None
        Whether a draw exists; None if that is not known.
    evidence : tuple of Evidence
        The steps.
    play : tuple of int
        Moves of a game that player 1 does not win, where that is part of the proof.

    Examples
    --------
    >>> import hyperoxo as ox
    >>> found = ox.classify("5^2")
    >>> found.regions, found.draw, found.evidence[0].theorem
    ((5,), True, 'pairing')
    """

    game: str
    regions: tuple[int, ...]
    draw: bool | None
    evidence: tuple[Evidence, ...]
    play: tuple[int, ...] = ()

    @property
    def cited(self) -> tuple[int, ...]:
        """The regions that are possible with cited proofs."""
        if self._known is not None:
            return (self._known[0],)
        return (5,) if any(one.cited for one in self.evidence) else self.regions

    @property
    def cited_source(self) -> str:
        """Source of the cited proof; empty if it adds nothing."""
        if self._known is not None:
            return self._known[1]
        return next((one.source for one in self.evidence if one.cited), "")

    @property
    def _known(self) -> tuple[int, str] | None:
        """The region by computer proofs of others, and the source."""
        return CITED.get(plain_cube(self.game) or (0, 0))

    @property
    def sentence(self) -> str:
        """The claim in words."""
        if not self.regions:
            exists = {True: "has draws", False: "has no draw", None: "may have draws"}[self.draw]
            return f"{self.game} {exists}"
        if len(self.regions) == 1:
            return f"{self.game} is in region {self.regions[0]}: {REGION_WORDS[self.regions[0]]}"
        rows = [f"{region}: {REGION_WORDS[region]}" for region in self.regions]
        return "\n".join([f"{self.game} is in one of these regions:", *rows])

    def proof_text(self, creator: str = "") -> bytes:
        """Return the content of a proof file; empty if nothing is proved.

        Parameters
        ----------
        creator : str, default ''
            Author of the proof, written to the file.

        Returns
        -------
        bytes
            Content of a file that `verify` reads.
        """
        parts = tuple(one.part for one in self.evidence if one.part)
        if self.regions:
            found = RegionProof(self.game, self.regions, parts, self.play)
            return proof_text(found, creator=creator)
        return parts[0] if parts else b""

    def as_data(self, file: str | None = None) -> dict[str, Any]:
        """Return plain values for JSON.

        Parameters
        ----------
        file : str, optional
            Name of the file that holds the proof.

        Returns
        -------
        dict
            Plain values, as ``oxo classify --format json`` prints them.
        """
        regions = list(self.regions)
        return {
            "game": self.game,
            "region": (regions[0] if len(regions) == 1 else regions) if regions else None,
            "draw": {True: "exists", False: "none", None: "unknown"}[self.draw],
            "evidence": [one.as_data(file) for one in self.evidence],
        }


def classify(
    game: Game | str,
    *,
    seconds: float | None = 60.0,
    progress: Progress | None = None,
    stop: Stop | None = None,
    seed: int = 0,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Classification:
    """Find the region of Golomb and Hales that a game is in, or those that are possible.

    Each step is proved by something that `verify` checks. With more than two players it is found
    out only whether a draw exists.

    Parameters
    ----------
    game : Game or str
        A game in which the players take a cell each in turn and lines win, without
        gravity and with a free opening; a plain n^d given as text may have any size.
    seconds : float, optional
        Time limit for all that is searched.
    progress : callable, optional
        Called with (steps done, all steps).
    stop : Stop, optional
        An event that any thread may set to end the search early.
    seed : int
        Seed of random choices.
    checkpoint : str or path-like, optional
        File from which cases of full boards are resumed, and to which they are written.

    Returns
    -------
    Classification
        The regions, and the evidence for them.

    Raises
    ------
    NotSupportedError
        If the game has rules for which the regions are not defined.

    Examples
    --------
    >>> classify("3^2").regions
    (4,)
    >>> classify("12^4").regions, classify("9^4").regions
    ((5,), (3, 4))
    """
    spec = game if isinstance(game, str) else str(game)
    known = game if isinstance(game, Game) else None
    cube = plain_cube(spec)
    if known is None and (cube is None or cube[0] ** cube[1] <= MAX_LISTED_CELLS):
        known = Game(spec)
    spec = spec if known is None else str(known)
    task = Task(progress, stop, Task.within(seconds).end)
    work = _Work(spec, plain_cube(spec), known, task, seed, checkpoint)
    if known is not None:
        (REGIONS if known.players == 2 else DRAWS).check(known)
    return work.run()


@dataclass
class _Work:
    """One classification under way."""

    spec: str
    cube: tuple[int, int] | None
    game: Game | None
    task: Task
    seed: int
    checkpoint: str | os.PathLike[str] | None = None
    left: frozenset[int] = frozenset({1, 2, 3, 4, 5})
    draw: bool | None = None
    evidence: list[Evidence] = field(default_factory=list)
    play: tuple[int, ...] = ()

    def run(self) -> Classification:
        """Take the steps in their order, until one region is left."""
        steps = (self.pairing, self.draws, self.value, self.always)
        if self.game is not None and self.game.players > 2:
            self.draws()
            return Classification(self.spec, (), self.draw, tuple(self.evidence))
        for number, step in enumerate(steps):
            self.task.report_progress(number, len(steps))
            if len(self.left) > 1:
                step()
        self.task.report_progress(len(steps), len(steps))
        regions = tuple(sorted(self.left))
        return Classification(self.spec, regions, self.draw, tuple(self.evidence), self.play)

    def restrict_to(
        self,
        regions: set[int],
        found: Proof | BoardProof,
        theorem: str,
        source: str = "",
        *,
        check: bool = True,
    ) -> None:
        """Keep only these regions, because of a proof that is checked first."""
        if check:
            verdict = check_proof(found)
            if not verdict.proved:
                raise CheckFailedError(f"{verdict.claim}: {verdict.reason}")
        part = proof_text(found, creator=f"oxo classify {self.spec}")
        self.evidence.append(Evidence(found.statement, theorem, source, part=part))
        self.left &= regions
        if isinstance(found, Pairing | DrawnBoard):
            self.draw = True
        elif isinstance(found, NoDraw | Filling | FillingCases):
            self.draw = False

    def pairing(self) -> None:
        """Find a pairing, or lines that violate Hall's condition."""
        if self.cube is not None and self.cube[0] <= 2 and self.cube != (2, 1):
            self.left = frozenset({1})
            self.draw = False
            theorem = "one cell is a line" if self.cube[0] == 1 else "every two cells are a line"
            claim = "the first player wins, whatever the two play"
            self.evidence.append(Evidence(claim, theorem, GOLOMB_HALES))
            return
        found = self._pairing()
        if isinstance(found, Pairing):
            self.restrict_to({5}, found, "pairing", HALES_JEWETT)
        elif found is not None:
            self.restrict_to({1, 2, 3, 4}, found, "Hall's theorem", _HALL)
        elif self.cube is not None and hales_jewett(*self.cube):
            claim = f"there are two cells for each line of {self.spec} alone"
            self.evidence.append(Evidence(claim, "many cells to a line", HALES_JEWETT, cited=True))

    def _pairing(self) -> Pairing | NoPairing | None:
        # 1. A board n^k within n^d with more lines than half its cells: if it is large, that count
        #    is the proof.
        side, dim = self.cube or (0, 0)
        crowd = (k for k in range(1, dim + 1) if 2 * cube_lines(side, k) > side**k)
        axes = next(crowd, None)
        if axes is not None and cube_lines(side, axes) > _MOST_REDUCED:
            return NoPairing(self.spec, axes=axes)
        if self.game is None:
            return None if axes is None else NoPairing(self.spec, axes=axes)
        # 2. Else a matching; if it fails, a small set of lines that violates Hall's condition.
        if axes is None:
            pairs = pairs_of(self.game.start(), 2)
            if pairs is not None:
                return Pairing(self.game, 2, pairs)
        board = self.game.board if axes is None else Game(f"{side}^{axes}").board
        lines = [tuple(board.line(at).tolist()) for at in range(board.line_count)]
        return NoPairing(self.spec, tuple(_least_crowded(lines, board.cell_count)))

    def draws(self) -> None:
        """Show that a draw exists, or that none does."""
        # From the cheapest way on; a missing SAT solver counts only if no other way succeeds.
        missing = None
        if self.game is not None and self.game.target > 1:
            self._draws_to_several_lines(self.game)
            return
        ways = (self._known_draw, self._by_kinds, self._draw_by_solver, self._draw_by_exchange)
        for method in ways:
            try:
                found = method()
            except MissingExtraError as error:
                missing = error
                continue
            if isinstance(found, NoDraw):
                self.restrict_to({1, 2}, found, "no full board without a line")
                if str(found.game) != self.spec:
                    claim = f"the same holds for {self.spec}, of which {found.game} is a part"
                    self.evidence.append(Evidence(claim, "lines of a part", GOLOMB_HALES))
            elif found is not None:
                self.restrict_to({3, 4, 5}, found, "a full board without a win")
            if found is not None:
                return
        if missing is not None:
            raise missing

    def _draws_to_several_lines(self, game: Game) -> None:
        checkpoint = self.checkpoint
        found = by_several_lines(game, task=self.task, seed=self.seed, checkpoint=checkpoint)
        if isinstance(found, DrawnBoard):
            self.restrict_to({3, 4, 5}, found, "a full board without a win")
        elif found is not None:
            plain = isinstance(found, Filling) and not found.odd
            source = DELORME_POLJAK if plain else DEZA_LAURENT
            self.restrict_to({1, 2}, found, "lines of full boards", source)

    def _known_draw(self) -> DrawnBoard | NoDraw | None:
        if self.cube is None:
            return None
        if self.cube[0] == 3 and self.cube[1] >= 3:
            return stored_no_draw()
        stones = stored_board(*self.cube)
        if stones is None:
            return None
        first = int(2 * stones.sum() > len(stones))
        return DrawnBoard(self.spec, "".join("1" if one == first else "2" for one in stones))

    def _draw_by_solver(self) -> DrawnBoard | NoDraw | None:
        if self.game is None or len(self.game.board.playable) > MOST_CELLS:
            return None
        return draw_or_none(self.game, task=self.task.share(_PART))

    def _draw_by_exchange(self) -> DrawnBoard | None:
        game = self.game
        if game is None or len(game.board.playable) > _MOST_EXCHANGED:
            return None
        owners = full_board(game, exchanges=2_000, seed=self.seed).owners
        return None if owners is None else board_of(game, owners)

    def _by_kinds(self) -> DrawnBoard | None:
        side, dim = self.cube or (0, 0)
        groups = [(dim,), (dim - 1, 1), (dim - dim // 2, dim // 2), (dim - 2, 2)]
        # Half of an even number of axes may go up and half down, along lines of few kinds of cells.
        odd = range(dim - 1 + dim % 2, 4, -2)
        groups += [(size, *[1] * (dim - size)) for size in odd]
        for sizes in dict.fromkeys(sizes for sizes in groups if side and min(sizes) > 0):
            if (task := self.task.share(_PART)).over:
                break
            with suppress(LimitError):
                if found := board_by_cell_kinds(side, dim, sizes, task, self.seed):
                    return found
        return None

    def value(self) -> None:
        """Search for the result that the first player can force."""
        game = self.game
        if game is None or self.draw is False:
            return
        # 1. Stored proofs, which `verify` checks but which take too long to check here.
        stored, dictionary = stored_proof(game), stored_dictionary(game)
        begins = dictionary is not None and not dictionary.position.ply
        if stored is not None and dictionary is not None and begins and dictionary.seat == 1:
            claim = dictionary.statement
            theorem = "a dictionary of strategic moves"
            self.evidence.append(Evidence(claim, theorem, part=stored))
            self.left &= {1, 2, 3}
            return
        if (plan := stored_claim(game)) is not None:
            part, theorem = stored_plan_file(game) or b"", "Breaker's key plan"
            self.evidence.append(Evidence(plan.statement, theorem, part=part))
            self.left &= {4, 5}
            return
        # 2. The Erdős-Selfridge potential at the root.
        prevention = Prevention(game, 1, "no-win", {})
        if game.board.line_count <= MAX_LISTED_CELLS // 10 and check_proof(prevention).proved:
            self.restrict_to({4, 5}, prevention, "potential", _ERDOS_SELFRIDGE, check=False)
            return
        # 3. Searches.
        ways = [self._plan_with_zones, self._exact, self._plan_by_keys]
        if self.cube is not None:
            # The key cells of n^d are known.
            ways = [self._exact, self._plan_by_keys, self._plan_with_zones]
        for method in ways:
            if self.left >= {3, 4} and len(game.board.playable) <= MOST_CELLS:
                method(game)

    def _plan_by_keys(self, game: Game) -> None:
        """Search for a key plan for player 2."""
        task = self.task.share(_PART, _MOST_PLANNING)
        with suppress(LimitError):
            plan = find_key_plan(game, seconds=task.left, stop=task.stop)
            if plan is not None:
                self.restrict_to({4, 5}, plan, "Breaker's key plan")

    def _plan_with_zones(self, game: Game) -> None:
        """Search the Maker-Breaker game, and turn Breaker's win into a plan with zones."""
        task, start = self.task.share(_PART, _MOST_PLANNING), game.start()
        with suppress(LimitError):
            search = MakerSearch(game, 1, megabytes=_TABLE)
            if search.find(start, task).maker_wins is False:
                task = self.task.share(1 - _PART)
                plan = plan_of(search, start, 2, task)
                self.restrict_to({4, 5}, plan, "a plan with zones")

    def _exact(self, game: Game) -> None:
        """Find a strategy of one of the two by exact search."""
        if len(game.board.playable) > _MOST_EXACT:
            return
        start, search = game.start(), ExactSearch(game)
        found: list[Strategy] = []

        def search_all() -> None:
            with suppress(LimitError, CheckFailedError):
                wins = search.value(start, 1) > 0
                found.append(find_strategy(search, start, *((1, "win") if wins else (2, "draw"))))

        if not self.task.run(search_all, search.stop_flag):
            raise KeyboardInterrupt
        for strategy in found:
            left = {1, 2, 3} if strategy.claim == "win" else {4, 5}
            self.restrict_to(left, strategy, "exact search")

    def always(self) -> None:
        """Rule region 1 in or out, if draws have not decided it."""
        game = self.game
        if game is None or 1 not in self.left:
            return
        always = first_always_wins(self.spec) if self.draw is False else None
        if always:
            self.left = frozenset({1})
            claim = f"player 1 wins {self.spec}, whatever the two play"
            self.evidence.append(Evidence(claim, "no other has a line first"))
            return
        play = _second_first(game)
        if play is None:
            return
        self.play = play
        self.left -= {1}
        claim = f"player 2 may win {self.spec}, by the moves {','.join(map(str, play))}"
        self.evidence.append(Evidence(claim, "a whole game"))


def _least_crowded(lines: list[tuple[int, ...]], cell_count: int) -> list[tuple[int, ...]]:
    """Return a Hall violator among the lines, minimal unless it has over `_MOST_REDUCED`."""
    found = crowded(lines, cell_count)
    assert found is not None
    chosen = [lines[at] for at in found[0]]
    if len(chosen) > _MOST_REDUCED:
        return chosen
    at = 0
    while at < len(chosen):
        rest = chosen[:at] + chosen[at + 1 :]
        fewer = crowded(rest, cell_count)
        if fewer is None:
            at += 1
        else:
            # Lines found necessary before stay so in every smaller violator, and stay in front.
            chosen = [rest[one] for one in fewer[0]]
    return chosen


def _second_first(game: Game) -> tuple[int, ...] | None:
    """Find a game that player 1 does not win."""
    # 1. Player 2 fills a line, player 1 takes cells outside of it.
    board = game.board
    for at in range(min(board.line_count, 100) if game.target == 1 else 0):
        line = board.line(at).tolist()
        outside = [cell for cell in board.playable.tolist() if cell not in line][:12]
        for chosen in combinations(outside, len(line)):
            moves = tuple(cell for pair in zip(chosen, line, strict=True) for cell in pair)
            end = game.start()
            for cell in moves:
                if not end.is_over:
                    end = end.play(cell)
            if end.outcome is not None and end.outcome.winner == 2:
                return moves[: end.ply]
    # 2. Random games.
    rng = np.random.default_rng(0)
    for _ in range(_GAMES):
        end = game.start()
        while not end.is_over:
            end = end.play(int(rng.choice(end.legal_moves)))
        if end.outcome is not None and end.outcome.winner != 1:
            return end.history
    return None
