"""The `oxo` command: a group whose commands are loaded on demand, and its exit codes."""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from hyperoxo import __version__
from hyperoxo.errors import HyperoxoError

__all__ = ["COMMANDS", "main"]

INTERRUPTED = 130
USAGE = 2

COMMANDS: dict[str, tuple[str, str]] = {
    "analyse": ("hyperoxo.cli.analyse:command", "Tell what the moves of a game were worth."),
    "bench": ("hyperoxo.cli.bench:command", "Measure speed, beside other programs if asked."),
    "board": ("hyperoxo.cli.board:command", "Count cells, lines, symmetries and orbits."),
    "coalition": (
        "hyperoxo.cli.coalition:command",
        "Tell what each seat can force against all the others.",
    ),
    "convert": ("hyperoxo.cli.convert:command", "Turn positions and games into other notations."),
    "doctor": ("hyperoxo.cli.doctor:command", "Tell what this installation has and lacks."),
    "explain": ("hyperoxo.cli.explain:command", "Ask an agent for a move and its reasons."),
    "guide": ("hyperoxo.cli.guide:command", "Let one seat follow an agent against every play."),
    "ladder": ("hyperoxo.cli.ladder:command", "Play agents against weaker ones, step by step."),
    "map": ("hyperoxo.cli.map:command", "Draw the nested map of optimal moves."),
    "match": ("hyperoxo.cli.match:command", "Let agents play many games and count."),
    "perft": ("hyperoxo.cli.perft:command", "Count move sequences ply by ply."),
    "play": ("hyperoxo.cli.play:command", "Play in the terminal."),
    "proof": ("hyperoxo.cli.proof:command", "Make, show and export proof files."),
    "puzzle": ("hyperoxo.cli.puzzle:command", "Make puzzles: forced wins to be found."),
    "quiet": ("hyperoxo.cli.quiet:command", "Count the quiet moves that a forced win takes."),
    "replies": ("hyperoxo.cli.replies:command", "Prove replies lost, one by one."),
    "results": ("hyperoxo.cli.results:command", "List what was played before, and write it out."),
    "serve": ("hyperoxo.cli.serve:command", "Serve the web application."),
    "solve": ("hyperoxo.cli.solve:command", "Find the value of a game and of every move."),
    "states": ("hyperoxo.cli.states:command", "Count all positions, and write their graph."),
    "study": ("hyperoxo.cli.study:command", "Measure published tables again, as reports."),
    "sweep": ("hyperoxo.cli.sweep:command", "Let an agent play with many values of a parameter."),
    "threats": ("hyperoxo.cli.threats:command", "Find forced wins, or check a published one."),
    "tournament": (
        "hyperoxo.cli.tournament:command",
        "Let agents play on every seating, and rate them.",
    ),
    "tree": ("hyperoxo.cli.tree:command", "Draw the game tree."),
    "tui": ("hyperoxo.cli.tui:command", "Play and analyse on a full screen."),
    "verify": (
        "hyperoxo.cli.verify:command",
        "Check a proof file, or a dictionary of strategic moves.",
    ),
    "warmup": ("hyperoxo.cli.warmup:command", "Compile everything now rather than at first use."),
}
"""Name of each command, where it lives, and its line in ``oxo --help``."""


class LazyGroup(click.Group):
    """A group that imports a command's module only when that command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name all commands."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command, or return None where there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name][0].split(":")
        loaded = getattr(importlib.import_module(module), attribute)
        assert isinstance(loaded, click.Command)
        return loaded

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that was asked for, or suggest the nearest name."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            near = difflib.get_close_matches(name, COMMANDS, n=1)
            hint = f"did you mean '{near[0]}'?" if near else "'oxo --help' lists them"
            raise click.UsageError(f"there is no command '{name}'; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table, importing none of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in sorted(COMMANDS)])

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command line; standing alone, end the process with the right exit code."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        sys.exit(self._exit_code(args, complete_var, extra))

    def _exit_code(
        self, args: Sequence[str] | None, complete_var: str | None, extra: dict[str, Any]
    ) -> int:
        words = list(sys.argv[1:] if args is None else args) or ["--help"]
        ctx: click.Context | None = None
        try:
            self._main_shell_completion(extra, "oxo", complete_var)
            ctx = self.make_context("oxo", words, **extra)
            with ctx:
                result = self.invoke(ctx)
            sys.stdout.flush()
        except click.exceptions.Exit as leaving:
            return leaving.exit_code
        except (click.Abort, EOFError, KeyboardInterrupt):
            return INTERRUPTED
        except BrokenPipeError:
            _close_quietly()
            return 0
        except (click.ClickException, HyperoxoError, OSError) as error:
            return _complain(error, ctx)
        return result if isinstance(result, int) else 0


def _complain(error: Exception, ctx: click.Context | None) -> int:
    """Print one line on stderr; return the exit code."""
    where = "oxo"
    if ctx is not None and ctx.invoked_subcommand:
        where = f"oxo {ctx.invoked_subcommand}"
    if isinstance(error, click.UsageError) and error.ctx is not None:
        where = error.ctx.command_path
    line = " ".join(_sentence(error).split()).removesuffix(".")
    click.echo(f"{where}: {line}", err=True)
    return error.exit_code if isinstance(error, HyperoxoError) else USAGE


def _sentence(error: Exception) -> str:
    if isinstance(error, click.MissingParameter):
        return error.format_message()
    if isinstance(error, click.BadParameter) and error.param is not None:
        return f"{error.param.get_error_hint(error.ctx).replace(chr(39), '')}: {error.message}"
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error) or type(error).__name__


def _close_quietly() -> None:
    """Send what is still buffered nowhere, so that the interpreter's last flush does not fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="oxo", message="%(prog)s %(version)s")
def main() -> None:
    """Play, measure and study generalised tic-tac-toe.

    A GAME is written SIDE^DIM, as in 3^2 or 4^3, with options after a colon: 4^3:gravity.
    """
