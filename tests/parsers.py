"""Everything that reads text or files, with valid examples, for `tools/fuzz.py` and its test."""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import struct
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

from hyperoxo.board import hypercube, read_hypergraph, write_hypergraph
from hyperoxo.errors import HyperoxoError
from hyperoxo.game import Game, Position
from hyperoxo.notation import FORMATS, Record, detect, read, write
from tests.strategies import only_our_errors, play_at_random


@dataclass(frozen=True)
class Parser:
    """Something that reads, and what it is to read."""

    name: str
    about: str
    examples: Callable[[], list[str]]
    read: Callable[[str], object]
    binary: bool = False
    """True if it reads bytes, which stand in the examples as characters of Latin-1."""
    seal: Callable[[str], str] | None = None
    """Repairs the hash of a file, where there is one."""
    allowed: tuple[type[BaseException], ...] = ()
    """Errors of other libraries that its callers expect."""


SPECS = (
    *("3^2", "4^3", "2^2", "3^3:gravity", "7,6,4:gravity=1", "5,5,4:wrap", "4^2:connect=3,wrap=0"),
    *("3^4:target=9,blocked=centre", "3^2:players=3,misere", "6{0+1+2/2+3+4/1+5}", "5{}", "9,9,5"),
    *("3^2:convention=maker-breaker,bias=1+2", "4^2:convention=avoider-enforcer,first=2"),
    *("4^3:opening=poorx2", "3^3:opening=0+4+13x2,blocked=1+7", "1^1", "2,3,1:players=8,first=8"),
)

AGENTS = (
    *("random", "greedy:attack=0.5", "ising:bias=0.5,threats=on", "minimax:depth=2", "level:3"),
    *("mcts:simulations=100", "expert:seconds=1", "puct:simulations=10", "pairing"),
    *("td", "proof", "greedy:threats=on,defend=1", "human"),
)


@cache
def _records() -> tuple[Record, ...]:
    """Games played at random, some of them with names, results and remarks."""
    rng = random.Random(1)
    found = []
    for spec in SPECS:
        position = play_at_random(Game(spec).start(), rng, rng.randrange(3, 9))
        found.append(Record.of(position))
    plain = found[0].position.undo(1)
    found.append(
        Record.of(
            plain,
            players=["Ada", 'Bob \\ "B" ]'],
            icons=["X", "O"],
            free_icon="·",
            resigned=1 if not plain.is_over else None,
            tags={"Event": "Club", "Date": "2026-01-31"},
            comments={0: "begin }", 2: "then\nmore"},
        )
    )
    first = Game("3^2").position("1...2....")
    found.append(Record.of(first.play(5)))
    return tuple(found)


def _written(notation: str) -> list[str]:
    """Return what can be written of the games in one notation."""
    found = []
    for record in _records():
        try:
            found.append(write([record], notation))
        except ValueError:
            continue
    return found


def _tesseracts() -> list[str]:
    game = Game("3^4:target=9,blocked=centre,players=3")
    plain = write([Record(game, (0, 1, 2, 78, 41))], "tesseract").strip()
    inner = plain.replace("\\", "\\\\").replace('"', '\\"')
    return [plain, f'NC4loadGame["{inner}"]', f'"{inner}"']


def _positions() -> list[str]:
    drawn = ["X.O/.X./..O", "X . O\n. X .\n. . O", "1.2|...|..."]
    texts = [record.position.text for record in _records()]
    return [*texts, *drawn, "moves:4,0,8", "moves:", "moves:0,3,60,21"]


_PLACES = ("3^2", "4^3", "3^3:gravity", "3^2:players=3,blocked=0")


@cache
def _places() -> tuple[Position, ...]:
    return tuple(Game(spec).start() for spec in _PLACES)


def _read_game(text: str) -> None:
    assert Game(str(Game(text))) == Game(text)


def _read_position(text: str) -> None:
    for place in _places():
        if only_our_errors(place.game.position, text) is None:
            again = place.game.position(text)
            assert place.game.position(again.text) == again


def _read_move(text: str) -> None:
    from hyperoxo.terminal.typed import is_move_text, read_typed_move

    for position in _places():
        is_move_text(position.game, text)
        with suppress(HyperoxoError):
            read_typed_move(position, text)


def _agent(text: str) -> None:
    from hyperoxo.agents import agent

    agent(text).check(Game("4^3"))


def _any_notation(text: str) -> None:
    detect(text)
    records = read(text)
    for name in FORMATS:
        only_our_errors(partial(write, records), name)


def _boards() -> list[str]:
    named = "#cells\na b c d e\n#blocked\ne\n#lines\na b c\nc d\n"
    return [write_hypergraph(hypercube(3, 2)), named, "0 1 2\n2 3\n", "a b\nb c\n# a remark\n"]


# Proofs.

_HASH = re.compile(r"\A([^\n]*\nsha256 )[0-9a-f]{64}(.*)\Z", re.DOTALL)


def _seal_proof(text: str) -> str:
    found = _HASH.match(text)
    if found is None:
        return text
    digest = hashlib.sha256((found[1] + found[2]).encode("latin-1")).hexdigest()
    return found[1] + digest + found[2]


@cache
def _proofs() -> tuple[str, ...]:
    from hyperoxo.proof.answers import Mirroring, Pairing
    from hyperoxo.proof.coalition import Prevention
    from hyperoxo.proof.registry import proof_text
    from hyperoxo.proof.stored import stored_file
    from hyperoxo.proof.zones import Step, ZonePlan
    from hyperoxo_research.draws.classify import classify
    from hyperoxo_research.proof.filling import Filling
    from hyperoxo_research.proof.filling_cases import Case, End, FillingCases
    from hyperoxo_research.proof.full_board import DrawnBoard
    from hyperoxo_research.proof.keyplan.plan import KeyPlan, PlanState
    from hyperoxo_research.proof.table_bound import TableBound
    from tests.hyperoxo.proof.brute import strategy

    won = strategy("2^2", 1, "win")
    drawn = strategy("3,2,3", 2, "draw")
    assert won is not None
    assert drawn is not None
    values: list[Any] = [
        won,
        drawn,
        Prevention(Game("4^3:players=4"), 1, "no-win", {}),
        Pairing(Game("3{0+1}"), 2, ((0, 1),)),
        Mirroring(Game("3^2:misere"), 1, tuple(range(8, -1, -1))),
        TableBound(Game("2^2"), 2, 3, False, False, ("at 1...", "lost")),
        KeyPlan(Game("5{0+1+2/2+3+4}"), 2, (2,), (PlanState(bytes(1), 0, True),)),
        ZonePlan(Game("6^2"), 2, "draw", {(bytes(36), 0): Step(None, ())}),
        Filling(Game("3{0+1+2}"), tuple((cell, Fraction(2)) for cell in range(3))),
        FillingCases(
            Game("3{0+1+2}"),
            (Case(0, 2), End((2, 1), (0, -9, 9), ((7, ((0, 1), (2, -1), (3, 1))),))),
        ),
        DrawnBoard("3^2", "112221112"),
    ]
    found = [proof_text(value, creator="fuzzing").decode("latin-1") for value in values]
    found += [stored_file("no-draw.oxo", package="hyperoxo_research").decode("latin-1")]
    for spec in ("2^2", "3^2", "3^3", "5^2", "2^5"):
        found.append(classify(spec).proof_text("fuzzing").decode("latin-1"))
    return tuple(found)


def _bytes(read_it: Callable[[bytes], object]) -> Callable[[str], object]:
    """Read the bytes that a text of Latin-1 stands for."""
    return lambda text: read_it(text.encode("latin-1"))


def _verify(data: bytes) -> None:
    from hyperoxo.play.explorer import Explorer
    from hyperoxo.proof import verify

    if verify(data).proved:
        Explorer.read(data).summary()


def _dictionary(data: bytes) -> None:
    from hyperoxo.proof.thompson import read_dictionary

    read_dictionary(data, Game("3^3"))


# Files of JSON.


def _rows_of_games() -> list[str]:
    """The changes of a game as a store of games keeps them, one an array."""
    from hyperoxo.play import changes
    from hyperoxo_web.server.view import change_to_dict

    made: list[changes.Change] = [
        changes.Created(
            at=1, id="abc", game="3^2", host="h", title="", listed=True, pace=0.0, seed=7,
            seats=(("Ada", None, "t"), ("random", "random", None)), setup=None, moves=(4,),
            clock=(60.0, 1.0), ended=None, analysis="always",
        ),
        changes.Moved(at=2, player=2, cell=0, node=1, reason="why"),
        changes.Asked(at=3, request="undo", by=1, node=0),
        changes.Answered(at=4, by=2, yes=True),
        changes.Seated(at=5, player=2, name="Bob", agent=None, token="u"),
        changes.Titled(at=6, title="a", listed=False),
        changes.Paused(at=7, reason="asked"),
        changes.Resumed(at=8),
        changes.Swapped(at=9, by=1),
        changes.Went(at=10, node=1, by=1),
        changes.Ended(at=11, how="resigned", player=1),
    ]  # fmt: skip
    rows = [change_to_dict(change) for change in made]
    return [json.dumps(rows), json.dumps(rows[:2]), json.dumps([rows[0], rows[10]])]


def _replay(text: str) -> None:
    from hyperoxo.play.game_in_play import replay
    from hyperoxo_web.server.view import change_from_dict

    try:
        rows = json.loads(text)
    except ValueError:  # the store reads its JSON before
        return
    replay(change_from_dict(row) for row in (rows if isinstance(rows, list) else ()))


def _tables() -> list[str]:
    path = Path(__file__).parent.parent / "src" / "hyperoxo" / "data" / "line-tables.json"
    found: list[str] = []
    for row in json.loads(path.read_bytes()):
        row.pop("sha256", None)
        found.append(json.dumps(row))
    return found


def _table(data: bytes) -> None:
    from hyperoxo.heuristics.tables import table_from_bytes

    table_from_bytes(data, "a file")


def _steps() -> list[str]:
    from hyperoxo_research.lab.levels import STEPS

    return [json.dumps([asdict(step) for step in STEPS.stored[:3]])]


def _read_steps(text: str) -> None:
    from hyperoxo_research.lab.levels import STEPS

    STEPS.read(text)


RUNS: tuple[dict[str, Any], ...] = (
    {"kind": "match", "game": "3^2", "agents": ["random", "greedy"], "games": 10, "seed": 1},
    {
        "kind": "match",
        "game": "3^2",
        "agents": ["random", "greedy"],
        "until": {"question": "A>B", "alpha": 0.05, "beta": 0.05, "effect": 0.6},
    },
    {"kind": "tournament", "game": "3^2:players=3", "agents": ["random"] * 4, "games": 5},
    {
        "kind": "sweep",
        "game": "3^2",
        "agent": "ising",
        "versus": ["random"],
        "vary": ["bias=0:1:0.25"],
        "games": 5,
    },
    {"kind": "study", "study": "squares"},
)


def _run(text: str) -> None:
    from hyperoxo.lab.requests import RunRequest, command_of
    from hyperoxo_web.server.api.models import RUN_BODIES, run_of
    from hyperoxo_web.server.lab.checks import checked
    from hyperoxo_web.server.limits import HOME

    try:
        data = json.loads(text)
    except ValueError:  # the server reads JSON before
        return
    kind = data.pop("kind") if isinstance(data, dict) and data.get("kind") in [*RUN_BODIES] else ""
    if not kind:
        return
    asked, _ = run_of(kind, RUN_BODIES[kind].model_validate(data))
    command_of(checked(RunRequest(**{**asked, "seed": asked["seed"] or 0}), HOME))


def _variation(text: str) -> None:
    from hyperoxo.lab.requests import read_variation, variation_of

    variation = read_variation(text)
    read_variation(variation_of(variation.stored))


def _offers(text: str) -> None:
    from hyperoxo_web.cli.serve import read_offers

    read_offers(text.split(" "), ("random",))


def _moment(text: str) -> None:
    from hyperoxo.lab.results.listing import moment

    moment(text)


# Files of numbers: checkpoints, tables, networks.

_HEAD = re.compile(r'"sha256": "[0-9a-f]{64}"')


def _seal_body(text: str) -> str:
    """Repair the hash in the line of JSON before the numbers."""
    head, feed, body = text.partition("\n")
    digest = hashlib.sha256(body.encode("latin-1")).hexdigest()
    return _HEAD.sub(f'"sha256": "{digest}"', head, count=1) + feed + body


def _seal_table(text: str) -> str:
    """Repair the hash between the title and the rest of a table of values."""
    title, feed, rest = text.partition("\n")
    digest = hashlib.sha256(rest.encode("latin-1")).hexdigest()
    return title[: max(0, len(title) - 64)] + digest + feed + rest


def _seal_network(text: str) -> str:
    """Repair the length of the header, and the hash in it."""
    at = text.find("}}", 8)
    for end in (text.find("}", at + 2), at + 1):
        head, body = text[8 : end + 1], text[end + 1 :]
        if head.endswith("}"):
            digest = hashlib.sha256(body.encode("latin-1")).hexdigest()
            head = _HEAD.sub(f'"sha256": "{digest}"', head, count=1)
            return struct.pack("<Q", len(head)).decode("latin-1") + head + body
    return text


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="hyperoxo-fuzz-", dir=_IN_MEMORY)


_IN_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def _file(read_it: Callable[[Path], object]) -> Callable[[str], object]:
    """Read a file of these bytes."""

    def reader(text: str) -> object:
        path = Path(_folder().name, "file")
        path.write_bytes(text.encode("latin-1"))
        return read_it(path)

    return reader


def _saved(save: Callable[[Path], object]) -> list[str]:
    """Return what is saved to a file."""
    path = Path(_folder().name, "made")
    save(path)
    return [path.read_bytes().decode("latin-1")]


@cache
def _proof_search() -> Any:
    from hyperoxo.solvers.proofsearch.search import ProofSearch

    return ProofSearch(Game("3^2"), 1, megabytes=1, width=1)


@cache
def _maker_search() -> Any:
    from hyperoxo.solvers.maker_breaker.search import MakerSearch

    return MakerSearch(Game("3^2:convention=maker-breaker"), 1, megabytes=1)


def _searches() -> list[str]:
    from hyperoxo.solvers.proofsearch.search import save_checkpoint

    return _saved(partial(save_checkpoint, _proof_search()))


def _read_search(path: Path) -> None:
    from hyperoxo.solvers.proofsearch.search import load_checkpoint

    load_checkpoint(_proof_search(), path)


def _makers() -> list[str]:
    from hyperoxo.solvers.maker_breaker.search import save_checkpoint

    return _saved(partial(save_checkpoint, _maker_search()))


def _read_makers(path: Path) -> None:
    from hyperoxo.solvers.maker_breaker.search import load_checkpoint

    load_checkpoint(_maker_search(), path)


def _counts() -> list[str]:
    import numpy as np

    from hyperoxo.solvers.states.enumerate import _FORM

    ones = np.ones(2, np.int64)
    more = {"ply": 1, "counts": {"positions": [1]}}
    kept = partial(_FORM.save, keys=ones, games=ones, orbit=ones)
    return _saved(lambda path: kept(path, {"game": "3^2"}, more))


def _read_counts(path: Path) -> None:
    from hyperoxo.solvers.states.enumerate import _FORM

    _FORM.load(path, {"game": "3^2"})


def _values() -> list[str]:
    from hyperoxo.solvers.states.tables import build_table, write_table

    path = Path(_folder().name, "table")
    write_table(build_table(Game("2^2")), path)
    return [path.read_bytes().decode("latin-1")]


def _read_values(path: Path) -> None:
    from hyperoxo.solvers.states.tables import read_table

    read_table(Game("2^2"), path)


def _networks() -> list[str]:
    import numpy as np

    from hyperoxo.agents.network import file_of

    small = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.ones(2, np.float32)}
    return [file_of(small, {"format": "x"}).decode("latin-1")]


def _network(data: bytes) -> None:
    from hyperoxo.agents.network import tensors_of

    tensors_of(data, "a file")


def _notation(name: str) -> Parser:
    def reader(text: str) -> object:
        named = name != "sgf" or "RU[" in text
        return read(text, name, **({} if named else {"game": "3^2"}))

    examples = _tesseracts if name == "tesseract" else partial(_written, name)
    return Parser(
        "positions" if name == "position" else name, FORMATS[name].about, examples, reader
    )


def _all_notations() -> list[str]:
    return [text for name in FORMATS for text in _written(name)] + _tesseracts()


_VALIDATION: tuple[type[BaseException], ...] = ()
try:
    from pydantic import ValidationError

    _VALIDATION = (ValidationError,)
except ImportError:  # without the extra "web" nobody sends runs
    pass

PARSERS: dict[str, Parser] = {
    parser.name: parser
    for parser in (
        Parser("game", "game specs", lambda: [*SPECS], _read_game),
        Parser("agent", "agent specs", lambda: [*AGENTS], _agent),
        Parser("position", "positions, drawn or listed", _positions, _read_position),
        Parser(
            "move",
            "moves as people type them",
            lambda: ["4", "#12", "(1,2)", "1, 2, 0", "111", "2 0 1"],
            _read_move,
        ),
        *map(_notation, FORMATS),
        Parser("notation", "records in a notation that is guessed", _all_notations, _any_notation),
        Parser("board", "files of boards", _boards, read_hypergraph),
        Parser(
            "proof", "proof files", lambda: [*_proofs()], _bytes(_verify), binary=True,
            seal=_seal_proof,
        ),
        Parser(
            "dictionary",
            "dictionaries in Thompson's form",
            lambda: ["27. 13\nsome words\n13xo12. 5\nx26. 3\n", "0x26. 1\r\n"],
            _bytes(_dictionary),
            binary=True,
        ),
        Parser(
            "changes", "rows of stores of games", _rows_of_games, _replay,
            allowed=(RecursionError,),
        ),
        Parser("table", "files of line tables", _tables, _bytes(_table), binary=True),
        Parser("levels", "files of measured levels", _steps, _read_steps),
        Parser(
            "run",
            "requests to the laboratory",
            lambda: [json.dumps(run) for run in RUNS],
            _run,
            allowed=(*_VALIDATION, RecursionError),
        ),
        Parser(
            "variation",
            "ranges of sweeps",
            lambda: ["bias=0:1:0.25", "simulations=100:200:50", "a=-1:1:0.5"],
            _variation,
        ),
        Parser("offers", "offered agents", lambda: ["mine=random", "a=greedy b=ising"], _offers),
        Parser(
            "moment",
            "dates",
            lambda: ["2026-01-31", "2026-01-31T18:30", "2026-01-31T18:30:05+02:00"],
            _moment,
        ),
        Parser(
            "search", "checkpoints of proof searches", _searches, _file(_read_search), binary=True,
            seal=_seal_body,
        ),
        Parser(
            "makers", "checkpoints of Maker-Breaker searches", _makers, _file(_read_makers),
            binary=True, seal=_seal_body,
        ),
        Parser("counts", "checkpoints of counts", _counts, _file(_read_counts), binary=True),
        Parser(
            "values", "tables of values", _values, _file(_read_values), binary=True,
            seal=_seal_table,
        ),
        Parser(
            "network", "files of networks", _networks, _bytes(_network), binary=True,
            seal=_seal_network,
        ),
    )
}  # fmt: skip
"""All parsers by their names."""
