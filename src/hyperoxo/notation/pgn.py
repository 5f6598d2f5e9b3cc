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
the board. Where another player moves first after a setup the number has three dots.
Comments stand in braces after the move they speak of. The result ends the moves (it
cannot be left out, because ``1`` could be a move) and ``*`` is an unfinished game.

In quotes a backslash makes ``\"``, ``\\`` and ``\n``; in braces ``\}`` and ``\\``.
Everything a `Record` holds is carried.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NoReturn

from hyperoxo.errors import HyperoxoError, NotationError
from hyperoxo.game import Game
from hyperoxo.notation.record import Record, ordered_icons

_WIDTH = 80
_UNFINISHED = "*"
_TOKEN = re.compile(
    r"""\s*(?:
        \[\s*(?P<name>[A-Za-z0-9_]+)\s*"(?P<value>(?:[^"\\]|\\.)*)"\s*\]
      | \{(?P<comment>(?:[^}\\]|\\.)*)\}
      | (?P<round>[0-9]+)\.+
      | (?P<word>[^\s{}\[\]]+)
      | (?P<end>\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)
_PLAYER = re.compile(r"Player([1-8])")
_ICON = re.compile(r"Icon(0|[1-9][0-9]{0,3})")


def read_pgn(text: str) -> list[Record]:
    """Read all records of a file."""
    found: list[Record] = []
    draft: _Draft | None = None
    at = 0
    while True:
        match = _TOKEN.match(text, at)
        if match is None:
            word = text[at:].split(maxsplit=1)[0]
            raise NotationError(f"{_place(text, at)}: cannot read {word[:20]!r}")
        kind = match.lastgroup
        starts = kind == "value" and (draft is None or draft.words or draft.comments)
        if draft is not None and (starts or kind == "end"):
            found.append(draft.finish())
            draft = None
        if kind == "end":
            return found
        if draft is None:
            draft = _Draft(text, at)
        draft.take(match, at)
        at = match.end()


def _place(text: str, at: int) -> str:
    """Name the line of the first character from `at` that is not blank."""
    while at < len(text) and text[at].isspace():
        at += 1
    newlines = text.count("\n", 0, at)
    return f"line {newlines + 1}"


class _Draft:
    """One record while it is being read; places in the text are kept to name them in errors."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.tags: dict[str, str] = {}
        self.words: list[tuple[str, int]] = []
        self.rounds: list[tuple[int, str, int]] = []
        self.comments: dict[int, str] = {}

    def take(self, match: re.Match[str], at: int) -> None:
        name = match["name"]
        if name is not None:
            if name in self.tags:
                self.fail(at, f"tag '{name[:40]}' is given twice")
            self.tags[name] = _unescape(match["value"], quoted=True)
        elif match["comment"] is not None:
            text = _unescape(match["comment"], quoted=False)
            before = self.comments.get(len(self.words))
            self.comments[len(self.words)] = text if before is None else f"{before}\n{text}"
        elif match["round"] is not None:
            self.rounds.append((len(self.words), match["round"], at))
        else:
            self.words.append((match["word"], at))

    def finish(self) -> Record:
        tags = dict(self.tags)
        if "Game" not in tags:
            self.fail(self.at, "the record has no tag 'Game'")
        if not self.words:
            self.fail(self.at, "the moves must end with the result, or '*'")
        last, place = self.words[-1]
        if len(self.words) in self.comments:
            self.fail(place, "a comment stands after the result")
        if tags.pop("Result", last) != last:
            self.fail(place, f"the moves end with {last[:20]!r}, which is not the tag 'Result'")
        moves = tuple(self.cell(word, at) for word, at in self.words[:-1])
        resigned = tags.pop("Resigned", None)
        if resigned is not None and not re.fullmatch("[1-8]", resigned):
            self.fail(self.at, f"tag 'Resigned' is {resigned[:20]!r}, not a player")
        try:
            game = Game(tags.pop("Game"))
            record = Record(
                game,
                moves,
                tags.pop("Setup", None),
                _players(tags, game.players),
                *_icons(tags),
                None if last == _UNFINISHED else last,
                None if resigned is None else int(resigned),
                tuple(tags.items()),
                tuple(self.comments.items()),
            )
        except HyperoxoError as error:
            self.fail(self.at, str(error))
        self._check_rounds(record)
        return record

    def _check_rounds(self, record: Record) -> None:
        for index, number, at in self.rounds:
            due = str((record.start.ply + index) // len(record.game.turns.cycle) + 1)
            if number != due or index == len(record.moves):
                self.fail(at, f"round {number[:20]} stands where round {due} goes on")

    def cell(self, word: str, at: int) -> int:
        if not (word.isascii() and word.isdigit() and len(word) <= 9):
            self.fail(at, f"{word[:20]!r} is not a cell number")
        return int(word)

    def fail(self, at: int, what: str) -> NoReturn:
        raise NotationError(f"{_place(self.text, at)}: {what}") from None


def write_pgn(records: Iterable[Record]) -> str:
    """Write records, an empty line between them."""
    return "\n".join(_write_one(record) for record in records)


def _write_one(record: Record) -> str:
    result = record.result or _UNFINISHED
    tags = [("Game", str(record.game))]
    tags += [(f"Player{number}", name) for number, name in enumerate(record.players, 1)]
    if record.free_icon is not None:
        tags.append(("Icon0", record.free_icon))
    tags += [(f"Icon{number}", icon) for number, icon in enumerate(record.icons, 1)]
    if record.setup is not None:
        tags.append(("Setup", record.setup))
    tags.append(("Result", result))
    if record.resigned is not None:
        tags.append(("Resigned", str(record.resigned)))
    rows = [f'[{name} "{_escape(value)}"]' for name, value in (*tags, *record.tags)]
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


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _unescape(text: str, *, quoted: bool) -> str:
    known = {"\\": "\\", '"': '"', "n": "\n"} if quoted else {"\\": "\\", "}": "}"}
    return re.sub(r"\\(.)", lambda match: known.get(match[1], match[0]), text, flags=re.DOTALL)


def _players(tags: dict[str, str], players: int) -> tuple[str, ...]:
    named = {int(match[1]): name for name in tags if (match := _PLAYER.fullmatch(name))}
    for number, name in named.items():
        if number > players:
            raise NotationError(f"tag '{name}', but the game has {players} players")
    if not named:
        return ()
    return tuple(tags.pop(f"Player{number}", "") for number in range(1, players + 1))


def _icons(tags: dict[str, str]) -> tuple[tuple[str, ...], str | None]:
    found = {int(match[1]): name for name in tags if (match := _ICON.fullmatch(name))}
    return ordered_icons({number: tags.pop(name) for number, name in found.items()})
