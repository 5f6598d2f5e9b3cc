"""Policy and value network over cells and lines: weights, files and evaluation.

Files are in the safetensors format: a length, a header in JSON, the numbers. Reading one runs no
code from the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from hyperoxo.errors import SpecError, quoted
from hyperoxo.files import DamagedFileError, sha256
from hyperoxo.game import CLASSIC, Game, Position, Requires, Trait
from hyperoxo.kernels.network import (
    CHANNELS,
    DISTANCES,
    KINDS,
    LATER,
    RIVAL,
    block_sizes,
    judge_boards,
)
from hyperoxo.solvers.arrays import tables_of
from hyperoxo.untrusted import parse_json, read_bytes

FORMAT = "hyperoxo network 1"
"""The entry "format" of the header's metadata."""

NETWORK = Requires("the network of cells and lines", CLASSIC)
STORED = Requires("the network that comes with the program", CLASSIC - {Trait.MISERE})
"""Without misère play: the network has learned to complete lines."""

NEXT = "next"
"""Block of two rows, like "value", for the value to the next player.

Needed for training with three or more players, not for play.
"""

_SMALL = ("3^2", "3^3", "4^2")
"""Games of one of the stored networks; the other plays all others."""

_LONGEST_HEADER = 4_000_000

Tensors = dict[str, NDArray[np.generic]]


def tensors_of(content: bytes, name: str) -> tuple[Tensors, dict[str, str]]:
    """Return the arrays of a safetensors file by name, and its metadata; `name` is for messages."""
    # `DamagedFileError` if it is cut off, or its numbers have changed since it was written.
    size = int.from_bytes(content[:8], "little")
    if not 2 <= size <= _LONGEST_HEADER or content[8:9] != b"{":
        raise SpecError(f"{quoted(name)} is not a safetensors file")
    try:
        header = parse_json(content[8 : 8 + size], _LONGEST_HEADER)
        metadata = {str(key): str(value) for key, value in header.get("__metadata__", {}).items()}
        found = load(content)
    except (SafetensorError, AttributeError, KeyError, TypeError, ValueError):
        raise DamagedFileError(name, "it is cut off, or its header is invalid") from None
    if metadata.get("sha256", "") not in ("", sha256(memoryview(content)[8 + size :])):
        raise DamagedFileError(name)
    return found, metadata


def file_of(tensors: Mapping[str, NDArray[Any]], metadata: Mapping[str, str]) -> bytes:
    """Return the safetensors file of some arrays, with its SHA-256; the same for the same input."""
    content = save({name: np.asarray(array, order="C") for name, array in tensors.items()})
    end = 8 + int.from_bytes(content[:8], "little")
    body = content[end:]
    # Write the header again: the library's order of metadata differs from process to process.
    header = {"__metadata__": {**metadata, "sha256": sha256(body)}, **json.loads(content[8:end])}
    text = json.dumps(header).encode()
    # Spaces pad the header, so that the numbers begin at a multiple of eight bytes.
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + body


@dataclass(frozen=True, eq=False)
class Network:
    """The weights of a network; the same for every board."""

    blocks: dict[str, NDArray[np.float32]]
    """Arrays ``[rows, CHANNELS]`` by the names of `block_sizes`."""
    metadata: dict[str, str]

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Network:
        """Read the weights of a checkpoint."""
        return cls.of(read_bytes(path), os.fspath(path))

    @classmethod
    def of(cls, content: bytes, name: str) -> Network:
        """Return the network of a checkpoint's content; see :func:`tensors_of` for errors."""
        tensors, metadata = tensors_of(content, name)
        if metadata.get("format") != FORMAT:
            raise SpecError(f"{quoted(name)} does not hold a hyperoxo network")
        begin = "network/"
        network = cls(
            {
                key.removeprefix(begin): np.asarray(array, np.float32)
                for key, array in tensors.items()
                if key.startswith(begin)
            },
            metadata,
        )
        wanted = {key: (rows, CHANNELS) for key, rows in block_sizes(network.rounds).items()}
        if NEXT in network.blocks:
            wanted[NEXT] = (2, CHANNELS)
        if {key: block.shape for key, block in network.blocks.items()} != wanted:
            raise SpecError(f"{quoted(name)} holds a network of another architecture")
        if not all(np.isfinite(block).all() for block in network.blocks.values()):
            raise DamagedFileError(name, "weights that are not numbers")
        return network

    @property
    def rounds(self) -> int:
        """Number of rounds of messages between cells and lines."""
        return sum(name.endswith(".kinds") for name in self.blocks)

    @cached_property
    def weights(self) -> NDArray[np.float32]:
        """All blocks as one array for the kernels; rows of later rivals include those of rivals."""
        # Float32 ``[rows, CHANNELS]``. Weights for "a later rival" are learned as a difference to
        # those for any rival, and added up here once.
        weights = np.concatenate([self.blocks[name] for name in block_sizes(self.rounds)])
        row = 0
        for name, rows in block_sizes(self.rounds).items():
            if name == "cell.lines" or name.endswith(".kinds"):
                for first in range(row, row + rows, KINDS):
                    rivals = weights[first + RIVAL : first + RIVAL + DISTANCES]
                    weights[first + LATER : first + LATER + DISTANCES] += rivals
            row += rows
        weights.flags.writeable = False
        return weights

    def judge(
        self, game: Game, owners: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Return logits of moves ``[B, N]`` and values ``[B]`` of positions, uint8 ``[B, N]``."""
        # A move that is not legal has -inf. The value is that to the player to move, within -1 and
        # 1; NaN once the game is over.
        NETWORK.check(game)
        owners = np.ascontiguousarray(owners, dtype=np.uint8)
        logits = np.empty(owners.shape, dtype=np.float32)
        values = np.empty(len(owners))
        judge_boards(tables_of(game), self.weights, owners, logits, values)
        return logits, values

    def judge_position(self, position: Position) -> tuple[NDArray[np.float32], float]:
        """Return the logits of the legal moves, in order, and the value."""
        owners = np.frombuffer(position.owners, dtype=np.uint8)[None]
        logits, values = self.judge(position.game, owners)
        return logits[0, list(position.legal_moves)], float(values[0])


@lru_cache(maxsize=8)
def stored_network(game: str) -> Network:
    """Return the network that comes with the program; its metadata describe its training."""
    name = f"network-{'small' if game in _SMALL else 'any'}.safetensors"
    return Network.of(files("hyperoxo").joinpath("data", name).read_bytes(), name)
