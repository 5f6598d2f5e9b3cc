"""Positions with exact values, as Parquet for learners and as JSON lines for language models.

Both forms are written piece by piece and appear under their names once they are complete; the same
games, options and seed give the same rows in the same order.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.display import Result, number_of
from hyperoxo.errors import LimitError, SpecError
from hyperoxo.files import atomic, by_suffix
from hyperoxo.game import Game, Position, Positions, Value, spelled
from hyperoxo.game.describe import describe_rules
from hyperoxo.game.messages import enumerated
from hyperoxo.learn.splits import SPLITS, classes_of, splits_of
from hyperoxo.learn.truth import all_classes, random_positions
from hyperoxo.proof import prevention_text, strategy_text
from hyperoxo.solvers.arrays import symmetries_of
from hyperoxo.solvers.coalition.search import COALITIONS, GOALS, forcing, prevention_of, strategy_of
from hyperoxo.solvers.move_values import MoveValues, values_of_some
from hyperoxo.solvers.states.graph_files import parquet_modules
from hyperoxo.task import Progress, Stop, Task, in_order, slices


@lru_cache(maxsize=64)
def rules_text(game: Game) -> str:
    """Return all rules of a game as text, with its lines."""
    board, cells = game.board, number_of(game.cells, "cell")
    said = [f"This is a game of {game.players} players on {cells}, numbered as in the board below."]
    order = enumerated([f"player {player}" for player in range(1, game.players + 1)])
    put = ("a stone", "a free cell") if game.turns.alternate else ("stones", "free cells")
    said.append(f"In turn, {order} put {put[0]} of their own on {put[1]}.")
    lines = ", ".join("-".join(map(str, board.line(i).tolist())) for i in range(board.line_count))
    said.append(f"The lines are {lines}." if lines else "There are no lines.")
    said.append("A line is full when one player has stones on all its cells.")
    if game.target == 1 and not game.misere and not game.convention.rules:
        said.append("A player with a full line wins.")
    said += describe_rules(game, numbers=True)
    if not game.convention.rules:
        said.append(_at_the_end(game))
    if game.misere and game.players > 2:
        said.append("When a player loses, all the others win.")
    return " ".join(said)


def _at_the_end(game: Game) -> str:
    if game.target == 1:
        return "If the board is full and no player has a full line, the game is a draw."
    if game.misere:
        return "On a full board the player with the fewest full lines wins; a tie is a draw."
    return "If several players have the most full lines on a full board, the game is a draw."


def board_text(position: Position) -> str:
    """Draw the board: free cells by their numbers, stones as P1, P2, ..., blocked cells as #."""
    game = position.game
    shape = game.board.shape or (len(position.owners),)
    names = [
        str(cell) if owner == 0 else "#" if owner > game.players else f"P{owner}"
        for cell, owner in enumerate(position.owners)
    ]
    width = max(map(len, names))
    rows = []
    for first in range(0, len(names), shape[-1]):
        if len(shape) > 1 and first and first % (shape[-1] * shape[-2]) == 0:
            rows.append("")
        rows.append(" ".join(f"{name:>{width}}" for name in names[first : first + shape[-1]]))
    return "\n".join(rows)


def prompt(position: Position) -> str:
    """Return the prompt for the best move in a position."""
    moves = ", ".join(map(str, position.legal_moves))
    mover = f"Player {position.to_move}"
    aim = (
        "A best move wins as soon as it can, draws if it cannot win, and loses as late as it can."
        if position.game.players == 2
        else "A best move wins if that can be forced against all the others together, or else "
        "keeps all the others from winning if that can be forced."
    )
    return (
        f"{rules_text(position.game)}\n\n{board_text(position)}\n\n"
        f"Free cells show their numbers, Pk is a stone of player k. {mover} is to move; the legal "
        f"moves are {moves}. {aim} Which cell is a best move of {mover.lower()}? "
        "Answer with its number."
    )


__all__ = ["Dataset", "dataset"]

# Batches of random games: small games repeat their positions, so one batch may give too few.
_TRIES = 20
LONGEST = 4_000
"""Most characters of the proofs of one position together."""
_MOST_NODES = 200_000
_CREATOR = "oxo dataset"


@dataclass(frozen=True)
class Dataset(Result):
    """Summary of a data set that was written.

    Attributes
    ----------
    file : str
        The file.
    games : dict
        Positions by game.
    splits : dict
        Positions by split.
    """

    file: str
    games: dict[str, int]
    splits: dict[str, int]

    @property
    def positions(self) -> int:
        """Positions in all."""
        return sum(self.games.values())

    _data = "file positions games splits"
    _text = """
|games| game={key} | positions={value} |
{positions:#position} in {file}: {splits}
"""


@dataclass(frozen=True)
class _Rows:
    """Some positions of one game with their values, classes and splits."""

    found: MoveValues
    orbits: NDArray[np.int64]
    splits: list[str]
    count: int
    """Classes of the game in the data set."""


def dataset(
    games: Game | str | Sequence[Game | str],
    out: str | Path,
    *,
    positions: int | None = None,
    all_images: bool = False,
    seed: int = 0,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Dataset:
    """Write positions with their exact values to a file.

    Each class of positions under the symmetries of its game belongs to one split, ``train``,
    ``validation`` or ``test``, so that no test position is a training position in another
    orientation. See the page on truth for the columns.

    Parameters
    ----------
    games : Game, str or sequence of them
        The games.
    out : str or path-like
        The file: ``.parquet`` (needs the extra ``tables``) or ``.jsonl``, with prompts.
    positions : int, optional
        Most classes of each game, sampled from random games; all by default.
    all_images : bool
        Whether to write every position of a class, not one.
    seed : int
        Seed of the random games.
    workers, executor
        Where the work runs, as in `enumerate_states`; the file does not depend on it.
    progress : callable, optional
        Called with (classes done, all classes) of each game.
    stop : Stop, optional
        An event that any thread may set to end the work early.

    Returns
    -------
    Dataset
        Numbers of positions.

    Raises
    ------
    SpecError
        If a spec makes no sense, or the name of the file has another ending.
    LimitError
        If the positions of a game are too many to list, or its symmetries, or a value is not found.
    MissingExtraError
        If PyArrow is not installed.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     dataset("3^2", folder + "/classic.jsonl").positions
    627
    """
    path = Path(out)
    size, content, writer = by_suffix(path, _FORMS)
    listed = [*map(Game, [games] if isinstance(games, Game | str) else games)]
    if not listed:
        raise SpecError("a data set needs a game")
    by_game: Counter[str] = Counter()
    by_split: Counter[str] = Counter(dict.fromkeys(SPLITS, 0))

    def contents(task: Task) -> Iterator[Any]:
        for game in listed:
            # Anew for each game: its rows do not depend on the games beside it.
            rng = np.random.default_rng(seed)
            chosen = all_classes(game)[0] if positions is None else _sampled(game, positions, rng)
            parts = slices(len(chosen), size)
            pieces = [(content, chosen[part], len(chosen), all_images) for part in parts]
            for splits, found in in_order(task.spread(_content, pieces, parts)):
                by_game[str(game)] += len(splits)
                by_split.update(splits)
                yield found

    with Task.shared(progress, workers, executor, stop) as task, atomic(path) as beside:
        writer(beside, contents(task))
    return Dataset(str(path), dict(by_game), dict(by_split))


def _content(
    content: Callable[[_Rows], Any], some: Positions, count: int, all_images: bool, task: Task
) -> tuple[list[str], Any]:
    """Return splits and content of the rows of some classes."""
    if all_images:
        images = (np.unique(row[symmetries_of(some.game)], axis=0) for row in some.owners)
        some = Positions(some.game, np.concatenate([*images]))
    found, splits = values_of_some(some, count, task), splits_of(some).tolist()
    rows = _Rows(found, classes_of(some)[1], [SPLITS[split] for split in splits], count)
    return rows.splits, content(rows)


def _sampled(game: Game, count: int, rng: np.random.Generator) -> Positions:
    """Return one position of each of at most `count` classes, from random games."""
    if count < 1:
        raise SpecError(f"the number of positions must be positive, not {count}")
    found: dict[bytes, NDArray[np.uint8]] = {}
    for _ in range(_TRIES):
        drawn = random_positions(game, count, None, rng)
        for key, row in zip(classes_of(drawn)[0], drawn.owners, strict=True):
            found.setdefault(key.tobytes(), row)
        if len(found) >= count:
            break
    return Positions(game, np.stack([*found.values()][:count]))


# Columns.


def _columns(rows: _Rows) -> dict[str, Any]:
    """Return the columns of the data set; those by move have the shape (positions, cells)."""
    found, game = rows.found, rows.found.positions.game
    words = {1: "win", 0: "draw", -1: str(Value.least(game.players))}
    own = found.positions.plies
    # Best moves of a position have one remoteness; -1 where no move or no number is known.
    pace = np.where(found.best, found.remoteness, -1).max(axis=1)
    return {
        "game": [str(game)] * len(found),
        "position": [spelled(owners.tobytes()) for owners in found.positions.owners],
        "ply": own,
        "to_move": [game.turns.mover(ply) for ply in own.tolist()],
        "value": [words[value] for value in found.value.tolist()],
        "remoteness": [None if plies < 0 else plies for plies in pace.tolist()],
        "legal": found.legal,
        "keeps": found.keeps,
        "best": found.best,
        "move_values": found.values,
        "move_remoteness": found.remoteness,
        "orbit": rows.orbits,
        "split": rows.splits,
    }


_MASKS = ("legal", "keeps", "best")
_BY_MOVE = ("move_values", "move_remoteness")


def _write_parquet(path: Path, parts: Iterator[dict[str, Any]]) -> None:
    pa, parquet = parquet_modules()
    text = pa.dictionary(pa.int32(), pa.string())
    kinds: dict[str, Any] = {
        "game": text, "position": pa.string(), "ply": pa.int16(), "to_move": pa.int8(),
        "value": text, "remoteness": pa.int16(),
        **dict.fromkeys(_MASKS, pa.list_(pa.int16())),
        "move_values": pa.list_(pa.int8()), "move_remoteness": pa.list_(pa.int16()),
        "orbit": pa.int64(), "split": text,
    }  # fmt: skip
    schema = pa.schema(kinds)
    with parquet.ParquetWriter(path, schema) as writer:
        for columns in parts:
            for name in (*_BY_MOVE, *_MASKS):
                mask = columns[name if name in _MASKS else "legal"]
                # The lists of all rows lie end to end: row i has flat[ends[i] : ends[i + 1]].
                ends = np.concatenate([[0], np.cumsum(mask.sum(axis=1))]).astype(np.int32)
                inside = np.nonzero(mask)[1] if name in _MASKS else columns[name][mask]
                flat = pa.array(inside, kinds[name].value_type)
                columns[name] = pa.ListArray.from_arrays(pa.array(ends), flat)
            arrays = [
                column if isinstance(column, pa.Array) else pa.array(column).cast(kinds[name])
                for name, column in columns.items()
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))


def _records(rows: _Rows) -> str:
    """Return a line of JSON for each position."""
    columns, lines, text = _columns(rows), _best_lines(rows), list[str]()
    for number, position in enumerate(rows.found.positions):
        name = f"{columns['game'][number]} {columns['position'][number]}"
        record: dict[str, Any] = {"id": name, "prompt": prompt(position)}
        for name, column in columns.items():
            one = column[number]
            if name in _MASKS:
                record[name] = np.flatnonzero(one).tolist()
            elif name in _BY_MOVE:
                record[name] = one[columns["legal"][number]].tolist()
            else:
                record[name] = one.item() if hasattr(one, "item") else one
        record["line"] = lines[number]
        record["proof"] = proofs_of(position, int(rows.found.value[number]))
        text.append(json.dumps(record, ensure_ascii=False) + "\n")
    return "".join(text)


def _write_text(path: Path, parts: Iterator[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(parts)


def _best_lines(rows: _Rows) -> list[list[int]]:
    """Return the principal variations, with the lowest cell of the best moves."""
    # All positions advance by one ply at a time, those of finished games leave.
    found, game = rows.found, rows.found.positions.game
    lines: list[list[int]] = [[] for _ in range(len(found))]
    running = np.arange(len(found))
    while len(running):
        chosen = found.best.argmax(axis=1)
        # Without a legal move, where the game is over, the value is -2.
        goes_on = found.value >= -1
        running, chosen = running[goes_on], chosen[goes_on]
        owners = found.positions.owners[goes_on].copy()
        movers = [game.turns.mover(ply) for ply in found.positions.plies[goes_on].tolist()]
        owners[np.arange(len(running)), chosen] = movers
        for number, cell in zip(running.tolist(), chosen.tolist(), strict=True):
            lines[number].append(cell)
        if len(running):
            found = values_of_some(Positions(game, owners), rows.count)
    return lines


def proofs_of(position: Position, value: int) -> list[str] | None:
    """Return proofs that together show a value, 1, 0 or -1, to the mover; None if they are long."""
    # A lower bound is shown by a strategy of the mover, an upper one by replies of all others; a
    # draw needs both.
    if not COALITIONS.accepts(position.game):
        return None
    seat, found = position.to_move, list[str]()
    # A line of the file is a board, a space and a move of at least one digit.
    most = LONGEST // (position.game.board.cell_count + len(" 0\n"))
    try:
        for goal, _ in GOALS:
            reached = goal.sign
            # Two answers show a value: its own goal is reached, and the next better one is not.
            if value not in (reached, reached - 1):
                continue
            answer = forcing(position, seat, goal, nodes=_MOST_NODES)
            if answer.forced is not (value == reached):
                return None
            if answer.forced:
                text = strategy_text(strategy_of(answer, most), creator=_CREATOR)
            else:
                text = prevention_text(prevention_of(answer, most=most), creator=_CREATOR)
            found.append(text.decode())
    except LimitError:
        return None
    return found if sum(map(len, found)) <= LONGEST else None


_FORMS: dict[str, tuple[int, Callable[[_Rows], Any], Callable[[Path, Iterator[Any]], None]]] = {
    ".parquet": (1 << 10, _columns, _write_parquet),
    ".jsonl": (1 << 6, _records, _write_text),
}
"""By suffix: classes in a piece of the file, the function of its content, and the writer."""
