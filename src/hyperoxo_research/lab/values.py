"""Table of game values: the winner of each game, its proofs, and the published value."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from hyperoxo import __version__
from hyperoxo.display import Result
from hyperoxo.errors import CheckFailedError, HyperoxoError, LimitError
from hyperoxo.files import replace_file
from hyperoxo.game import CLASSIC, Bounds, Game, Position, Requires, Trait, Value
from hyperoxo.jit import working_time
from hyperoxo.kernels.evaluation import WIN
from hyperoxo.proof import Proof, verify, write_proof
from hyperoxo.proof.stored import stored_dictionary, stored_endgames, stored_proof
from hyperoxo.solvers.certify import certificate_of_two, draw_by_theorem
from hyperoxo.solvers.exact.minimax import ExactSearch
from hyperoxo.solvers.maker_breaker.bounds import MakerBounds
from hyperoxo.solvers.proofsearch.driver import ProofSettings, ProofSolver, with_certificate
from hyperoxo.solvers.proofsearch.view import PROOF_SEARCH
from hyperoxo.solvers.theorems import bounds_by_theorems
from hyperoxo.solvers.threats.search import MOST_CELLS
from hyperoxo.task import Progress, Stop, Task
from hyperoxo_research.draws.published import GOLOMB_HALES
from hyperoxo_research.lab.stored_answers import AnswerCache

SOLVED = (
    "H. J. van den Herik, J. W. H. M. Uiterwijk, J. van Rijswijck, Games solved: Now and in the "
    "future, Artificial Intelligence 134 (2002)"
)
TROMP = "J. Tromp, John's Connect Four playground, tromp.github.io/c4/c4.html (2006 to 2015)"
PATASHNIK = "O. Patashnik, Qubic: 4x4x4 Tic-Tac-Toe, Mathematics Magazine 53 (1980)"

GAMES: dict[str, tuple[str, str] | None] = {
    "3^2": ("draw", SOLVED),
    "4,3,3": ("win", SOLVED),
    "4,4,3": ("win", SOLVED),
    "4,4,4": ("draw", SOLVED),
    "5,4,4": ("draw", SOLVED),
    "6,4,4": ("draw", SOLVED),
    "5,5,4": ("draw", SOLVED),
    "6,5,4": ("win", SOLVED),
    "6,6,4": ("win", SOLVED),
    "7,7,4": ("win", SOLVED),
    "5,5,5": ("draw", SOLVED),
    "6,6,5": ("draw", SOLVED),
    "8,8,8": ("draw", SOLVED),
    "3^3": ("win", GOLOMB_HALES),
    "4^3": ("win", PATASHNIK),
    "3^2:misere": ("draw", GOLOMB_HALES),
    "4^2:misere": None,
    "3^3:misere": ("win", GOLOMB_HALES),
    "4^3:misere": None,
    "3^2:gravity": None,
    "4^2:gravity": None,
    "3^3:gravity": None,
    "4^3:gravity": None,
    "5^3:gravity": None,
}
"""The games of the table, and the published value for the first player with its source."""

PLIES: dict[str, int] = {}
"""Published numbers of moves under best play, of Connect Four."""

# Rows of boards of one height, from four columns on: draw (=), win (+) or loss (-), and the moves.
for _height, _row in enumerate(
    (
        "=16 =20 -24 =28 -32 -36 -40 -44 -48",
        "=20 =25 =30 =35 +39 +41 +47 +51",
        "=24 =30 -36 +41 -48 -52 +59",
        "=28 =35 +41 =49 +53 +55",
        "=32 =40 -48 +55 -62",
        "=36 =45 +53 =63",
    ),
    start=4,
):
    for _width, _size in enumerate(_row.split(), start=4):
        _spec = f"{_width},{_height},4:gravity"
        PLIES[_spec] = int(_size[1:])
        GAMES[_spec] = {"=": "draw", "+": "win", "-": "loss"}[_size[0]], TROMP

_DATA = "values.json"
_LEAST_CELLS = 12
_MEGABYTES = 256
_FIRST_SECONDS = 1.0
_TWO_IN_TURN = Requires("a table of values", CLASSIC - {Trait.SEVERAL_PLAYERS})


@dataclass(frozen=True)
class Values(Result):
    """Entries of the games, in order; of all games unless it was interrupted."""

    entries: tuple[dict[str, Any], ...]
    interrupted: bool = False

    def as_data(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "values": list(self.entries),
            "decided": sum(one["value"] != "unknown" for one in self.entries),
            "contradicted": [one["game"] for one in self.entries if one["agrees"] is False],
            "interrupted": self.interrupted,
        }


def table_of_values(
    folder: str | os.PathLike[str],
    games: Sequence[str] = (),
    *,
    seconds: float = 60.0,
    creator: str = "",
    progress: Progress | None = None,
) -> Values:
    """Find and prove the values of some games, each within a time limit.

    The folder gets the proofs and ``values.json``. Entries in it are reused; open games are tried
    again if the limit is higher now, and a proof search resumes. Workers on other machines need the
    same folder.
    """
    positions = [Game(spec).start() for spec in games or GAMES]
    for position in positions:
        _TWO_IN_TURN.check(position.game)
    place = Path(folder).resolve()
    place.mkdir(parents=True, exist_ok=True)
    cache = AnswerCache(place / _DATA, {"version": __version__, "format": 2}, "values")
    asked = {str(position.game): position for position in positions}
    left = [spec for spec in asked if not _is_done(place, cache.answers.get(spec), seconds)]
    pieces = [(asked[spec], place, creator, seconds) for spec in left]
    with suppress(KeyboardInterrupt):
        for _, answer in Task.of(progress).spread(_answer, pieces):
            cache.add(answer["game"], answer)
            if answer["limit"] < seconds:
                raise KeyboardInterrupt
            left.remove(answer["game"])
    known = [str(one.game) for one in positions if str(one.game) in cache.answers]
    return Values(tuple(cache.answers[spec] for spec in known), interrupted=bool(left))


def _answer(
    position: Position, place: Path, creator: str, seconds: float, task: Task
) -> dict[str, Any]:
    """Decide and prove one game."""
    if not place.is_dir():
        raise CheckFailedError(f"a worker has no folder {place}, which all machines need")
    # Workers write their files into the folder: answers alone come back.
    return _Work(position, place, creator).run(seconds, task.stop)


def _is_done(place: Path, answer: dict[str, Any] | None, seconds: float) -> bool:
    if answer is None or not all((place / one["file"]).is_file() for one in answer["proofs"]):
        return False
    # What is still open is tried again only if there is more time than before.
    measured = answer["published_plies"] is None or answer["plies"] is not None
    return bool(answer["certified"] and measured) or answer["limit"] >= seconds


class _Work:
    """One game: theorems, plans, proof search, exact search, and proofs for both players."""

    # The slow methods take turns, for a second each, then two, four and so on; so a longer limit
    # does all that a shorter one does, and more.

    def __init__(self, position: Position, place: Path, creator: str) -> None:
        self.position = position
        self.game = position.game
        self.place = place
        self.creator = creator
        self.name = str(self.game).replace("^", "-").replace(":", "-").replace("=", "-")
        self.bounds = bounds_by_theorems(position)
        # `bounds` get tighter as methods succeed; what these already say needs no proof in a file.
        self.theorems = self.bounds
        self.proofs: dict[int, dict[str, Any]] = {}
        self.failures: dict[int, HyperoxoError] = {}
        self.interrupted = False
        self.plies: int | None = None
        self.lasts = 0
        self.search = ExactSearch(self.game)
        self.makers = MakerBounds(self.game, self.search)
        self.solver: ProofSolver | None = None

    def run(self, seconds: float, stop: Stop | None = None) -> dict[str, Any]:
        """Decide and prove within a time limit; after an interrupt return what is known."""
        begin, task = working_time(), Task.within(seconds, stop)
        self._take_stored()
        for seat in (1, 2):
            self._record(seat, draw_by_theorem(self.position, seat))
        methods: list[Callable[[Task], bool]] = [
            partial(self._compiled, self._find_drawing_plan),
            self._search_proof,
            partial(self._compiled, self._search_to_the_end),
            partial(self._compiled, self._deepen),
        ]
        most = _FIRST_SECONDS
        while methods and not task.over:
            methods = [one for one in methods if self._try(one, task.share(1, most))]
            most *= 2
        # Checkpoints serve a later call with more time; a decided game has none.
        for path in self.place.glob(f"{self.name}.search.*"):
            if self.bounds.decided:
                path.unlink()
        ended = self.interrupted or task.stopped
        return self._answer(0.0 if ended else seconds, working_time() - begin)

    def _try(self, method: Callable[[Task], bool], task: Task) -> bool:
        """Try a method; return whether it may do more in the next round."""
        return not (self._done or self.interrupted or task.over) and method(task)

    @property
    def _done(self) -> bool:
        """True if nothing is left to do."""
        return self._certified and (self.plies is not None or str(self.game) not in PLIES)

    @property
    def _certified(self) -> bool:
        """True if the value is known, and each player's part of it is proved."""
        return self.bounds.decided and all(seat in self.proofs for seat in self._owed())

    def _owed(self) -> Iterator[int]:
        """Yield the players whose part of the value follows from no theorem and needs a proof."""
        if self.bounds.low > self.theorems.low:
            yield 1
        if self.bounds.high < self.theorems.high:
            yield 2

    def _take_stored(self) -> None:
        data = stored_proof(self.game)
        found = stored_dictionary(self.game) or stored_endgames(self.game)
        if data is not None and found is not None:
            replace_file(self._path(found.seat), data)
            self._note(found.seat, won=True)

    def _record(self, seat: int, proof: Proof | None) -> None:
        if proof is not None:
            write_proof(proof, self._path(seat), creator=self.creator)
            self._note(seat, won=proof.claim == Value.WIN)

    def _path(self, seat: int) -> Path:
        return self.place / f"{self.name}-{seat}.oxo"

    def _note(self, seat: int, *, won: bool) -> None:
        """Check the file of a player's part, and tighten the bounds by its claim."""
        path = self._path(seat)
        verdict = verify(path)
        assert verdict.proved, verdict.reason
        self.proofs[seat] = {"player": seat, "claim": verdict.claim, "file": path.name}
        found = Bounds(low=Value.WIN if won else Value.DRAW)
        # Bounds are of the first player's value; a claim is of its own player's.
        self.bounds &= found if seat == 1 else -found

    def _search_proof(self, task: Task) -> bool:
        """Seek a win of either player by proof search."""
        wins = [
            seat
            for seat, value in ((1, self.bounds.high), (2, -self.bounds.low))
            if value is Value.WIN
        ]
        small = _LEAST_CELLS <= self.game.cells <= self.game.board.cell_count <= MOST_CELLS
        if self.bounds.decided or not wins or not small or not PROOF_SEARCH.accepts(self.game):
            return False
        # Once one player cannot win, the time goes to the win of the other alone.
        attacker = wins[0] if len(wins) == 1 else None
        if self.solver is None or self.solver.settings.attacker != attacker:
            settings = ProofSettings(
                megabytes=_MEGABYTES,
                attacker=attacker,
                checkpoint=os.fspath(self.place / f"{self.name}.search"),
            )
            self.solver = ProofSolver(self.position, settings)
        self.solver.run(seconds=task.left, certify=True)
        known = self.solver.searched
        self.bounds &= Bounds(known.low, known.high)
        self.interrupted = self.solver.interrupted
        seat = known.winner(1, players=2)
        if seat and not self.interrupted:
            with_certificate(self.solver, self._path(seat), self.creator)
            self._note(seat, won=True)
        return task.over

    def _compiled(self, work: Callable[[], object], task: Task) -> bool:
        """Run work that polls the exact search's stop flag; return whether the flag ended it."""
        flag = self.search.stop_flag
        flag[0] = 0
        # The flag ends a kernel. Raised by the clock, it means that a longer turn may do more.
        self.interrupted = not task.run(work, flag)
        return bool(flag[0])

    def _find_drawing_plan(self) -> None:
        """Seek plans by which a player keeps the other from any line."""
        for seat, low in ((1, self.bounds.low), (2, -self.bounds.high)):
            if seat not in self.proofs and low < Value.WIN:
                # Without a plan other searches may find a proof.
                with suppress(LimitError):
                    self._record(seat, self.makers.plan(self.position, seat))

    def _search_to_the_end(self) -> None:
        """Search the value exactly, and then strategies of both players."""
        # The window is that of the bounds. Values carry the remoteness, so for games with published
        # numbers of moves it is read from a search with the full window.
        low, high = self.bounds.low, self.bounds.high
        if low < high:
            value = self.search.value(self.position, 1, low=low.sign, high=high.sign)
            if math.isnan(value):
                return
            self.bounds &= Bounds.exactly(max(low, min(high, Value.of(value))))
        # Before certificates, whose searches would overwrite what the table holds of this value.
        if self.plies is None and str(self.game) in PLIES:
            value = self.search.value(self.position, 1)
            if not math.isnan(value):
                # A value is WIN less the plies to the end; a drawn game fills the board.
                self.plies = int(WIN - abs(value)) if value else self.game.cells
        for seat in set(self._owed()) - set(self.proofs):
            known = self.bounds if seat == 1 else -self.bounds
            plan = partial(self.makers.plan, self.position, seat)
            try:
                found = certificate_of_two(self.search, self.position, seat, known, plan)
            except HyperoxoError as error:
                self.failures[seat] = error
            else:
                self._record(seat, found)

    def _deepen(self) -> None:
        """Search for a line that a player can force within more and more plies."""
        # Not where plies are published: what this leaves in the table is of no use to the other.
        while self.search.in_turn and not self.bounds.decided and str(self.game) not in PLIES:
            value = self.search.value(self.position, 1, depth=self.lasts + 1)
            if math.isnan(value):
                return
            if abs(value) > WIN / 2 or self.lasts == self.game.cells:
                self.bounds &= Bounds.exactly(Value.of(value))
            else:
                self.lasts += 1

    def _because(self) -> Iterator[str]:
        """Yield the reasons as text."""
        yield from map(str, self.theorems.reasons)
        if self.search.nodes:
            yield f"Exact search: {self.search.nodes:,} positions visited."
        for seat, error in self.failures.items():
            if seat not in self.proofs:
                yield f"No proof for player {seat}: {error}."

    def _answer(self, seconds: float, spent: float) -> dict[str, Any]:
        published = GAMES.get(str(self.game))
        value = self.bounds.word
        agrees = None if published is None or value == "unknown" else value == published[0]
        if self.plies is not None:
            agrees = agrees and self.plies == PLIES[str(self.game)]
        owed = set(self._owed())
        return {
            "game": str(self.game),
            "value": value,
            "bounds": list(self.bounds.pair),
            "certified": self._certified,
            "proofs": [self.proofs[seat] for seat in sorted(self.proofs)],
            "by_theorems": self.theorems.decided,
            "by_search_alone": sorted(owed - set(self.proofs)),
            "because": [*self._because()],
            "plies": self.plies,
            "lasts": self.lasts,
            "published": None if published is None else published[0],
            "published_plies": PLIES.get(str(self.game)),
            "source": None if published is None else published[1],
            "agrees": agrees,
            "seconds": round(spent, 1),
            "limit": seconds,
        }
