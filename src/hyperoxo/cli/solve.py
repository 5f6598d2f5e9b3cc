"""`oxo solve`: the value of a game or a position, and of every move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.cli.output import FAILED, command_line, one_of_each_class
from hyperoxo.cli.progress import Progress, figures
from hyperoxo.cli.prove import suggestions
from hyperoxo.extensions import extensions
from hyperoxo.methods import METHODS, added_method, added_methods, method_names

if TYPE_CHECKING:
    from pathlib import Path

    from hyperoxo.solvers.maker_breaker.search import MakerProgress

_QUESTIONS = ("value_only", "best_move", "every_move")
_EXACT_SECONDS = 30.0
_PROOF_SECONDS = 600.0
_ADDED = added_methods()
_OF = {
    "exact": ("proof_seat",),
    "proof": ("width", "attacker", "megabytes", "threads", "suggest", "leaves", "checkpoint"),
    **{
        name: (*(one.name or "" for one in found.options), *found.takes)
        for name, found in _ADDED.items()
    },
}
"""Options of each method, which the help has only with that method."""
_OF_SEARCH = tuple(name for name in _OF["proof"] if name != "attacker")
_OF_MAKERS = ("megabytes", "checkpoint")
*_MOST, _LAST = ("Exact search", "proof search", *(found.about for found in _ADDED.values()))


class SolveCommand(click.Command):
    """A command whose help lists the options of one method only if that method is named."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options that go with any method, and those of the method that is named."""
        own = _OF.get(ctx.params.get("method", ""), ())
        others = {name for names in _OF.values() for name in names} - {*own}
        own_options = (one for one in self.get_params(ctx) if isinstance(one, click.Option))
        shown = [one for one in own_options if one.name not in others]
        with formatter.section("Options"):
            formatter.write_dl([row for one in shown if (row := one.get_help_record(ctx))])


@cli.command("solve 3^3 --proof win.oxo", "solve 4^3 --value-only", cls=SolveCommand)
def command(
    options: cli.Options,
    start: ox.Position = cli.start(),
    proof: Path | None = cli.output_file("Write a proof of the value, after a check."),
    proof_seat: int | None = cli.number(
        "Player whose value the proof establishes.", 1, metavar="K"
    ),
    seconds: float | None = cli.seconds_limit(
        None, "Time limit; default: 30 for exact search, 600 for proof search."
    ),
    value_only: bool = cli.flag("Stop at the value."),
    best_move: bool = cli.flag("Stop at the value, the plies and a best move."),
    every_move: bool = cli.flag("Decide every move, as far as the limits allow."),
    nodes: int = cli.number("Limit on positions visited.", 0, default=0, show_default=False),
    concept: str = cli.choice(
        "maxn: each of several players plays only for themselves.",
        ["exact", "maxn"],
        default="exact",
        show_default=False,
    ),
    method: str = cli.choice(
        f"{', '.join(_MOST)}, or {_LAST}; auto takes what stored proofs decide, and proof "
        "search on the large boards it supports. With --method first, --help has the options of "
        "that method.",
        method_names(),
        default="auto",
        is_eager=True,
        show_default=False,
    ),
    width: int | None = cli.number(
        "Proof search: limit on the moves tried in a position; 0 for all.", 0
    ),
    attacker: int | None = cli.number(
        "Proof search: seek only a win of this player, 1 or 2, not of both in turn; that there is "
        "none is also a bound.",
        1,
        2,
        metavar="SEAT",
    ),
    megabytes: int = cli.MEMORY,
    threads: int = cli.THREADS,
    suggest: str | None = cli.input_file(
        "Proof search: moves to try first, as a dictionary in Thompson's form."
    ),
    leaves: str = cli.choice(
        "Proof search: store the forced sequences in FILE, or let the checker find them.",
        ["derived", "stored"],
        default="derived",
        show_default=False,
    ),
    checkpoint: Path | None = cli.output_file(
        ", ".join(["Proof search", *_ADDED, "Maker-Breaker and Avoider-Enforcer games"])
        + ": save the tables here from time to time, and resume from them."
    ),
    every: bool = cli.EVERY_MOVE,
    numbers: bool = cli.NUMBERS,
) -> int:
    """Find who wins GAME, in how many plies, and the value of each move.

    The first answer comes at once. With the value, the plies and a best move at hand, the search
    takes about as long again for other moves; --every-move decides all of them, --best-move and
    --value-only none.

    With three or more players: the value that the player to move can force against all the others
    together. A value beyond the limits is unknown, with proved bounds.
    """
    from hyperoxo.solvers.limits import suits
    from hyperoxo.solvers.maker_breaker.bounds import MakerSettings, decides
    from hyperoxo.solvers.solution import Question

    # 1. Refuse options that exclude each other.
    if attacker is not None and (concept != "exact" or method == "exact"):
        other = "--concept maxn" if concept != "exact" else "--method exact"
        raise click.BadParameter(f"it is for proof search, not {other}", param_hint="'--attacker'")
    if value_only + best_move + every_move > 1:
        raise click.UsageError("--value-only, --best-move and --every-move exclude each other")
    moves = True if every_move else False if best_move else None
    for name, found in _ADDED.items():
        for option in () if name == method else cli.given(*(one.name for one in found.options)):
            raise click.BadParameter(f"it is for --method {name}", param_hint=f"'{option}'")
    # 2. A method of another package.
    if method not in METHODS:
        if concept != "exact":
            raise click.UsageError(f"--method {method} does not go with --concept maxn")
        solution = _by_added(method, start, proof, seconds, options)
        return _report(solution, proof, options, every=every, numbers=numbers)
    # 3. Choose between proof search and exact search; name the options without effect.
    by_proof = method == "proof" or (method == "auto" and (attacker is not None or suits(start)))
    by_proof = by_proof and concept == "exact"
    maker_breaker = decides(start.game)
    without = {"proof_seat"} if by_proof else {*_OF_SEARCH}
    without -= {*(_OF_MAKERS if maker_breaker else ())}
    if unused := cli.given(*sorted(without)):
        kind = "proof" if by_proof else "this" if maker_breaker else "exact"
        options.note(f"{', '.join(unused)}: without effect, as {kind} search finds the value")
    # 4. Proof search.
    if by_proof:
        from hyperoxo.solvers.proofsearch.driver import ProofSettings, solve_by_proof

        settings = ProofSettings(
            megabytes=megabytes,
            threads=threads,
            width=width,
            checkpoint=checkpoint,
            asked=Question.of(value_only=value_only, moves=moves),
            attacker=attacker,
            suggestions=suggestions(start.game, suggest),
            stored=method == "auto" and attacker is None,
        )
        with options.progress() as status:
            solution = solve_by_proof(
                start,
                seconds=_PROOF_SECONDS if seconds is None else seconds,
                nodes=nodes,
                settings=settings,
                proof=proof,
                stored=leaves == "stored",
                creator=command_line(),
                on_progress=lambda what, progress: status.line(f"{what}: {figures(progress)}"),
                update=lambda so_far: _announce(so_far, status, numbers),
            )
        return _report(solution, proof, options, every=every, numbers=numbers)
    # 5. Exact search, max^n, or the search of Maker-Breaker games.
    with options.progress("solving") as progress:
        solution = ox.solve(
            start,
            seconds=_EXACT_SECONDS if seconds is None else seconds,
            nodes=nodes,
            concept=concept,
            method=method,
            value_only=value_only,
            moves=moves,
            proof=proof,
            proof_seat=proof_seat,
            creator=command_line(),
            progress=progress,
            update=lambda so_far: _announce(so_far, progress, numbers),
            makers=MakerSettings(
                megabytes=megabytes,
                checkpoint=checkpoint,
                on_progress=lambda found: progress.line(_maker_progress(found)),
            ),
        )
    return _report(solution, proof, options, every=every, numbers=numbers)


def _by_added(
    name: str, start: ox.Position, proof: Path | None, seconds: float | None, options: cli.Options
) -> ox.Solution:
    """Solve by a method of another package."""
    method, values = added_method(name), click.get_current_context().params
    unused = cli.given(*sorted({*_OF_SEARCH, *_QUESTIONS, "proof_seat"} - {*method.takes}))
    if unused:
        options.note(f"{', '.join(unused)}: without effect, as {method.sought} is searched")
    taken = (*(one.name for one in method.options), *method.takes)
    with options.progress(f"seeking {method.sought}") as status:
        found: ox.Solution = method.solve(
            start,
            seconds=_PROOF_SECONDS if seconds is None else seconds,
            proof=proof,
            creator=command_line(),
            report=status.line,
            **{one: values[one] for one in taken},
        )
    return found


def _announce(so_far: ox.Solution, status: Progress, numbers: bool) -> None:
    """Report the value while plies and moves are still searched."""
    from hyperoxo.game import move_name
    from hyperoxo.game.messages import can_force, in_plies

    if so_far.known.decided:
        value = f"player {so_far.player} {can_force(so_far.known)}{in_plies(so_far.remoteness)}"
        move, others = "", "the"
        if so_far.best is not None:
            named = f"cell {so_far.best}" if numbers else move_name(so_far.game, so_far.best)
            move, others = f" ({named})", "other"
        status.known(f"{value}{move}; looking at {others} moves")


def _maker_progress(found: MakerProgress) -> str:
    if found.rows:
        done = f"building the proof: {found.rows:,} rows"
    else:
        done = f"who wins: proof number {found.proof:,}, disproof number {found.disproof:,}"
    return f"{done}, {found.nodes:,} nodes, {found.seconds:.0f} s"


def _report(
    solution: ox.Solution, proof: Path | None, options: cli.Options, *, every: bool, numbers: bool
) -> int:
    from hyperoxo.game import Why

    more: dict[str, Any] = {}
    if not options.json:
        rows = solution.rows
        if numbers:
            rows = [{**row, "move": row["cell"]} for row in rows]
        more = one_of_each_class(rows, solution.position, every=every)
    options.show(solution, **more)
    if solution.interrupted:
        return options.interrupted("the bounds are those proved so far")
    if any(reason.code is Why.MOVES_LEFT_OPEN for reason in solution.known.reasons):
        options.note("--every-move decides the other moves too")
    if not solution.known.decided and "research" not in extensions("hyperoxo.sources"):
        options.note("hyperoxo_research, which knows more games, is not installed")
    if proof is not None and solution.proof is None:
        options.note(solution.evidence[-1])
        return FAILED
    return 0


_at = [one.name for one in command.params].index("attacker")
command.params[_at:_at] = [option for found in _ADDED.values() for option in found.options]
