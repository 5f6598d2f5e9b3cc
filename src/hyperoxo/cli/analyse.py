"""`oxo analyse`: a game move by move, one position, or an agent's move and its reasons."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.cli.output import INTERRUPTED, one_of_each_class, read_records
from hyperoxo.display import as_data, parts
from hyperoxo.errors import NotationError

if TYPE_CHECKING:
    from rich.table import Table

    from hyperoxo.play.analysis import Analysis, RecordAnalysis

_SHOWN = 20

Found = TypeVar("Found")


@cli.command("analyse game.oxo --seconds 5", "analyse --game 3^2 --moves 4,0,8")
def command(
    options: cli.Options,
    source: str | None = cli.argument("[FILE]", cli.FILE, required=False),
    game: ox.Game | None = cli.option("The game, if FILE does not name it.", cli.GameType()),
    moves: str | None = cli.option("The moves of a game instead of a FILE: 13,0,14.", metavar="M"),
    position: str | None = cli.position("A single position: one character per cell, or moves:0,3."),
    from_: str | None = cli.option("Notation of FILE.", cli.NotationType(), spelled="--from"),
    seconds: float = cli.seconds_limit(1.0, "Time limit per move.", most=1e6),
    spec: str | None = cli.agent("For a position: ask this agent for a move.", metavar="A"),
    energy: str | None = cli.option(
        "For a position: its value by this heuristic, line by line.", metavar="NAME"
    ),
    every: bool = cli.EVERY_MOVE,
) -> int:
    """Show the value of each move of the game in FILE, and the move that lost it.

    FILE may be in any notation that 'oxo convert' reads; - is standard input. Values are proofs (W
    5: a win in 5 moves, = a draw, L 4: a loss in 4) or estimates of a search tree, as percentages.
    Only a proof makes a move a mistake.

    With --agent or --energy, the position is that of --position or --moves, or the start.
    """
    if spec is not None or energy is not None:
        if game is None or source is not None or (moves is not None and position is not None):
            raise click.UsageError("--agent and --energy need --game, and --position or --moves")
        text = position if moves is None else f"moves:{moves.removeprefix('moves:')}"
        start = game.start() if text is None else game.position(text)
        print_reasons(start, spec or EXPERT, energy, options)
        return 0
    if [source, moves, position].count(None) != 2:
        raise click.UsageError("name a FILE, or --game with --moves or --position")
    if source is None and game is None:
        raise click.UsageError("--moves and --position need --game")
    if position is not None:
        assert game is not None
        return _one_position(game, position, seconds, options, every=every)
    if source is not None:
        _, records = read_records(source, from_, options.note, game=game)
        if not records:
            raise NotationError(f"{source} holds no game")
    else:
        assert game is not None
        records = [ox.Record.of(game.position(f"moves:{(moves or '').removeprefix('moves:')}"))]
    return _games(records, seconds, options, every=every)


def _one_position(
    game: ox.Game, text: str, seconds: float, options: cli.Options, *, every: bool
) -> int:
    from hyperoxo.play.analysis import analyse_position

    position = game.position(text)
    seed = options.seed or 0

    def work(stop: threading.Event) -> Analysis:
        return analyse_position(position, seconds=seconds, stop=stop, seed=seed)

    found, interrupted = _stoppable(work)
    options.emit(found.as_data(), lambda: _of_position(game, found, every=every))
    return INTERRUPTED if interrupted else 0


def _games(records: list[ox.Record], seconds: float, options: cli.Options, *, every: bool) -> int:
    from hyperoxo.play.analysis import analyse_record

    found: list[RecordAnalysis] = []
    interrupted = False
    total = sum(len(record.moves) for record in records)
    with options.progress("analysing") as progress:
        for record in records:
            done = sum(len(one.plies) for one in found)

            def work(
                stop: threading.Event, record: ox.Record = record, done: int = done
            ) -> RecordAnalysis:
                return analyse_record(
                    record,
                    seconds=seconds,
                    stop=stop,
                    seed=options.seed or 0,
                    on_progress=lambda so_far: progress(done + len(so_far.plies), total),
                )

            one, interrupted = _stoppable(work)
            found.append(one)
            if interrupted:
                break
    answer = {"games": [one.as_data() for one in found]}
    options.emit(answer, lambda: _of_games(records, found, every=every))
    return options.interrupted("these are the results so far") if interrupted else 0


def _stoppable(work: Callable[[threading.Event], Found]) -> tuple[Found, bool]:
    """Run work in a thread; on Ctrl-C ask it to stop, and wait for its result so far."""
    from hyperoxo.processes import delayed_interrupts
    from hyperoxo.task import begin

    stop = threading.Event()
    interrupted = False
    future = None
    while True:
        try:
            # Ctrl-C that comes while the work begins is heard when it has.
            with delayed_interrupts():
                future = begin(lambda: work(stop)) if future is None else future
            return future.result(), interrupted
        except KeyboardInterrupt:
            interrupted = True
            stop.set()


_POSITION = """
{head}
{reason}
|rows| move | alike? | value={told} | max^n? | source | tries={visits} |
?more {more}
*completed {}
*steps {}
?expected expected: {expected:;-}
*evidence   {}
"""


def _of_position(game: ox.Game, found: Analysis, *, every: bool) -> Iterator[str | Table]:
    from hyperoxo.game import cell_name, move_name
    from hyperoxo.play.analysis import short_value
    from hyperoxo.play.board_style import BoardStyle

    style = BoardStyle.of(game.players)
    if not found.moves:
        yield found.reason
        return
    moves = [
        {
            "cell": move.cell,
            "move": move_name(game, move.cell),
            "told": short_value(move),
            "max^n": move.maxn,
            "source": move.source,
            "visits": move.visits or "",
        }
        for move in found.moves
    ]
    position = game.position(found.position)
    texts = {
        "head": f"{style.name(found.player)} to move: {_describe_value(found)}",
        "completed": [
            f"{style.name(one.player)} would complete a line at "
            f"{', '.join(cell_name(game, cell) for cell in one.cells[:_SHOWN])}."
            for one in found.threats
            if one.cells
        ],
        "steps": [
            f"  {style.icon(step.player)} {move_name(game, step.cell)}"
            f"{f': {step.note}' if step.note else ''}"
            for step in found.forced
        ],
        **one_of_each_class(moves, position, every=every, most=_SHOWN),
    }
    data = {
        "reason": found.reason,
        "expected": found.variation if found.variation[1:] else (),
        "evidence": found.evidence,
    }
    yield from parts(None, _POSITION, {**data, **texts})


def _describe_value(found: Analysis) -> str:
    from hyperoxo.game.messages import NOUN, can_force, in_plies, range_of

    value = found.known.value
    if value is None:
        return f"value not proved: {range_of(found.known)}"
    if value == "nothing":
        return can_force(found.known)
    ends = value != "draw"
    return NOUN[value] + (in_plies(found.remoteness, found.within) if ends else "")


_GAME = """
{game}{names}, result {result}
|plies| move={number} | by | cell={name} | before | played={told} | verdict | ={sentence} |
*sentences {}
"""


def _of_games(
    records: list[ox.Record], found: list[RecordAnalysis], *, every: bool
) -> Iterator[str | Table]:
    """Yield the text of games, with blank lines between them."""
    from hyperoxo.game import move_name
    from hyperoxo.play.analysis import short_value
    from hyperoxo.play.board_style import BoardStyle

    for number, (record, one) in enumerate(zip(records, found, strict=False)):
        if number:
            yield ""
        style = BoardStyle.of(record.game.players)
        plies = [
            {
                "number": ply.number,
                "by": style.icon(ply.player),
                "name": move_name(record.game, ply.cell),
                "before": short_value(ply),
                "told": short_value(ply.played),
                "verdict": ply.verdict if ply.verdict != "open" else "",
                "sentence": ply.sentence,
            }
            for ply in one.plies
        ]
        data = {
            "game": one.game,
            "names": f", {' - '.join(one.players)}" if one.players else "",
            "result": one.result or "*",
            "plies": plies,
            "sentences": one.report.sentences,
        }
        yield from parts(None, _GAME, data)
        if one.final is not None:
            yield from _of_position(record.game, one.final, every=every)


# An agent's move and its reasons, also by the old name `oxo explain`.

EXPERT = "expert"
"""The agent that is asked, unless another is named."""

_LISTED = 12
_ENERGY = """
energy by {energy.heuristic}: {each}
|lines| line={cells:;-} | %s |
?more_lines and {more_lines} more
"""
_REASONS = """
{said}
*proved {}
|listed| move | score={score:.6g} |
?more_cells and {more_cells} more
"""
_SEARCH = """
?line best line: {line:;-}
?visits_by_depth depth {depth}{exactly}; {nodes:#position} visited
?visited by depth: {visited:,d}
?maxstates maxstates of a whole game: {maxstates:,}
{seconds:.3f} s
"""


@cli.command("explain 3^3 --agent ising", "explain 3^2 --position moves:4,0 --agent minimax")
def explain(
    options: cli.Options,
    start: ox.Position = cli.start(),
    spec: str = cli.agent("The agent to ask.", default=EXPERT),
    energy: str | None = cli.option(
        "Also show what this heuristic gives the position and each line, to every player. The "
        "coupling, field and c of --agent ising apply.",
        metavar="HEURISTIC",
    ),
) -> None:
    """Ask an agent for a move: the cells it considered, their scores, and the reason.

    With --energy, also what a heuristic gives the position and each of its lines; then the
    game may be over, and no agent is asked.

    For minimax, also the principal variation, the positions visited at each depth and, with two
    players and a fixed depth, the most positions that plain minimax could visit in a whole game.
    """
    print_reasons(start, spec, energy, options)


def print_reasons(start: ox.Position, spec: str, weighed: str | None, options: cli.Options) -> None:
    """Print an agent's move and its reasons, and the energy of the position."""
    from hyperoxo.jit import working_time

    asked = ox.agent(spec)
    asked.check(start.game)
    begin = working_time()
    shown = {} if weighed is None else {"energy": _energy(start, asked, weighed)}
    if shown and start.is_over:
        answer: dict[str, Any] = {"game": str(start.game), **shown}
        template, more = _energy_text(answer["energy"])
        options.emit(answer, template, **more)
        return
    explanation = asked.explain(start, options.rng())
    if explanation is None:
        move = asked.choose(start, options.rng())
        answer = {"move": move, "reason": None, "candidates": []}
    else:
        answer = as_data(explanation, "move reason")
        answer["candidates"] = [
            {"cell": cell, "score": score} for cell, score in explanation.candidates
        ]
        extras = ("variation", "visits", "simulations")
        answer |= {one: getattr(explanation, one) for one in extras if hasattr(explanation, one)}
    answer |= {"game": str(start.game), "agent": asked.spec, **_visits(asked, start), **shown}
    answer["seconds"] = round(working_time() - begin, 6)
    if options.json:
        options.emit(answer, "")
        return
    between, more = _energy_text(answer["energy"]) if shown else ("", {})
    template = f"{_REASONS.strip()}\n{between.strip()}\n{_SEARCH.strip()}".replace("\n\n", "\n")
    options.emit(answer, template, **more, **_reasons(answer, start))


def _energy(position: ox.Position, asked: ox.Agent, name: str) -> dict[str, Any]:
    """Return the energy of a position, by the agent's own line heuristic where that is named."""
    from hyperoxo.agents.scored import IsingAgent
    from hyperoxo.heuristics import as_heuristic

    if not isinstance(asked, IsingAgent) or asked.heuristic.name != as_heuristic(name).name:
        return ox.energy(position, name).as_data()
    strengths = {"coupling": asked.coupling, "field": asked.field}
    return ox.energy(position, asked.heuristic, **strengths).as_data()


def _visits(asked: object, position: ox.Position) -> dict[str, Any]:
    """Return the figures of minimax alone: positions visited by depth, and their bound."""
    from hyperoxo.agents.minimax import MinimaxAgent
    from hyperoxo.solvers.exact.minimax import maxstates

    if not isinstance(asked, MinimaxAgent) or asked.reading == "published":
        return {}
    found = asked.search(position)
    more = as_data(found, "depth exact nodes variation visits_by_depth=visits")
    if asked.depth is not None and position.game.players == 2:
        more["maxstates"] = maxstates(position.game.cells, asked.depth)
    return more


def _proved(position: ox.Position, move: int) -> list[str]:
    """Return the verdict of a stored proof on a move, whatever the agent thinks of it."""
    from hyperoxo.game import Bounds, cell_name
    from hyperoxo.game.messages import DOES
    from hyperoxo.solvers.sources import bounds_by_stored_proofs

    said = bounds_by_stored_proofs(position)
    value = said.moves.get(move, Bounds()).value
    winner = said.own.winner(position.to_move, position.game.players)
    if value is None and not winner:
        return []
    won = f"Player {winner} wins here, but of this move nothing is proved."
    head = won if value is None else f"Cell {cell_name(position.game, move)} {DOES[value]}: proved."
    return [head, *map(str, said.own.reasons)]


def _energy_text(found: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the template of an energy, and its values that are not in the data."""

    def size(row: dict[str, Any]) -> float:
        return sum(float("inf") if value is None else abs(value) for value in row["players"])

    seats = range(1, len(found["players"]) + 1)
    columns = " | ".join(f"player {seat}={{players.{seat - 1}:.6g?∞}}" for seat in seats)
    each = [
        f"{'∞' if worth is None else format(worth, '.6g')} to player {seat}"
        for seat, worth in zip(seats, found["players"], strict=True)
    ]
    lines = sorted((row for row in found["lines"] if size(row)), key=size, reverse=True)
    more = max(0, len(lines) - _LISTED)
    return _ENERGY % columns, {"each": each, "lines": lines[:_LISTED], "more_lines": more}


def _reasons(answer: dict[str, Any], start: ox.Position) -> dict[str, Any]:
    """Return the values of the text that are not in the data."""
    from hyperoxo.game import move_name

    move, name = answer["move"], partial(move_name, start.game)
    candidates = [{**row, "move": name(row["cell"])} for row in answer["candidates"]]
    return {
        "said": answer["reason"] or f"{name(move)}; this agent gives no reasons.",
        "line": list(map(name, answer.get("variation", ()))),
        "proved": _proved(start, move),
        "listed": candidates[:_LISTED] if len(candidates) > 1 else [],
        "more_cells": max(0, len(candidates) - _LISTED),
        "exactly": ", exact" if answer.get("exact") else "",
        "visited": answer.get("visits_by_depth", [])[1:],
    }
