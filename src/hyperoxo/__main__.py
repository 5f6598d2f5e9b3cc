"""`python -m hyperoxo` is the command `oxo`."""

import sys

from hyperoxo.cli.main import main

sys.exit(main(prog_name="oxo"))
