"""Square boards n^2 as races, Maker-Breaker and Avoider-Enforcer games, solved with proofs."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from hyperoxo.game import Game, Trait, Value
from hyperoxo.proof import Proof, proof_size
from hyperoxo.solvers import Solution, solve
from hyperoxo_research.study.parts import Bench, Cell, Section, Study, Table, proof_file

_SIDES = 12, 20
_SECONDS = 2.0, 60.0
_GAMES = (
    ("race", ""),
    ("Maker first", "convention=maker-breaker"),
    ("Breaker first", "convention=maker-breaker,first=2"),
    ("Maker 1+2", "convention=maker-breaker,bias=1+2"),
    ("Maker 2+1", "convention=maker-breaker,bias=2+1"),
    ("Maker 2+2", "convention=maker-breaker,bias=2+2"),
    ("Maker 3+1", "convention=maker-breaker,bias=3+1"),
    ("Avoider first", "convention=avoider-enforcer"),
    ("Enforcer first", "convention=avoider-enforcer,first=2"),
    ("Avoider 1+2", "convention=avoider-enforcer,bias=1+2"),
    ("Avoider 2+1", "convention=avoider-enforcer,bias=2+1"),
)
"""Columns, and the rules of their games."""


def squares(bench: Bench) -> Iterator[Section]:
    """Solve all games of all boards, the smallest boards first."""
    seconds = bench.size(*_SECONDS)
    last = _SIDES[bench.full]
    rows: list[tuple[Cell, ...]] = []
    proofs: list[tuple[str, Proof]] = []
    for side in range(1, last + 1):
        found: list[Cell] = []
        for title, options in _GAMES:
            solution = _solved(f"{side}^2{':' if options else ''}{options}", seconds)
            found.append(_who(solution))
            if solution.strategy is not None and solution.known.decided:
                name = f"{side}-{title.lower().replace(' ', '-')}.oxo"
                proofs.append((name, solution.strategy))
            bench.task.report_progress((side - 1) * len(_GAMES) + len(found), last * len(_GAMES))
        rows.append((side, *found))
    columns = ("n", *(title for title, _ in _GAMES))
    yield Section(
        "Who wins on squares",
        _TEXT,
        Table("squares", "Who wins n^2", columns, tuple(rows)),
        _certificates(proofs),
        *(proof_file(name, proof) for name, proof in proofs),
    )


def _solved(spec: str, seconds: float) -> Solution:
    """Solve a game; races and Maker-Breaker games with a checked proof."""
    # For a draw it is the second player's half: the first does not lose, by strategy stealing.
    game = Game(spec)
    if Trait.AVOIDER_ENFORCER in game.traits:
        return solve(game, seconds=seconds)
    drawn = (
        game.convention.full_board == 0
        and solve(game, seconds=seconds, value_only=True).value == "draw"
    )
    with tempfile.TemporaryDirectory() as folder:
        seat = 2 if drawn else None
        return solve(game, seconds=seconds, proof=Path(folder) / "proof", proof_seat=seat)


def _who(solution: Solution) -> str:
    """Name the winner by role."""
    if not solution.known.decided:
        return "open"
    if solution.known.value is Value.DRAW:
        return "draw"
    names = {
        "strong": ("first", "second"),
        "maker-breaker": ("Maker", "Breaker"),
        "avoider-enforcer": ("Avoider", "Enforcer"),
    }
    winner = solution.winner
    assert winner in (1, 2)
    return names[solution.position.game.convention.name][winner - 1]


def _certificates(proofs: list[tuple[str, Proof]]) -> Table:
    kinds = Counter(type(proof).__name__ for _, proof in proofs)
    listed = ", ".join(f"{count} of {kind}" for kind, count in sorted(kinds.items()))
    rows = tuple((name, proof.statement, proof_size(proof)) for name, proof in proofs)
    text = f"Each was checked when it was made: {listed}."
    return Table("proofs", "Proofs, and their rows", ("file", "claim", "size"), rows, text)


_TEXT = (
    "The race is ordinary play: who completes a line first. In Maker-Breaker play the Maker takes "
    "the first move unless it says otherwise; 2+1 means that the Maker takes two cells a turn and "
    "the Breaker one. In Avoider-Enforcer play the Avoider loses by completing a line. All values "
    "are found by theorems and searches, and those of races and of Maker-Breaker games have proofs "
    "that 'oxo verify' checks. 'open' is what was not decided in the time given; more of it "
    "decides more."
)


STUDY = Study(
    "squares",
    "Every square board, in many games",
    "Values of races on n^2 are classical; the table is ours.",
    squares,
)
