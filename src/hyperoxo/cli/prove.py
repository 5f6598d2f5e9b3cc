"""`oxo prove`: proof files made, shown, drawn, shrunk and exported; `oxo verify` checks them."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.cli.completion import complete_file, complete_game
from hyperoxo.cli.output import FAILED, command_line, print_remark, read_bytes, write
from hyperoxo.display import as_data, as_text
from hyperoxo.errors import NotationError, SpecError

if TYPE_CHECKING:
    from hyperoxo.play.explorer import Explorer
    from hyperoxo.proof import Dictionary, DictionaryText
    from hyperoxo.solvers.proofsearch.tree import ProofTree


_UNLISTED = {"cell": None, "by": "nothing is listed here"}
_NODE = """
proved: {claim}
position {position}
?positions {positions:,} positions need a move from here on, {listed:,} of them a listed one, \
at most {depth} in one game
?answer {played}; {details}
|rows| reply | ={times} | answer={cell} | by={means} | positions={positions} | listed={listed} \
| depth={depth} |
?below hardest: --at {hardest:;,}
"""

_FIELD = re.compile(r"([a-z][a-z0-9]*) (.+)")


def _leaves(default: str) -> Any:
    """Declare ``--leaves``: contents of a proof file below its listed moves."""
    about = "Let the checker find forced sequences again, or store them in a larger file."
    return cli.choice(about, ["derived", "stored"], default=default)


@cli.command("prove show win.oxo", "prove show win.oxo --out tree.html")
def show(
    options: cli.Options,
    file: str = cli.argument("FILE", cli.FILE),
    position: str | None = cli.position(
        "Print what the proof plays there, or its answer to each move."
    ),
    out: Path | None = cli.output_file(
        "Draw the tree of the proof, from --position on, into an SVG file, or a "
        ".html page whose branches open.",
        dash=True,
        metavar="FILE",
    ),
    plies: int | None = cli.number(
        "With --out: number of moves shown; default: as many as fit.", 0
    ),
) -> None:
    """Print the header of the proof in FILE: its claim, and counts.

    With --position, print what a strategy or a dictionary plays there or, if it is another player's
    turn, the answer to each of their moves. This does not check the proof.
    """
    from hyperoxo.proof.registry import kind_of_file

    if plies is not None and out is None:
        raise click.UsageError("--plies goes with --out")
    data = read_bytes(file)
    if out is not None:
        _draw(data, position, out, plies, options)
        return
    if position is not None:
        moves = moves_in(data, position)
        options.emit({"file": file, **moves}, _moves_text(moves["moves"]))
        return
    try:
        kind_of_file(data)
    except NotationError as error:
        raise NotationError(f"{file}: {error}") from None
    first, _, rest = data.partition(b"\n")
    answer: dict[str, Any] = {"kind": first.decode("ascii")}
    for line in rest.decode("latin-1").split("\n"):
        # The header ends at the first line that has another form or repeats a field.
        match = _FIELD.fullmatch(line)
        if match is None or match[1] in answer:
            break
        answer[match[1]] = int(match[2]) if match[2].isdecimal() else match[2]
    answer["bytes"] = len(data)
    width = max(map(len, answer))
    options.emit(answer, "*lines {}", lines=[f"{k:<{width}}  {v}" for k, v in answer.items()])


def _draw(
    data: bytes, text: str | None, out: Path, plies: int | None, options: cli.Options
) -> None:
    from hyperoxo.cli.draw import write_boards
    from hyperoxo.play.pictures.proof_tree import draw_proof, proof_page
    from hyperoxo.proof import Dictionary

    proof = _explorer(data, "--out").proof
    assert isinstance(proof, Dictionary | ox.Strategy)
    begins = None if text is None else proof.game.position(text)
    draw = proof_page if out.suffix.lower() in (".html", ".htm") else draw_proof
    with options.progress("positions of the proof") as progress:
        picture = draw(proof, begins, plies, progress=progress)
    write_boards(picture, out, {"claim": proof.statement}, options)


@cli.command("prove export a.oxo --dictionary -", "prove export a.oxo --dictionary b.txt")
def export(
    options: cli.Options,
    file: str = cli.argument("FILE", cli.FILE),
    out: Path = cli.output_file(
        "Output file.", dash=True, metavar="OUT", required=True, spelled="--dictionary"
    ),
) -> None:
    """Write the strategic moves of the proof in FILE in Thompson's text form.

    OUT may be - for standard output. This does not check the proof.
    """
    from hyperoxo.proof import dictionary_text
    from hyperoxo.proof.dictionary_file import read_proof

    dictionary = read_proof(read_bytes(file))
    answer = {"claim": dictionary.statement, "strategic": len(dictionary.moves), "out": str(out)}
    if write(out, dictionary_text(dictionary)):
        options.emit(answer, "{strategic:#strategic move}: {out}")


@cli.command(
    "prove pack 4^3 --dictionary moves.txt --out win.oxo",
    "prove pack 3^3 --dictionary moves.txt --out win.oxo --seat 1",
)
def pack(
    options: cli.Options,
    game: str = cli.argument("GAME", shell_complete=complete_game),
    dictionary: str = cli.input_file("Strategic moves in Thompson's text form.", required=True),
    out: Path = cli.output_file("The proof file.", dash=True, metavar="OUT", required=True),
    leaves: str = _leaves("stored"),
    seat: int | None = cli.number("Player whose moves they are; default: the first entry's.", 1, 2),
    position: str | None = cli.position("Position in which the win begins; default: the start."),
) -> None:
    """Check a dictionary for GAME and make a proof file of the moves that it needs."""
    from hyperoxo.proof.dictionary_check import pack as packed
    from hyperoxo.proof.dictionary_file import proof_text

    text = read_dictionary_file(game, dictionary, seat, position)
    with options.progress("strategic positions") as progress:
        proof, verdict = packed(text.dictionary, stored=leaves == "stored", progress=progress)
    written = proof_text(proof, creator=f"oxo proof pack --leaves {leaves}")
    answer = {
        **as_data(verdict),
        "unused": verdict.unused,
        "sequences": proof.sequences,
        "bytes": len(written),
        "out": str(out),
    }
    if write(out, written):
        options.emit(answer, "{told}\n{bytes:,} bytes: {out}", told=as_text(verdict))


_MEANS = {
    "line": "completes a line",
    "block": "blocks",
    "listed": "listed",
    "forced": "begins a forced sequence",
    "endgame": "searched to the end",
    "over": "the game is over",
    "completion": "another completes a line first",
    "potential": "too few lines are open",
    "pair": "the other cell of the pair",
    "image": "the image of the reply",
    "free": "any free cell",
    "": "another is to move",
}


def moves_in(data: bytes, text: str) -> dict[str, Any]:
    """Return the move of a proof in a position, or its answers to every move of the others."""
    explorer = _explorer(data, "--position")
    position, seat = explorer.game.position(text), explorer.proof.seat

    def played(here: ox.Position) -> dict[str, Any]:
        if here.is_over or here.to_move != seat:
            return {"cell": None, "by": "not its turn"}
        found = explorer.reader and explorer.reader.answer(here)
        return {"cell": found.cell, "by": _MEANS[found.by]} if found else dict(_UNLISTED)

    answers: list[dict[str, Any]] = []
    if not position.is_over and position.to_move == seat:
        answers = [played(position)]
    elif not position.is_over:
        after = ((cell, position.play(cell)) for cell in position.legal_moves)
        answers = [{"reply": cell, **played(here)} for cell, here in after]
    return {"position": position.text, "player": position.to_move, "moves": answers}


def _moves_text(moves: list[dict[str, Any]]) -> str:
    """Return the template for the result of `moves_in`."""
    if not moves:
        return "the game is over in this position"
    if "reply" in moves[0]:
        return "|moves| reply | answer={cell} | by |"
    return "{moves.0.by}" if moves[0]["cell"] is None else "{moves.0.cell}: {moves.0.by}"


def _explorer(data: bytes, option: str) -> Explorer:
    """Read a strategy or a dictionary, which alone an option is for."""
    from hyperoxo.play.explorer import Explorer

    if not data.startswith((b"hyperoxo-dictionary ", b"hyperoxo-strategy ", b"hyperoxo-endgames ")):
        raise NotationError(f"{option} is for strategies and dictionaries; this is neither")
    return Explorer.read(data)


@cli.command("prove tree win.oxo", "prove tree win.oxo --at 63,21")
def tree(
    options: cli.Options,
    file: str = cli.argument("FILE", cli.FILE),
    moves: str = cli.option(
        "Cells played since the claim begins, as 63,21,60; default: none.",
        metavar="MOVES",
        default="",
        spelled="--at",
        show_default=False,
    ),
) -> int:
    """Open the proof in FILE at one position, and print the next moves with their branches.

    This checks the proof first; exit code 1 if it does not hold. Replies whose positions are images
    of each other are one row; the largest branches come first.
    """
    from hyperoxo.play.explorer import Explorer, refused

    if not re.fullmatch(r"|[0-9]+(,[0-9]+)*", moves):
        raise NotationError("--at takes cells with commas between them, such as 63,21,60")
    cells = [int(cell) for cell in moves.split(",")] if moves else []
    data = read_bytes(file)
    reason = refused(data)
    if reason:
        options.emit({"file": file, "verdict": "rejected", "reason": reason}, "{reason}")
        return FAILED
    explorer = Explorer.read(data)
    with options.progress("positions") as progress:
        explorer.count(progress)
    answer = {"file": file, "verdict": "proved", **explorer.summary()}
    if explorer.reader is not None:
        answer |= {**explorer.node(cells), "hardest": explorer.hardest(cells)}
    elif cells:
        raise SpecError("this proof has no moves, so there are no positions to show")
    if "moves" not in answer:
        options.emit(answer, "proved: {claim}\n{theorem}")
        return 0
    found = answer["answer"]
    move = "" if found is None or found["cell"] is None else f"{found['cell']}: "
    rows = [
        {
            **{key: one[key] or None for key in ("positions", "listed", "depth")},
            **{key: one[key] for key in ("reply", "cell")},
            "times": f"×{len(one['cells'])}" if len(one["cells"]) > 1 else "",
            "means": _MEANS[one["by"]],
        }
        for one in answer["replies"]
    ]
    options.emit(
        answer,
        _NODE,
        rows=rows,
        played=found and f"{move}{_MEANS[found['by']]}",
        below=len(answer["hardest"]) > len(answer["moves"]),
    )
    return 0


@cli.command("prove stored", "prove stored 4^3 --out qubic.oxo")
def stored(
    options: cli.Options,
    game: ox.Game | None = cli.game("[GAME]", required=False),
    out: Path | None = cli.output_file("Copy the proof of GAME here.", metavar="OUT"),
) -> None:
    """List the proofs that come with the program, or only that of GAME.

    They are ordinary proof files: `oxo verify` checks them and `oxo prove show` describes them.
    """
    from importlib.resources import files

    from hyperoxo.proof import KINDS
    from hyperoxo.proof.stored import stored_file

    names = {spec: (kind, name) for kind in KINDS.values() for spec, name in kind.stored.items()}
    if out is not None and game is None:
        raise click.UsageError("--out goes with a GAME")
    specs = [spec for spec in names if game is None or spec == str(game)]
    if not specs:
        raise SpecError(f"no proof of {game} comes with the program; there are {', '.join(names)}")
    rows = []
    for spec in specs:
        kind, name = names[spec]
        place = files(kind.package).joinpath("data", name)
        data = place.read_bytes()
        rows.append({"game": spec, "bytes": len(data), "file": str(place)})
        if out is not None:
            data = stored_file(name, package=kind.package)
            write(out, data)
            rows[-1] |= {"bytes": len(data), "file": str(out)}
    options.emit({"proofs": rows}, "|proofs| game | bytes | file |")


@cli.command("prove shrink win.oxo --out less.oxo", "prove shrink a.oxo b.oxo --out c.oxo")
def shrink(
    options: cli.Options,
    files: tuple[str, ...] = cli.argument(
        "FILE...", click.Path(exists=True), nargs=-1, required=True
    ),
    out: Path = cli.output_file("Output file.", metavar="OUT", required=True),
    seconds: float = cli.seconds_limit(60.0, "Time to spend; more time gives smaller proofs."),
    checkpoint: Path | None = cli.output_file(
        "Save the found moves here, every two minutes and at the end, and resume from them."
    ),
    leaves: str = _leaves("derived"),
) -> None:
    """Make the proof in FILE smaller by other winning moves; several FILEs give more choice.

    All must prove the same claim. The command checks the result before it writes it. Ctrl-C ends
    the work and writes the smallest proof so far. With --checkpoint, the next run resumes.
    """
    from hyperoxo.proof.dictionary_file import read_proof
    from hyperoxo.solvers.proofsearch.shrink import shrink_dictionaries

    found = [read_proof(name) for name in files]
    for name, dictionary in zip(files, found, strict=True):
        if dictionary.statement != found[0].statement:
            raise SpecError(
                f"{name} proves that {dictionary.statement}, not the same as {files[0]}"
            )
    with options.progress() as status:
        tree = shrink_dictionaries(
            found,
            seconds,
            seed=options.seed or 0,
            checkpoint=checkpoint,
            on_progress=lambda size, nodes: status.line(
                f"{size:,} strategic moves, chosen among those of {nodes:,} positions"
            ),
        )
    first, stored = found[0], leaves == "stored"
    answer = write_tree(first.position, first.seat, tree, out, stored=stored)
    answer |= {"before": min(len(dictionary.moves) for dictionary in found), "out": str(out)}
    options.emit(
        answer,
        "{claim}: {strategic:#strategic move}, before {before:,}; {quiet:,} of them quiet: {out}",
    )


_HEAD = 10_000
_VERIFIED = """
{told}
*others   also {0.reason}: {0.position}, moves {0.line:;,}
missing {missing:,}, unused {unused:,}, entries {entries:,}, prose {prose:,}, \
duplicates {duplicates:,}, contradictions {contradictions:,}, illegal {illegal:,}
{nodes:,} nodes
"""


@cli.command("verify win.oxo", "verify --dictionary moves.txt 4^3")
def verify(
    options: cli.Options,
    file: str = cli.argument("FILE", shell_complete=complete_file),
    dictionary: str | None = cli.input_file(
        "Check the strategic moves in this file, in Thompson's text form."
    ),
    seat: int | None = cli.number("Player whose moves they are; default: the first entry's.", 1, 2),
    position: str | None = cli.position("Position where the win begins; default: the empty board."),
) -> int:
    """Check the proof in FILE against every reply; exit code 1 if it does not hold.

    With --dictionary FILE GAME, check that the strategic moves listed in a text file are all that
    a player needs to force a win of GAME, and list missing and idle moves.
    """
    if dictionary is not None:
        return _check_dictionary(file, dictionary, seat, position, options)
    if seat is not None or position is not None:
        raise click.UsageError(
            "--seat and --position go with --dictionary; a proof file has its own"
        )
    from hyperoxo.jit import working_time
    from hyperoxo.notation import detect

    # The checker counts the time of compiling its loops; this clock leaves it out.
    begin = working_time()
    with options.progress("checking") as progress:
        data = read_bytes(str(cli.FILE.convert(file, None, None)))
        with suppress(NotationError):
            # The record of a game may have the suffix of a proof.
            notation = detect(data[:_HEAD].decode(errors="replace"))
            raise click.UsageError(
                f"{file} is a game (notation '{notation}'), not a proof; 'oxo analyse {file}' "
                f"judges its moves, 'oxo draw position {file}' draws it"
            )
        verdict = ox.verify(data, progress=progress)
    verdict = replace(verdict, seconds=working_time() - begin)
    options.show(verdict, {"file": file})
    return 0 if verdict.proved else FAILED


def _check_dictionary(
    game: str, name: str, seat: int | None, position: str | None, options: cli.Options
) -> int:
    from hyperoxo.jit import working_time
    from hyperoxo.proof.dictionary_check import check_dictionary

    text = read_dictionary_file(game, name, seat, position)
    begin = working_time()
    with options.progress("strategic positions") as progress:
        verdict = check_dictionary(text.dictionary, progress=progress)
    verdict = replace(verdict, seconds=working_time() - begin)
    answer = {
        "file": name,
        "game": str(text.dictionary.game),
        **as_data(verdict),
        **as_data(verdict, "missing failed failures unused nodes"),
        **as_data(text, "entries prose duplicates contradictions illegal"),
    }
    options.emit(answer, _VERIFIED, told=as_text(verdict), others=verdict.failures[1:])
    return 0 if verdict.proved else FAILED


def read_dictionary_file(
    game: str, name: str, seat: int | None, position: str | None
) -> DictionaryText:
    """Read a dictionary for a game, and report skipped entries on stderr."""
    from hyperoxo.proof import read_dictionary

    played = cli.GameType().convert(game, None, None)
    begins = None if position is None else played.position(position)
    text = read_dictionary(read_bytes(name), played, seat=seat, begins=begins)
    for example in text.examples:
        print_remark(f"{name}, {example}; the entry is skipped")
    return text


def suggestions(game: ox.Game, name: str | None) -> Dictionary | None:
    """Read the moves that a search tries first, where a file of them is named."""
    return None if name is None else read_dictionary_file(str(game), name, None, None).dictionary


def write_tree(
    position: ox.Position, attacker: int, tree: ProofTree, path: Path, *, stored: bool = False
) -> dict[str, Any]:
    """Check the proof of a tree and write it; return its claim and counts."""
    from hyperoxo.proof import write_proof
    from hyperoxo.proof.dictionary_check import pack
    from hyperoxo.solvers.proofsearch.driver import dictionary_of_tree

    dictionary = dictionary_of_tree(position, attacker, tree)
    packed, verdict = pack(dictionary, stored=stored)
    write_proof(packed, path, creator=command_line())
    return {"claim": dictionary.statement, **as_data(verdict, "strategic quiet")}
