r"""Records in the manner of chess's Portable Game Notation, several in one file.

::

    [Game "4^3"]
    [Player1 "Ada"]
    [Player2 "Bob"]
    [Result "1"]

    1. 0 3 {The corner.} 2. 60 21 3. 5 22 1

Tag pairs first: ``Game``, then ``Player1``.., ``Icon0`` (the icon of a free cell),
``Icon1``.., ``Setup``, ``Result``, ``Resigned``, and any others. Then the moves as cell
numbers; each round, which begins with player 1's move, is numbered by the stones on
the board. If another player moves first after a setup, the number has three dots.
Comments are in braces after the move that they are about. The result ends the moves (it
cannot be left out, because ``1`` could be a move) and ``*`` is an unfinished game.

In quotes a backslash makes ``\"``, ``\\`` and ``\n``; in braces ``\}`` and ``\\``.
Everything a `Record` holds is carried.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from hyperoxo.errors import HyperoxoError, NotationError
from hyperoxo.game import Game
from hyperoxo.notation.record import Record, joined, ordered_icons

_WIDTH = 80
_UNFINISHED = "*"
_TOKEN = re.compile(
    r"""
        \[\s*(?P<name>[A-Za-z0-9_]+)\s*"(?P<value>(?:[^"\\]|\\.)*)"\s*\]
      | \{(?P<comment>(?:[^}\\]|\\.)*)\}
      | (?P<round>[0-9]+)\.+
      | (?P<word>[^\s{}\[\]]+)
      | (?P<strange>\S)
    """,
    re.VERBOSE | re.DOTALL,
)
_PLAYER = re.compile(r"Player([1-8])")
_ICON = re.compile(r"Icon(0|[1-9][0-9]{0,3})")


def read_pgn(text: str) -> list[Record]:
    """Read all records of a file; tags after a move or a comment begin the next one."""
    parts: list[list[re.Match[str]]] = [[]]
    played = False
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup  # of a tag pair "value", its last group
        if kind == "value" and played:
            parts.append([])
        played = kind != "value" and (played or kind != "round")
        parts[-1].append(token)
        if kind == "strange":
            break
    return [_read_one(part) for part in parts if part]


def _error(token: re.Match[str], what: str) -> NotationError:
    """Return an error that names the line of a token."""
    newlines = token.string.count("\n", 0, token.start())
    return NotationError(f"line {newlines + 1}: {what}")


def _read_one(tokens: list[re.Match[str]]) -> Record:
    first = tokens[0]
    tags: dict[str, str] = {}
    words: list[re.Match[str]] = []
    rounds: list[tuple[int, re.Match[str]]] = []
    comments: dict[int, list[str]] = {}
    # 1. Sort the tokens: tags, comments by the number of words before them, rounds, words.
    for token in tokens:
        name = token["name"]
        if name is not None:
            if name in tags:
                raise _error(token, f"tag '{name[:40]}' is given twice")
            tags[name] = _unescape(token["value"], quoted=True)
        elif token["comment"] is not None:
            remark = _unescape(token["comment"], quoted=False)
            comments.setdefault(len(words), []).append(remark)
        elif token["round"] is not None:
            rounds.append((len(words), token))
        elif token["word"] is not None:
            words.append(token)
        else:
            word = token.string[token.start() :].split(maxsplit=1)[0]
            raise _error(token, f"cannot read {word[:20]!r}")
    # 2. The last word is the result; it is never left out, as "1" might be a move.
    if "Game" not in tags:
        raise _error(first, "the record has no tag 'Game'")
    if not words:
        raise _error(first, "the moves must end with the result, or '*'")
    *played, last = words
    result = last["word"]
    if len(words) in comments:
        raise _error(last, "a comment follows the result")
    if tags.pop("Result", result) != result:
        raise _error(last, f"the moves end with {result[:20]!r}, which is not the tag 'Result'")
    # 3. The fields of the record leave `tags`; what is left are further facts.
    moves = tuple(map(_cell, played))
    icons = {int(name[4:]): tags.pop(name) for name in filter(_ICON.fullmatch, [*tags])}
    try:
        resigned = _player(tags.pop("Resigned", None))
        game = Game(tags.pop("Game"))
        record = Record(
            game,
            moves,
            tags.pop("Setup", None),
            _players(tags, game.players),
            *ordered_icons(icons),
            None if result == _UNFINISHED else result,
            resigned,
            tuple(tags.items()),
            joined(comments),
        )
    except HyperoxoError as error:
        raise _error(first, str(error)) from None
    # 4. Numbers of rounds follow from the game and the setup, so they are checked last.
    _check_rounds(record, rounds)
    return record


def _check_rounds(record: Record, rounds: list[tuple[int, re.Match[str]]]) -> None:
    for index, token in rounds:
        due = str((record.start.ply + index) // len(record.game.turns.cycle) + 1)
        if token["round"] != due or index == len(record.moves):
            number = token["round"][:20]
            raise _error(token, f"round {number} follows where round {due} continues")


def _cell(token: re.Match[str]) -> int:
    word = token["word"]
    if not (word.isascii() and word.isdigit() and len(word) <= 9):
        raise _error(token, f"{word[:20]!r} is not a cell number")
    return int(word)


def write_pgn(records: Iterable[Record]) -> str:
    """Write records, an empty line between them."""
    return "\n".join(_write_one(record) for record in records)


def _write_one(record: Record) -> str:
    result = record.result or _UNFINISHED
    tags = {
        "Game": str(record.game),
        **{f"Player{number}": name for number, name in enumerate(record.players, 1)},
        "Icon0": record.free_icon,
        **{f"Icon{number}": icon for number, icon in enumerate(record.icons, 1)},
        "Setup": record.setup,
        "Result": result,
        "Resigned": record.resigned,
        **dict(record.tags),
    }
    named = {name: str(value) for name, value in tags.items() if value is not None}
    escapes = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})
    rows = [f'[{name} "{value.translate(escapes)}"]' for name, value in named.items()]
    return "\n".join([*rows, "", *_wrap([*_words(record), result]), ""])


def _words(record: Record) -> list[str]:
    cells, before = len(record.game.turns.cycle), record.start.ply
    comments = dict(record.comments)
    words = []
    for index in range(len(record.moves) + 1):
        if index:
            number, turn = divmod(before + index - 1, cells)
            if turn == 0 or index == 1:
                words.append(f"{number + 1}." if turn == 0 else f"{number + 1}...")
            words.append(str(record.moves[index - 1]))
        if index in comments:
            text = comments[index].replace("\\", "\\\\").replace("}", "\\}")
            words.append(f"{{{text}}}")
    return words


def _wrap(words: list[str]) -> list[str]:
    rows = [""]
    for word in words:
        if rows[-1] and len(rows[-1]) + len(word) >= _WIDTH:
            rows.append(word)
        else:
            rows[-1] += f" {word}" if rows[-1] else word
    return rows


def _unescape(text: str, *, quoted: bool) -> str:
    known = {"\\": "\\", '"': '"', "n": "\n"} if quoted else {"\\": "\\", "}": "}"}
    return re.sub(r"\\(.)", lambda match: known.get(match[1], match[0]), text, flags=re.DOTALL)


def _player(resigned: str | None) -> int | None:
    if resigned is not None and not re.fullmatch("[1-8]", resigned):
        raise NotationError(f"tag 'Resigned' is {resigned[:20]!r}, not a player")
    return None if resigned is None else int(resigned)


def _players(tags: dict[str, str], players: int) -> tuple[str, ...]:
    for name in filter(_PLAYER.fullmatch, tags):
        if int(name[-1]) > players:
            raise NotationError(f"tag '{name}', but the game has {players} players")
    return tuple(tags.pop(f"Player{number}", "") for number in range(1, players + 1))
