"""Print the kernels that commands compile or load although `oxo warmup` has run."""

from __future__ import annotations

import sys
import tempfile

from click.testing import CliRunner

from hyperoxo.cli.main import main
from hyperoxo.jit import Kernel

COMMANDS = """
threats 3^3 --position moves:13,0
threats 4^3 --position moves:0,1,3,2
threats 4^3:gravity --nodes 1000
threats 5^3 --nodes 1000
threats 6^3 --nodes 1000
puzzle 3^3 --length 2
puzzle 4^3 --length 2
solve 3^2
solve 3^2:players=3
solve 3^2:gravity
solve 3^3:misere --nodes 1000
solve 3^3:target=2 --nodes 1000
solve 4^3 --nodes 2000
solve 4^3:opening=poor --method proof --nodes 2000
solve 5^3 --nodes 200
verify {folder}/one.oxo
verify {folder}/three.oxo
analyse --game 3^2 --moves 0,4,8
analyse --game 3^2:players=3 --moves 0,1
analyse --game 4^3 --moves 0,1,3,2 --seconds 0.2
match 3^2 random ising:reading=doubled --games 1 --no-store
match 3^2 minimax mcts:simulations=20 --games 2 --no-store
match 4^3 expert:simulations=20 greedy --games 1 --no-store
coalition 2^2:players=3
perft 4^3 --plies 3
states 3^2
""".splitlines()[1:]


def signatures() -> set[tuple[str, str]]:
    """Return the names of all kernels that are compiled, with the types they take."""
    return {
        (f"{value.py_func.__module__}.{value.py_func.__name__}", str(types))
        for name, module in list(sys.modules.items())
        if name.startswith("hyperoxo")
        for value in vars(module).values()
        if isinstance(value, Kernel) and "made" in vars(value) and not value.home
        for types in value.overloads
    }


def oxo(line: str) -> None:
    done = CliRunner().invoke(main, line.split(), catch_exceptions=False)
    assert done.exit_code == 0, (line, done.output)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        oxo("warmup -q")
        ready = signatures()
        oxo(f"solve 3^2 --proof {folder}/one.oxo")
        oxo(f"solve 3^2:players=3 --proof {folder}/three.oxo")
        for command in COMMANDS:
            oxo(command.format(folder=folder))
            for kernel, _ in sorted(signatures() - ready):
                print(f"{command}: {kernel}")  # noqa: T201
            ready |= signatures()
