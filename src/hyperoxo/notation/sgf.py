"""Two-player games on planar boards in Smart Game Format, FF[4], GM[4].

The game spec is in ``RU``, players in ``PB`` (player 1) and ``PW``, the setup in
``AB``, ``AW`` and ``PL``, the result in ``RE``, comments in ``C``. A point is the letter of
the column and the letter of the row, ``a`` to ``z`` and then ``A`` to ``Z``, so boards up to
52 x 52 fit. Of the tags those that have a property are carried: ``Event`` (``EV``), ``Date``
(``DT``), ``Round`` (``RO``), ``Site`` (``PC``), ``Name`` (``GN``), ``Annotator`` (``AN``),
``Source`` (``SO``), ``User`` (``US``) and ``Copyright`` (``CP``). Icons and other tags are not.

Files of other programs are read as far as they go: unknown properties are ignored, of
several variations the first is taken, points may be names such as ``h8``. Such a file does
not name its game in our terms, so the caller names it; a remark tells what was made of another
kind of game than GM[4], of passes, which are left out, and of games that white begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import product
from string import ascii_lowercase, ascii_uppercase

from hyperoxo.errors import IllegalMoveError, NotationError
from hyperoxo.game import Game
from hyperoxo.game.names import named_move
from hyperoxo.notation.record import (
    Record,
    Remark,
    agreed_game,
    joined,
    planar,
    read_game,
    read_parts,
    unheard,
)

Node = dict[str, list[str]]
"""Properties of one node: identifier and values, escapes resolved."""

_TOKEN = re.compile(
    r"\s*(?:(?P<sign>[();])|(?P<name>[A-Za-z]+)(?P<values>(?:\s*\[(?:[^\]\\]|\\.)*\])*)"
    r"|\S|(?P<end>\Z))",
    re.DOTALL,
)
_VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def main_lines(text: str) -> list[list[Node]]:
    r"""Return the nodes of the first variation of every game in the file.

    Lower-case letters in identifiers are dropped, as old files need it. A backslash before
    the end of a line joins the lines; other white space is kept as it is.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    at = text.find("(")
    if at < 0:
        raise NotationError("not SGF: no '(' opens a game")
    # The first variation is a prefix of the file's nodes: it ends at the first ")", after which all
    # nodes up to the next game belong to other variations (`closed`). They are still parsed.
    games: list[list[Node]] = []
    node: Node | None = None
    depth, closed = 0, False
    for match in _TOKEN.finditer(text, at):
        sign = match["sign"]
        if sign == "(":
            if depth == 0:
                games.append([])
                closed = False
            depth, node = depth + 1, None
        elif sign == ")" and depth > 0:
            depth, node, closed = depth - 1, None, True
        elif sign == ";" and depth > 0:
            node = {}
            if not closed:
                games[-1].append(node)
        elif match["name"] and node is not None:
            _add_property(node, match)
        elif depth == 0 or match["end"] is not None:
            break  # mail programs and web pages leave text after the last game
        else:
            at = match.end() - len(match[0].lstrip())
            raise NotationError(f"not SGF: {text[at]!r} at character {at + 1} belongs nowhere")
    if depth:
        raise NotationError("not SGF: the file ends inside a game")
    return games


def escape(text: str) -> str:
    r"""Return the text with escapes, as between brackets."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _add_property(node: Node, match: re.Match[str]) -> None:
    name = "".join(filter(str.isupper, match["name"]))
    if not match["values"]:
        raise NotationError(
            f"not SGF: property {match['name'][:20]} at character {match.start('name') + 1} "
            "has no value in brackets"
        )
    values = _VALUE.findall(match["values"])
    resolved = (_ESCAPED.sub(lambda escaped: escaped[1].strip("\n"), value) for value in values)
    node.setdefault(name, []).extend(resolved)


LETTERS = ascii_lowercase + ascii_uppercase

_TAGS = {
    "Event": "EV",
    "Date": "DT",
    "Round": "RO",
    "Site": "PC",
    "Name": "GN",
    "Annotator": "AN",
    "Source": "SO",
    "User": "US",
    "Copyright": "CP",
}
_TAG_OF = {name: tag for tag, name in _TAGS.items()}
_OURS = re.compile(r"[0-9]+(\^[0-9]+|,[0-9]+,[0-9]+)(:.*)?")
_SIZE = re.compile(r"([0-9]{1,2})(?::([0-9]{1,2}))?")
_POINT = re.compile(r"[A-Za-z]{2}(?![0-9])|[A-Za-z]{1,2}[0-9]+")
_RESULT = re.compile(r"([BW])\+(.*)", re.DOTALL)
_KINDS = {"1": "Go", "2": "Othello", "3": "chess", "11": "Hex"}
_PLACED = {"AB": "1", "AW": "2", "AE": "."}


def read_sgf(
    text: str, *, game: Game | str | None = None, remark: Remark = unheard
) -> list[Record]:
    """Read all games of a file."""
    return read_parts("game", main_lines(text), lambda nodes: _read_one(nodes, game, remark))


def _read_one(nodes: list[Node], asked: Game | str | None, remark: Remark) -> Record:
    if not nodes:
        raise NotationError("a game has no node")
    root = nodes[0]
    game = _game(root, asked, remark)
    shape = planar(game, "SGF", len(LETTERS))
    _check_size(root, shape)
    # 1. Setup stones and the colour to move may come in any node up to that of the first move.
    played = [(at, name) for at, node in enumerate(nodes) for name in node if name in ("B", "W")]
    before = nodes[: played[0][0] + 1] if played else nodes
    setup = _setup(before, game)
    to_move = "".join(_first(node, "PL") for node in before).strip().upper()[:1]
    if not _OURS.fullmatch(_first(root, "RU").strip()):
        colours = (name for at, name in played if not _is_pass(_first(nodes[at], name), shape))
        game = _begun_by(to_move or next(colours, ""), setup, game, remark)
    # 2. Moves. A pass is left out, which is only right if the colours then still alternate.
    moves: list[int] = []
    passes: list[str] = []
    comments: dict[int, list[str]] = {}
    stones = len(setup) - setup.count(".") - setup.count("#")
    for at, node in enumerate(nodes):
        if at >= len(before) and not node.keys().isdisjoint(_PLACED):
            raise NotationError(f"after move {len(moves)}: stones are set up in mid-game")
        for colour in [name for name in node if name in ("B", "W")]:
            if len(node[colour]) == 1 and _is_pass(node[colour][0], shape):
                which = f"move {len(moves) + 1}: {colour}"
                passes.append(f"{which} passes, which these games do not allow")
                continue
            # A turn of several stones may be one value, as in W[k10k11].
            value = node[colour][0].strip() if len(node[colour]) == 1 else ""
            points = _POINT.findall(value)
            for point in points if "".join(points) == value != "" else [value]:
                due, number = "BW"[game.turns.mover(stones + len(moves)) - 1], len(moves) + 1
                if colour != due or not point:
                    turn = f"move {number}: it is {due}'s turn, one move"
                    raise NotationError(passes[-1] if passes else turn)
                moves.append(_cell(point, game, f"move {number}"))
        if "C" in node:
            comments.setdefault(len(moves), []).extend(node["C"])
    if passes:
        remark(f"{passes[0]}; left out{f' with {len(passes) - 1} more' if passes[1:] else ''}")
    # 3. The record, which replays the moves; then PL and RE must agree with it.
    record = Record(
        game,
        tuple(moves),
        setup if stones else None,
        (_first(root, "PB"), _first(root, "PW")),
        tags=tuple((_TAG_OF[name], _first(root, name)) for name in root if name in _TAG_OF),
        comments=joined(comments),
    )
    due = "BW"[record.start.to_move - 1] if record.start.to_move else to_move
    if to_move in ("B", "W") and to_move != due:
        raise NotationError(f"PL[{to_move}], but it is {due}'s turn")
    return _with_result(record, _first(root, "RE").strip())


def _first(node: Node, name: str) -> str:
    return node.get(name, [""])[0]


def _game(root: Node, asked: Game | str | None, remark: Remark) -> Game:
    rules = _first(root, "RU").strip()
    named = read_game(rules, "RU: ") if _OURS.fullmatch(rules) else None
    game = agreed_game(named, asked, "file")
    if game is None:
        raise NotationError(f"RU names no hyperoxo game; {_likely(_first(root, 'SZ').strip())}")
    kind = _first(root, "GM").strip()
    if kind != "4":
        name = f"GM[{kind[:20]}] is {_KINDS.get(kind, 'another game')}" if kind else "no GM"
        remark(f"{name}; read as moves of {game}")
    return game


def _likely(size: str) -> str:
    """Suggest a game for a board size, as a question."""
    match = _SIZE.fullmatch(size)
    if match is None:
        return "say which one is played"
    columns, rows = int(match[1]), int(match[2] or match[1])
    spec = f"{columns}^2" if columns == rows and rows < 5 else f"{columns},{rows},5"
    spec = "7,6,4:gravity" if (columns, rows) == (7, 6) else spec
    return f"did you mean {spec}? Say which one is played"


def _begun_by(colour: str, setup: str, game: Game, remark: Remark) -> Game:
    """Return the game, with player 2 to start if only that fits the stones and the mover."""
    stones = [setup.count(stone) for stone in "12"]

    def fits(game: Game) -> bool:
        due = game.turns.mover(sum(stones))
        return game.turns.made(1, sum(stones)) == stones[0] and colour in ("", "BW"[due - 1])

    whole = game.first == 1 and game.first_turn is None
    other = Game(str(game), first=2) if whole else game
    if fits(game) or not fits(other):
        return game
    remark(f"W begins; read as a game of {other}")
    return other


def _check_size(root: Node, shape: tuple[int, int]) -> None:
    rows, columns = shape
    size = _first(root, "SZ")
    fitting = [f"{columns}:{rows}", *[str(columns)] * (rows == columns)]
    if "SZ" in root and size.strip() not in fitting:
        raise NotationError(f"SZ {size[:20]!r} does not fit the game's {columns} x {rows} board")


def _is_pass(value: str, shape: tuple[int, int]) -> bool:
    # FF[3] wrote a pass as "tt" on boards up to 19 x 19; on larger ones that is a point.
    return not value.strip() or (value.strip() == "tt" and max(shape) <= 19)


def _cell(point: str, game: Game, where: str) -> int:
    """Read a point: two letters, or a name such as h8."""
    rows, columns = game.board.shape or (0, 0)
    if len(point) == 2 and point[0] in LETTERS and point[1] in LETTERS:
        column, row = LETTERS.index(point[0]), LETTERS.index(point[1])
        if column < columns and row < rows:
            return row * columns + column
    with suppress(IllegalMoveError):
        named = named_move(game.start(), point) if point[-1:].isdigit() else None
        if named is not None:
            return named
    raise NotationError(f"{where}: {point[:20]!r} is not a point of a {columns} x {rows} board")


def _points(values: list[str], game: Game) -> list[int]:
    width = (game.board.shape or (0, 0))[1]
    cells = []
    for value in values:
        first, colon, last = value.strip().partition(":")
        start = _cell(first, game, "setup")
        end = _cell(last, game, "setup") if colon else start
        rows, columns = zip(divmod(start, width), divmod(end, width), strict=True)
        box = product(*(range(min(ends), max(ends) + 1) for ends in (rows, columns)))
        cells += [row * width + column for row, column in box]
    return cells


def _setup(nodes: list[Node], game: Game) -> str:
    owners = list(game.start().text)
    for node in nodes:
        for name, stone in _PLACED.items():
            for cell in _points(node.get(name, []), game):
                if owners[cell] == "#" or "." not in (stone, owners[cell]):
                    raise NotationError(f"{name}: a stone on cell {cell} has no room")
                owners[cell] = stone
    return "".join(owners)


def _with_result(record: Record, text: str) -> Record:
    if text.lower() in ("0", "draw"):
        return replace(record, result="=")
    match = _RESULT.fullmatch(text)
    if match is None:
        return record
    winner = "BW".index(match[1]) + 1
    resigned = match[2].strip().lower() in ("r", "resign") and record.result is None
    return replace(record, result=str(winner), resigned=3 - winner if resigned else None)


def write_sgf(records: Iterable[Record]) -> str:
    """Write two-player games on planar boards, one a paragraph."""
    return "\n".join(_write_one(record) for record in records)


def _write_one(record: Record) -> str:
    rows, columns = shape = planar(record.game, "SGF", len(LETTERS))
    size = str(columns) if rows == columns else f"{columns}:{rows}"
    root = [("FF", "4"), ("GM", "4"), ("CA", "UTF-8"), ("AP", "hyperoxo"), ("SZ", size)]
    root.append(("RU", str(record.game)))
    if record.players:
        root += zip(("PB", "PW"), record.players, strict=True)
    if record.result is not None:
        winner = {"=": "0", "1": "B+"}.get(record.result, "W+")
        root.append(("RE", winner if record.resigned is None else f"{winner}R"))
    root += [(_TAGS[tag], value) for tag, value in record.tags if tag in _TAGS]
    text = "".join(f"{name}[{escape(value)}]" for name, value in root)
    if record.setup is not None:
        for name, stone in (("AB", "1"), ("AW", "2")):
            cells = [cell for cell, owner in enumerate(record.setup) if owner == stone]
            text += name + "".join(f"[{_point(cell, shape)}]" for cell in cells) if cells else ""
        if record.start.to_move:
            text += f"PL[{'BW'[record.start.to_move - 1]}]"
    comments = {ply: f"C[{escape(comment)}]" for ply, comment in record.comments}
    turns, ply = record.game.turns, record.start.ply
    nodes = [
        f";{'BW'[turns.mover(ply + index) - 1]}[{_point(cell, shape)}]{comments.get(index + 1, '')}"
        for index, cell in enumerate(record.moves)
    ]
    rows_of_ten = ["".join(nodes[at : at + 10]) for at in range(0, len(nodes), 10)]
    return "\n".join([f"(;{text}{comments.get(0, '')}", *rows_of_ten]) + ")\n"


def _point(cell: int, shape: tuple[int, int]) -> str:
    row, column = divmod(cell, shape[1])
    return LETTERS[column] + LETTERS[row]
