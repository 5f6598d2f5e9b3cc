"""Common format of proof files: first line, hash, header, counted rows.

A file is ASCII; every line ends in one line feed, also the last::

    hyperoxo-strategy 1
    sha256 5d0c...                  64 hexadecimal digits, lower case
    game 3^2                        fields, one per line, in the order of the kind
    ...
    moves 29                        the last field counts the lines that follow
    ......... 4

The hash is the SHA-256 of all bytes of the file but its own 64 digits. Each kind defines its
fields and rows. A reader writes again what it has read and compares, so that everything has one
spelling.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from hyperoxo.errors import NotationError, SpecError, quoted
from hyperoxo.game import Game
from hyperoxo.proof.canonical import canonical_forms_of
from hyperoxo.proof.claim import CLAIMS, BoardProof, Proof, text_claim
from hyperoxo.untrusted import read_bytes as read_file

_HASH = b"sha256 "
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_KNOWN_OWNERS = bytes([0, *range(1, 9), 255])
_SIGNS = bytes.maketrans(_KNOWN_OWNERS, b".12345678#")
_OWNERS = bytes.maketrans(b".12345678#", _KNOWN_OWNERS)
_UNKNOWN_SIGNS = bytes(set(range(256)) - set(b".12345678#"))
_LONGEST = 1000


def seal(magic: bytes, lines: Iterable[str]) -> bytes:
    """Build a file from its first line and all lines after the hash."""
    body = b"\n" + "".join(f"{line}\n" for line in lines).encode("ascii")
    return magic + _HASH + _digest(magic, body) + body


def unseal(data: bytes, magic: bytes, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Verify the hash of a file and split it into the values of `names` and the other lines."""
    kind = magic.decode("ascii").removeprefix("hyperoxo-").split()[0]
    if not data.startswith(magic + _HASH):
        raise NotationError(f"this is not a {kind} file")
    # The hash covers the first line too, so that a file cannot change its kind.
    first = len(magic) + len(_HASH)
    body = data[first + 64 :]
    if data[first : first + 64] != _digest(magic, body):
        raise NotationError("the file is damaged: its hash is wrong")
    if not body.isascii() or not body.startswith(b"\n") or not body.endswith(b"\n"):
        raise NotationError("the file is not lines of ASCII text")
    lines = body[1:-1].decode("ascii").split("\n")
    return _fields(lines, names), lines[len(names) :]


_Found = TypeVar("_Found", bound=BoardProof)


class FileSchema(Generic[_Found]):
    """Schema of one kind of file, shared by writer and reader.

    `put` gives the values of the header, by their names, and the rows of a proof; `take` makes the
    proof of both. Game, creator and the number of rows, where `counted` in the last field, are
    written here, and where `in_forms` the number of symmetries under which
    :mod:`hyperoxo.proof.canonical` merges positions.
    """

    def __init__(
        self,
        kind: str,
        fields: str,
        put: Callable[[_Found], tuple[dict[str, object], Sequence[str]]],
        take: Callable[[dict[str, str], list[str]], _Found],
        *,
        counted: bool = True,
        in_forms: bool = True,
    ) -> None:
        self.kind, self.fields, self.counted = kind, fields.split(), counted
        self.first_line = f"hyperoxo-{kind} 1".encode("ascii")
        self.magic = self.first_line + b"\n"
        self.put, self.take = put, take
        self.in_forms = in_forms and "symmetries" in self.fields

    def text(self, values: Sequence[object], rows: Sequence[str]) -> bytes:
        """Build a file; the number of rows is not among the values."""
        values = [*values, len(rows)] if self.counted else values
        head = [f"{name} {value}" for name, value in zip(self.fields, values, strict=True)]
        return seal(self.magic, [*head, *rows])

    def read(self, data: bytes) -> tuple[list[str], list[str]]:
        """Split a file into the values of its header and its rows."""
        values, rows = unseal(data, self.magic, self.fields)
        if self.counted:
            name = self.fields[-1]
            count = number(values.pop(), f"the number of {name}")
            if count != len(rows):
                raise NotationError(f"the file promises {count:,} {name} and holds {len(rows):,}")
        return values, rows

    def head(self, data: bytes) -> list[str]:
        """Return the values of a file's header; its hash is not verified."""
        return _fields(data.decode("ascii").split("\n")[2:], self.fields)

    def check(self, data: bytes, again: bytes) -> None:
        """Check that a file is written again exactly as it was read."""
        if again != data:
            raise NotationError(f"the file is not written the way {self.kind} files are")

    def write(self, found: _Found, *, creator: str = "") -> bytes:
        """Write a proof as the content of a file."""
        own, rows = self.put(found)
        values = {"game": found.game, "creator": creator_text(creator), **own}
        if self.in_forms:
            game = Game(found.game) if isinstance(found.game, str) else found.game
            values["symmetries"] = canonical_forms_of(game).count
        names = self.fields[:-1] if self.counted else self.fields
        return self.text([values[name] for name in names], rows)

    def read_file(self, source: str | os.PathLike[str] | bytes) -> tuple[_Found, str]:
        """Read a proof and its creator; `verify` checks the claim.

        Raises `NotationError` if anything is not exactly as `write` would write it.
        """
        data = read_bytes(source)
        values, rows = self.read(data)
        head = dict(zip(self.fields, values, strict=False))
        if self.in_forms:
            game, given = Game(head["game"]), head["symmetries"]
            count = canonical_forms_of(game).count
            if number(given, "the number of symmetries") != count:
                raise NotationError(f"{game} has {count} symmetries, not {given}")
        # Writing the proof again and comparing bytes makes parsing strict without a rule for each
        # field: order, spelling, duplicates and spaces.
        found, creator = self.take(head, rows), text_creator(head["creator"])
        self.check(data, self.write(found, creator=creator))
        return found, creator

    def read_proof(self, source: str | os.PathLike[str] | bytes) -> _Found:
        """Read a proof; see `read_file`."""
        return self.read_file(source)[0]


_Claimed = TypeVar("_Claimed", bound=Proof)


class ClaimSchema(FileSchema[_Claimed]):
    """A kind of file about a player.

    `rows_of` writes the rows of a proof; `read_rows` turns them into what `make` takes after game,
    seat and claim, and before the first position, None if the header has none. `numbers` are
    more fields of header and proof, with their names in messages.
    """

    def __init__(
        self,
        kind: str,
        fields: str,
        make: Callable[..., _Claimed],
        rows_of: Callable[[_Claimed], Sequence[str]],
        read_rows: Callable[[Game, list[str]], object],
        claims: tuple[str, ...] = CLAIMS,
        **numbers: str,
    ) -> None:
        def put(found: _Claimed) -> tuple[dict[str, object], Sequence[str]]:
            values = {"position": found.position.text, "seat": found.seat, "claim": found.claim}
            return values | {name: getattr(found, name) for name in numbers}, rows_of(found)

        def take(head: dict[str, str], rows: list[str]) -> _Claimed:
            game = Game(head["game"])
            listed = read_rows(game, rows)
            begins = game.position(head["position"]) if "position" in head else None
            seat, claim = number(head["seat"], "the seat"), text_claim(head["claim"], claims)
            more = {name: number(head[name], what) for name, what in numbers.items()}
            return make(game, seat, claim, listed, begins, **more)

        super().__init__(kind, fields, put, take)


def _digest(magic: bytes, body: bytes) -> bytes:
    return hashlib.sha256(magic + _HASH + body).hexdigest().encode("ascii")


def file_hash(data: bytes) -> str:
    """Return the hash that a file states."""
    return data[data.index(_HASH) + len(_HASH) :][:64].decode("ascii")


def _fields(lines: Sequence[str], names: Sequence[str]) -> list[str]:
    return [_field(name, lines[at] if at < len(lines) else "") for at, name in enumerate(names)]


def _field(name: str, line: str) -> str:
    word, space, value = line.partition(" ")
    if word != name or not space:
        raise NotationError(f"the line '{name} ...' is missing")
    return value


def number(text: str, what: str) -> int:
    """Read a number in its only spelling."""
    if not _NUMBER.fullmatch(text):
        raise NotationError(f"{what} is {quoted(text)}, which is not a number")
    return int(text)


def creator_text(creator: str) -> str:
    """Return the creator of a file as one line of printable ASCII, ``-`` for none."""
    plain = creator.strip()[:_LONGEST].strip()
    return "".join(c if " " <= c <= "~" else "?" for c in plain) or "-"


def text_creator(text: str) -> str:
    """Inverse of `creator_text`."""
    return "" if text == "-" else text


def owners_text(owners: bytes, size: int) -> str:
    """Write the owners of a position, one character per cell."""
    if len(owners) != size or owners.translate(None, _KNOWN_OWNERS):
        raise SpecError(f"{owners.hex() or 'nothing'} is not a position of {size} cells")
    return owners.translate(_SIGNS).decode("ascii")


def text_owners(text: str, size: int) -> bytes:
    """Inverse of `owners_text`; refuses any other text."""
    owners = text.encode("ascii").translate(_OWNERS, _UNKNOWN_SIGNS)
    if len(owners) != size or len(text) != size:
        raise NotationError(f"{quoted(text)} is not a position of {size} cells")
    return owners


def with_stone(owners: bytes, cell: int, owner: int) -> bytes:
    """Return a position with another owner of a cell."""
    return owners[:cell] + bytes([owner]) + owners[cell + 1 :]


def read_bytes(source: str | os.PathLike[str] | bytes) -> bytes:
    """Return the content of a file, or the bytes themselves."""
    return source if isinstance(source, bytes) else read_file(source)


def move_rows(game: Game, moves: Mapping[bytes, int]) -> list[str]:
    """Write positions and the cells played in them as the rows of a file, ascending."""
    size = game.board.cell_count
    rows = []
    for owners, move in sorted(moves.items()):
        if move < 0:
            raise SpecError(f"a move, {move}, is stored for a row that is not a position of {game}")
        rows.append(f"{owners_text(owners, size)} {move}")
    return rows


def rows_moves(game: Game, rows: list[str]) -> dict[bytes, int]:
    """Inverse of `move_rows`."""
    moves = {}
    for row in rows:
        position, _, move = row.partition(" ")
        moves[text_owners(position, game.board.cell_count)] = number(move, "a move")
    if len(moves) != len(rows):
        raise NotationError("a position is listed twice")
    return moves
