#!/usr/bin/env python3
"""Find the weights of src/hyperoxo_research/data/filling-3-4.oxo, and write the file.

Usage: tools/filling.py FILE [SEED] (some minutes)

They prove that on every full board of 3^4 at least 29 lines are of one player, so that no game to
15 lines is drawn. From some seeds the search takes longer than from others.
"""

from __future__ import annotations

import sys
from pathlib import Path

from hyperoxo.game import Game
from hyperoxo.proof import write_proof
from hyperoxo.task import Task
from hyperoxo_research.draws.filling import odd_filling


def main() -> None:
    """Write the file."""
    path, seed = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    found = odd_filling(Game("3^4:target=15"), 29, task=Task(), seed=seed)
    if found is None:
        raise SystemExit("no weights were found from this seed")
    write_proof(found, path, creator=f"tools/filling.py {path.name} {seed}")


if __name__ == "__main__":
    main()
