"""Two-player games on planar boards in Smart Game Format, FF[4], GM[4].

The game spec stands in ``RU``, players in ``PB`` (player 1) and ``PW``, the setup in
``AB``, ``AW`` and ``PL``, the result in ``RE``, comments in ``C``. A point is the letter of
the column and the letter of the row, ``a`` to ``z`` and then ``A`` to ``Z``, so boards up to
52 x 52 fit. Of the tags those that have a property are carried: ``Event`` (``EV``), ``Date``
(``DT``), ``Round`` (``RO``), ``Site`` (``PC``), ``Name`` (``GN``), ``Annotator`` (``AN``),
``Source`` (``SO``), ``User`` (``US``) and ``Copyright`` (``CP``). Icons and other tags are not.

Files of other programs are read as far as they go: unknown properties are ignored, of
several variations the first is taken. Such a file does not name its game in our terms, so
the caller names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from string import ascii_lowercase, ascii_uppercase

from hyperoxo.errors import NotationError
from hyperoxo.game import ALL_RULES, Game, Requires
from hyperoxo.notation.record import Record, agreed_game, read_each, read_game

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
    r"""Return the text as it stands between brackets."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _add_property(node: Node, match: re.Match[str]) -> None:
    name = "".join(filter(str.isupper, match["name"]))
    if not match["values"]:
        raise NotationError(
            f"not SGF: property {match['name'][:20]} at character {match.start('name') + 1} "
            "has no value in brackets"
        )
    values = (_ESCAPED.sub(_resolve, value) for value in _VALUE.findall(match["values"]))
    node.setdefault(name, []).extend(values)


def _resolve(match: re.Match[str]) -> str:
    return "" if match[1] == "\n" else match[1]


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
_HELD = Requires("SGF", ALL_RULES)
_RESULT = re.compile(r"([BW])\+(.*)", re.DOTALL)


def read_sgf(text: str, *, game: Game | str | None = None) -> list[Record]:
    """Read all games of a file."""
    games = main_lines(text)
    if len(games) == 1:
        return [_read_one(games[0], game)]
    return read_each("game", enumerate(games, start=1), lambda nodes: _read_one(nodes, game))


def _read_one(nodes: list[Node], asked: Game | str | None) -> Record:
    if not nodes:
        raise NotationError("a game has no node")
    root = nodes[0]
    if _first(root, "GM", "4").strip() != "4":
        raise NotationError(f"GM {_first(root, 'GM')[:20]!r} is another kind of game than GM[4]")
    game = _game(root, asked)
    shape = _planar(game)
    _check_size(root, shape)
    moves: list[int] = []
    comments: dict[int, str] = {}
    stones = sum(len(_points(root.get(name, []), shape)) for name in ("AB", "AW"))
    for index, node in enumerate(nodes):
        if index and not node.keys().isdisjoint(("AB", "AW", "AE")):
            raise NotationError(f"after move {len(moves)}: stones are set up in mid-game")
        for colour in [name for name in node if name in ("B", "W")]:
            due = "BW"[game.turns.mover(stones + len(moves)) - 1]
            moves += _moves(node[colour], colour, due, len(moves) + 1, shape)
        if "C" in node:
            text = "\n".join(node["C"])
            before = comments.get(len(moves))
            comments[len(moves)] = text if before is None else f"{before}\n{text}"
    record = Record(
        game,
        tuple(moves),
        _setup(root, game, shape),
        (_first(root, "PB"), _first(root, "PW")),
        tags=tuple((_TAG_OF[name], _first(root, name)) for name in root if name in _TAG_OF),
        comments=tuple(comments.items()),
    )
    return _with_result(record, _first(root, "RE").strip(), _first(root, "PL"))


def _first(node: Node, name: str, default: str = "") -> str:
    return node.get(name, [default])[0]


def _game(root: Node, asked: Game | str | None) -> Game:
    rules = _first(root, "RU").strip()
    named = read_game(rules, "RU: ") if _OURS.fullmatch(rules) else None
    game = agreed_game(named, asked, "file")
    if game is None:
        raise NotationError("RU names no game of ours; say which one is played")
    return game


def _planar(game: Game) -> tuple[int, int]:
    shape = game.board.shape
    if shape is None or len(shape) != 2:
        raise NotationError(f"SGF holds games on planar boards only, not {str(game)[:60]}")
    if game.players != 2:
        raise NotationError(f"SGF holds games for two players, not for {game.players}")
    _HELD.check(game)
    rows, columns = shape
    if max(shape) > len(LETTERS):
        raise NotationError(f"SGF holds boards up to 52 x 52, not {columns} x {rows}")
    return rows, columns


def _check_size(root: Node, shape: tuple[int, int]) -> None:
    if "SZ" not in root:
        return
    rows, columns = shape
    words = _first(root, "SZ").strip().split(":")
    if words not in ([str(columns), str(rows)], [str(columns)] if rows == columns else []):
        size = _first(root, "SZ")[:20]
        raise NotationError(f"SZ {size!r} does not fit the game's {columns} x {rows} board")


def _moves(
    values: list[str], colour: str, due: str, number: int, shape: tuple[int, int]
) -> list[int]:
    if len(values) != 1 or colour != due:
        raise NotationError(f"move {number}: it is {due}'s turn, one move")
    point = values[0].strip()
    if not point or (point == "tt" and max(shape) <= 19):
        raise NotationError(f"move {number}: {colour} passes, which these games do not allow")
    return [_cell(point, shape, f"move {number}")]


def _cell(point: str, shape: tuple[int, int], where: str) -> int:
    rows, columns = shape
    if len(point) == 2 and point[0] in LETTERS and point[1] in LETTERS:
        column, row = LETTERS.index(point[0]), LETTERS.index(point[1])
        if column < columns and row < rows:
            return row * columns + column
    raise NotationError(f"{where}: {point[:20]!r} is not a point of a {columns} x {rows} board")


def _points(values: list[str], shape: tuple[int, int]) -> list[int]:
    cells = []
    for value in values:
        first, colon, last = value.strip().partition(":")
        start = _cell(first, shape, "setup")
        end = _cell(last, shape, "setup") if colon else start
        (top, left), (bottom, right) = divmod(start, shape[1]), divmod(end, shape[1])
        box = product(range(top, bottom + 1), range(left, right + 1))
        cells += [row * shape[1] + column for row, column in box]
    return cells


def _setup(root: Node, game: Game, shape: tuple[int, int]) -> str | None:
    placed = [(name, _points(root.get(name, []), shape)) for name in ("AB", "AW")]
    if not any(cells for _, cells in placed):
        return None
    owners = list(game.start().text)
    for (name, cells), stone in zip(placed, "12", strict=True):
        for cell in cells:
            if owners[cell] != ".":
                raise NotationError(f"{name}: a stone on cell {cell} has no room")
            owners[cell] = stone
    return "".join(owners)


def _with_result(record: Record, text: str, to_move: str) -> Record:
    colour = to_move.strip().upper()[:1]
    first = record.start.to_move
    if colour in ("B", "W") and first and colour != "BW"[first - 1]:
        raise NotationError(f"PL[{colour}], but it is {'BW'[first - 1]}'s turn")
    result: str | None = None
    resigned: int | None = None
    match = _RESULT.fullmatch(text)
    if match is not None:
        winner = "BW".index(match[1]) + 1
        result = str(winner)
        if match[2].strip().lower() in ("r", "resign") and record.result is None:
            resigned = 3 - winner
    elif text == "0" or text.lower() == "draw":
        result = "="
    if result is None:
        return record
    return replace(record, result=result, resigned=resigned)


def write_sgf(records: Iterable[Record]) -> str:
    """Write two-player games on planar boards, one a paragraph."""
    return "\n".join(_write_one(record) for record in records)


def _write_one(record: Record) -> str:
    rows, columns = shape = _planar(record.game)
    size = str(columns) if rows == columns else f"{columns}:{rows}"
    root = [("FF", "4"), ("GM", "4"), ("CA", "UTF-8"), ("AP", "hyperoxo"), ("SZ", size)]
    root.append(("RU", str(record.game)))
    if record.players:
        root += zip(("PB", "PW"), record.players, strict=True)
    if record.result is not None:
        root.append(("RE", _result(record)))
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


def _result(record: Record) -> str:
    if record.result == "=":
        return "0"
    winner = "B+" if record.result == "1" else "W+"
    return winner if record.resigned is None else winner + "R"


def _point(cell: int, shape: tuple[int, int]) -> str:
    row, column = divmod(cell, shape[1])
    return LETTERS[column] + LETTERS[row]
