"""The `oxo` command: a group whose commands are loaded on demand, and its exit codes."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hyperoxo import __version__
from hyperoxo.cli.commands import commands, headings, old_names, package_of, registered
from hyperoxo.cli.output import FAILED, INTERRUPTED, print_remark
from hyperoxo.errors import CheckFailedError, HyperoxoError, LimitError, meant, one_line
from hyperoxo.extensions import Extension, missing
from hyperoxo.files import FULL, reason
from hyperoxo.processes import shutdown_signals
from hyperoxo.terminal.streams import displaying

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

USAGE = 2
_UNWRITTEN = (*FULL, errno.EBADF)
_SETTINGS = {"help_option_names": ["-h", "--help"]}


class LazyGroup(click.Group):
    """A group that imports a command's module only when that command is called."""

    prefix = ""
    """The words before its commands, after ``oxo``."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands that are listed."""
        return sorted(commands(self.prefix))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command, also by an old name, or return None if there is none of that name."""
        name = f"{self.prefix} {cmd_name}".strip()
        if not self.prefix:
            name = old_names().get(name, name)
        if name not in registered():
            return None
        listed = registered()[name]
        if _is_group(name):
            group = LazyGroup(
                name, help=listed.line, context_settings=_SETTINGS, no_args_is_help=False
            )
            group.prefix = name
            return group
        module, _, attribute = listed.place.partition(":")
        command = Extension(cmd_name, f"{module}:{attribute or 'command'}").load()
        if not isinstance(command, click.Command):
            raise CheckFailedError(f"'{cmd_name}' of another package is not a command")
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """Complete the names of commands, importing none of them; old ones if no other fits."""
        from click.shell_completion import CompletionItem

        listed = commands(self.prefix)
        found = [
            CompletionItem(name, help=listed[name].line)
            for name in sorted(listed)
            if name.startswith(incomplete)
        ]
        if not found and not self.prefix:
            found = [CompletionItem(old) for old in old_names() if old.startswith(incomplete)]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a command of one word or two, or suggest the nearest name."""
        name = args[0]
        two = " ".join(args[:2])
        if not self.prefix and two in registered() and not _is_group(name):
            return two, self.get_command(ctx, two), args[2:]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            package = package_of(f"{self.prefix} {name}".strip())
            if package is not None:
                raise CheckFailedError(missing(f"'{ctx.command_path} {name}'", package))
            known = [*commands(self.prefix), *(() if self.prefix else old_names())]
            hint = meant(name, known) or f"'{ctx.command_path} --help' lists them"
            raise click.UsageError(f"there is no command '{name}'; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by heading, importing none of them."""
        parts = [("Commands", commands(self.prefix))] if self.prefix else headings()
        for heading, names in parts:
            with formatter.section(heading):
                formatter.write_dl([(name, listed.line) for name, listed in names.items()])

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
        _open_streams()
        with shutdown_signals() as ended, displaying():
            code = self._exit_code(args, complete_var, extra)
        # Output that cannot be written is dropped, so that the interpreter's last flush succeeds.
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except OSError:
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        # As shells count: 130 for Ctrl-C, 143 where the system asked for the end.
        sys.exit(128 + ended[-1] if code == INTERRUPTED and ended else code)

    def _exit_code(
        self, args: Sequence[str] | None, complete_var: str | None, extra: dict[str, Any]
    ) -> int:
        words = list(sys.argv[1:] if args is None else args) or ["--help"]
        ctx: click.Context | None = None
        try:
            if "_OXO_COMPLETE" in os.environ:
                from hyperoxo.cli.completion import register

                register()
            self._main_shell_completion(extra, "oxo", complete_var)
            ctx = self.make_context("oxo", words, **extra)
            with ctx:
                result = self.invoke(ctx)
            sys.stdout.flush()
        except click.exceptions.Exit as leaving:
            return leaving.exit_code
        except (click.Abort, EOFError, KeyboardInterrupt) as ending:
            cut = _cut_code(ending)
            return INTERRUPTED if cut is None else _complain(cut, ctx)
        # The reader, such as `head`, has seen enough.
        except BrokenPipeError:
            return 0
        except (click.ClickException, HyperoxoError, OSError) as error:
            return _complain(_cut_code(error.__cause__) or error, ctx)
        except MemoryError:
            return _complain(LimitError("there is not enough memory for this"), ctx)
        return result if isinstance(result, int) else 0


def _is_group(name: str) -> bool:
    return name in registered() and not registered()[name].place


def _open_streams() -> None:
    """Open standard streams that are closed, so that no file gets their descriptors."""
    # Input is then empty and remarks are dropped; writing an answer fails with an error.
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_WRONLY if number == 2 else os.O_RDONLY)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8"))  # noqa: PTH123, SIM115 - a descriptor, for as long as the process runs


def _cut_code(ending: BaseException | None) -> HyperoxoError | None:
    """Remove a truncated byte-code file; return an error about it, or None."""
    # Python may leave such a file on a full disk, and then cannot import its module.
    trace = None if ending is None else ending.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    path = trace and trace.tb_frame.f_locals.get("bytecode_path")
    if not path or not isinstance(ending, EOFError):
        return None
    try:
        Path(path).unlink()
    except OSError as error:
        return CheckFailedError(f"{path} is damaged, and cannot be removed: {error.strerror}")
    return CheckFailedError(f"{path} was damaged, and has been removed; try again")


def _complain(error: Exception, ctx: click.Context | None) -> int:
    """Print one line on stderr; return the exit code."""
    where = "oxo"
    if ctx is not None and ctx.invoked_subcommand:
        where = f"oxo {ctx.invoked_subcommand}"
    if isinstance(error, click.UsageError) and error.ctx is not None:
        where = error.ctx.command_path
    sentence = _sentence(error)
    if isinstance(error, click.ClickException):  # click writes some over several lines
        sentence = " ".join(sentence.split())
    line = one_line(sentence.strip()).removesuffix(".")
    print_remark(f"{where}: {line}")
    if isinstance(error, OSError) and error.errno in _UNWRITTEN:
        return FAILED
    return error.exit_code if isinstance(error, HyperoxoError) else USAGE


def _sentence(error: Exception) -> str:
    missing = isinstance(error, click.MissingParameter)
    if isinstance(error, click.BadParameter) and error.param is not None and not missing:
        return f"{error.param.get_error_hint(error.ctx).replace(chr(39), '')}: {error.message}"
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, OSError) and error.errno in _UNWRITTEN and _writes_file():
        if error.errno == errno.EBADF:
            return "standard output is closed"
        return f"standard output: {reason(error, '/dev/stdout')}"
    return str(error) or type(error).__name__


def _writes_file() -> bool:
    """Return True if standard output is a file or a device, which may be full."""
    return not stat.S_ISFIFO(os.fstat(1).st_mode) and not os.isatty(1)


@click.group(cls=LazyGroup, context_settings=_SETTINGS)
@click.version_option(__version__, prog_name="oxo", message="%(prog)s %(version)s")
def main() -> None:
    """Play, measure and study generalised tic-tac-toe.

    A GAME is written SIDE^DIM, as in 3^2 or 4^3, with options after a colon: 4^3:gravity.
    """
