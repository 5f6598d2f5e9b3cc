"""Proofs of dictionaries as files.

A file is ASCII text; every line ends in one line feed, also the last::

    hyperoxo-dictionary 1
    sha256 5d0c...            64 hexadecimal digits, lower case
    game 3^3                  canonical spelling
    position .........        where the claim begins
    seat 1                    who wins from there
    leaves stored             or derived
    creator oxo proof pack    what made it, on one line, or - for nothing
    symmetries 48             symmetries under which positions are merged
    strategic 1               positions with a listed move
    blocks 0                  positions that are followed, and in which the attacker only blocks
    sequences 5               stored forced sequences
    first -                   sequences needed where the claim begins, or - for none
    ......... 13 0-1/2-4-5    position, cell, sequences; positions ascending

First line and hash are those of all proof files (:mod:`hyperoxo.proof.envelope`). Positions,
their order and the one spelling of everything are those of strategy files. Cells of a sequence are
joined by ``-``, sequences by ``/``; a position without any ends after the cell. With leaves
derived, there are strategic positions only, and no sequences.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hyperoxo.errors import NotationError, SpecError, quoted
from hyperoxo.game import Game
from hyperoxo.proof.dictionary import Dictionary, Sequences
from hyperoxo.proof.envelope import FileSchema, number, owners_text, text_owners


def _put(proof: Dictionary) -> tuple[dict[str, object], list[str]]:
    values: dict[str, object] = {
        "position": proof.position.text,
        "seat": proof.seat,
        "leaves": "stored" if proof.stored else "derived",
        "strategic": len(proof.moves),
        "blocks": len(proof.blocks),
        "sequences": proof.sequences,
        "first": _spelled((proof.leaves or {}).get(b"", ())) or "-",
    }
    return values, list(_rows(proof))


def _rows(proof: Dictionary) -> Iterator[str]:
    """Yield the lines of the positions."""
    game = proof.game
    size = game.board.cell_count
    moves = {**proof.moves, **proof.blocks}
    leaves = proof.leaves or {}
    if len(moves) < len(proof.moves) + len(proof.blocks) or (
        proof.stored and leaves.keys() - {b""} != moves.keys()
    ):
        raise SpecError("positions, blocks and sequences do not belong together")
    for owners, move in sorted(moves.items()):
        if len(owners) != size or not _of_two(owners) or move < 0:
            raise SpecError(f"a move, {move}, is stored for a row that is not a position of {game}")
        sequences = _spelled(leaves.get(owners, ()))
        position = owners_text(owners, size)
        yield f"{position} {move} {sequences}" if sequences else f"{position} {move}"


def _of_two(owners: bytes) -> bool:
    """True if all stones are those of two players."""
    return not owners.translate(None, b"\0\1\2\xff")


def _spelled(sequences: Sequences) -> str:
    if any(cell < 0 for sequence in sequences for cell in sequence) or () in sequences:
        raise SpecError("a stored sequence is empty or holds a number that is not a cell")
    return "/".join("-".join(map(str, sequence)) for sequence in sequences)


def _take(head: dict[str, str], rows: list[str]) -> Dictionary:
    game, leaves, first = Game(head["game"]), head["leaves"], head["first"]
    if leaves not in ("stored", "derived"):
        raise NotationError(f"leaves are {quoted(leaves)}, neither 'stored' nor 'derived'")
    strategic = number(head["strategic"], "the number of strategic positions")
    promised = strategic + number(head["blocks"], "the number of blocks")
    if promised != len(rows):
        raise NotationError(f"the file promises {promised:,} positions but holds {len(rows):,}")
    begins = game.position(head["position"])
    attacker = number(head["seat"], "the seat")
    moves: dict[bytes, int] = {}
    found: dict[bytes, Sequences] = {b"": () if first == "-" else _sequences(first)}
    for row in rows:
        owners, move, stored = _entry(row, game)
        moves[owners] = move
        found[owners] = stored
    if len(moves) < len(rows):
        raise NotationError("a position is listed twice")
    sequences = number(head["sequences"], "the number of sequences")
    if sum(map(len, found.values())) != sequences:
        raise NotationError(f"the file does not hold the {sequences} sequences that it promises")
    listed, blocked = _split_entries(game, attacker, moves)
    if len(listed) != strategic:
        raise NotationError(
            f"the file promises {strategic:,} strategic positions and holds {len(listed):,}"
        )
    sequences_stored = found if leaves == "stored" else None
    return Dictionary(game, attacker, begins, listed, sequences_stored, blocked)


def _split_entries(
    game: Game, attacker: int, moves: dict[bytes, int]
) -> tuple[dict[bytes, int], dict[bytes, int]]:
    """Split entries into strategic moves and blocks, by the defender's threats."""
    # Rows do not tell the two kinds apart: rule 2 comes before rule 3, so that a move in a position
    # where the defender threatens can only be a block. What the opening keeps the defender from
    # completing next is no threat.
    from hyperoxo.proof.dictionary_loops import mark_completing
    from hyperoxo.proof.dictionary_walk import opening_cells
    from hyperoxo.proof.tables import stones_of, tables_of

    tables, completing = tables_of(game), np.zeros((2, game.board.cell_count), np.uint8)
    listed: dict[bytes, int] = {}
    blocked: dict[bytes, int] = {}
    for owners, move in moves.items():
        mark_completing(tables, stones_of(tables, owners, attacker), completing)
        bound = opening_cells(game, owners, 3 - attacker)
        threats = completing[1] if bound is None else completing[1, sorted(bound)]
        chosen = blocked if threats.any() else listed
        chosen[owners] = move
    return listed, blocked


def _entry(row: str, game: Game) -> tuple[bytes, int, Sequences]:
    position, _, rest = row.partition(" ")
    move, space, sequences = rest.partition(" ")
    owners = text_owners(position, game.board.cell_count)
    if not _of_two(owners):
        raise NotationError(f"{quoted(position)} is not a position of {game}")
    return owners, number(move, "a move"), _sequences(sequences) if space else ()


def _sequences(text: str) -> Sequences:
    return tuple(
        tuple(number(cell, "a cell") for cell in sequence.split("-"))
        for sequence in text.split("/")
    )


FILE = FileSchema(
    "dictionary",
    "game position seat leaves creator symmetries strategic blocks sequences first",
    _put,
    _take,
    counted=False,
)
proof_text, read_proof = FILE.write, FILE.read_proof
