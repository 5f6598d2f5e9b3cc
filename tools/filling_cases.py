#!/usr/bin/env python3
"""Find the cases of filling-cases-3-4.oxo.xz, and write the file, not packed.

Usage: tools/filling_cases.py FILE [GAME] (long; a run that was stopped resumes from FILE)

They prove that on every full board of 3^4 without its centre, on which both players have 40 stones,
one of them has 12 of the 232 lines, so that no game to 12 lines is drawn.
"""

from __future__ import annotations

import sys
from pathlib import Path

from hyperoxo.cli.progress import Progress
from hyperoxo.game import Game
from hyperoxo.proof import check_proof, write_proof
from hyperoxo.task import Task
from hyperoxo_research.draws.filling_cases import filling_by_cases


def main() -> None:
    """Write the file."""
    path = Path(sys.argv[1])
    game = Game(sys.argv[2] if len(sys.argv) > 2 else "3^4:target=12,blocked=centre")
    with Progress("cases") as progress:
        found = filling_by_cases(game, task=Task(progress), checkpoint=path)
    if found is None:
        raise SystemExit(f"no cases were found of {game}")
    verdict = check_proof(found)
    if not verdict.proved:
        raise SystemExit(verdict.reason)
    write_proof(found, path, creator=f"tools/filling_cases.py {path.name}")


if __name__ == "__main__":
    main()
