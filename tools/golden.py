#!/usr/bin/env python3
"""Golden outputs: record what the program answers, and compare a later version with it.

    tools/golden.py record FOLDER             # run everything twice, keep the answers
    tools/golden.py compare FOLDER            # run everything once, print what differs
    tools/golden.py compare FOLDER proofs:    # only items whose name begins so

An item is one command with all that it prints and writes: every `$ oxo` line of the documentation
that ends within a minute (`docs:`), node counts of the searches (`nodes:`), pictures
(`pictures:`), notations (`notations:`), proof files read and written again (`proofs:`), stores and
checkpoints of the recorded version opened by the compared one (`saved:`), and the answers of the
server (`web:`). All goes through the command line, HTTP and `hyperoxo.proof`, so that moving code
does not touch this tool.

Anything that differs between the two recorded runs (times, dates, random names) is not compared;
such parts are listed by `record`. Comparing ends with 1 if anything else differs. Run both on the
same machine, with nothing else running: a command that ends within the minute when recorded may not
when compared.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
SECONDS = 60
VOLATILE = "volatile"
"""Stands in a record for a part that two runs of the same code gave differently."""
_TIMED = re.compile(r"seconds|per_second|^wall|date|^version$")
_LATE = 124  # exit code of timeout(1)
_MOST_TEXT = 200_000  # a longer file is recorded by its digest

# These wait for people or networks, take much longer than a minute, or report on the machine.
_LEFT_OUT = re.compile(
    r"oxo (play|tui|serve|bench|warmup|doctor|results|atlas)\b|--(full|cluster|daily|workers)|…"
)

NODES = {
    "alphabeta": [
        f"solve {game} --method exact"
        for game in (
            "3^2", "4^2", "3^3", "3^2:misere", "3^2:players=3", "4,4,3", "5,4,4:gravity",
            "4^2:gravity", "3^2:bias=1+2", "3,3,3:wrap", "4^2:convention=maker-breaker",
        )
    ],
    "df-pn": [
        f"solve {game} --method proof --threads 1"
        for game in ("3^3", "4^3", "4,4,3", "5,5,4", "4^3 --position moves:0,21", "6,5,4")
    ],
    "coalition": [
        f"coalition {game}" for game in ("3^2:players=3", "2^3:players=4", "4^3:players=3")
    ],
    "threats": [
        f"threats 4^3 --position moves:{moves}"
        for moves in ("0,3,60,21,15,51,12,63", "0,1,21,2,42,4", "0,21,3,22,12,5")
    ],
    "perft": [
        f"perft {game} --plies {plies}"
        for game, plies in (("3^2", 9), ("4^2", 5), ("3^3", 4), ("7,6,4:gravity", 7),
                            ("3^2:players=3,misere", 9))
    ],
    "states": ["states 3^2", "states 2^3", "states 3^2:players=3", "states 4^2:gravity"],
}  # fmt: skip

PICTURED = {
    "3^2": ("moves:", "moves:4,0,8"), "4^3": ("moves:0,21,42", "moves:"),
    "3^4": ("moves:40,0", "moves:"), "3^4:blocked=centre,target=9": ("moves:79,2,44",),
    "7,6,4:gravity": ("columns:4453", "moves:"), "15,15,5": ("moves:112,97",),
    "2^6": ("moves:0,63",),
    "5^1": ("moves:2",), "3^2:players=4": ("moves:0,1,2,3",), "3^3:gravity": ("moves:0,1,9",),
    "4,4,3:wrap": ("moves:5,6",), "2^5": ("moves:3",), "3^5": ("moves:121",),
    "6^3": ("moves:31,35",),
    "9{0+1+2/3+4+5/0+4+8}": ("moves:4,0",),
}  # fmt: skip

RECORDS = (
    "3^2 4-0-8-2-1-7-6", "3^2 4-0-0", "3^2", "4^3 0-3-60-21-15-51-12-63", "3^3 13-0-1-25",
    "7,6,4:gravity 3-10-17-2-9-4-5", "3^2:players=3 4-0-8-2-1-7-6", "3^2:misere 4-0-8",
    "15,15,5 112-97-113-98-114", "3^4:blocked=centre,target=9 79-2-44", "2^2 0-1-2",
    "4^2:gravity 0-4-1-5", "3^2:bias=1+2 4-0-8-2", "5,5,4 12-0-13-1-14-2-11",
    "9{0+1+2/3+4+5/0+4+8} 4-0-8",
)  # fmt: skip
NOTATIONS = ("record", "json", "pgn", "sgf", "position", "tesseract", "sequence", "drawing")

PROOFS = {
    "strategy": "solve 3^3 --proof",
    "endgames": "solve 6,5,4:gravity --proof",
    "dictionary": "solve 4^3 --proof",
    "pairing": "solve 5^2 --proof",
    "mirroring": "solve 3^2:misere --proof",
    "coalition": "coalition 2^2:players=3 --proof",
    "table-bound": "leaves 2^2 --seat 1 --proof",
    "zones": "solve 5,5,4:convention=maker-breaker --proof",
    "breaker": "solve 7^3 --method plan --proof",
    "region": "classify 5^2 --proof",
    "no-pairing": "classify 4^2 --proof",
    "no-draw": "classify 3^3 --proof",
    "filling": "classify 3^4:blocked=centre,target=9 --proof",
    "full-board": "classify 3^2 --proof",
    "filling-cases": "classify 3^4:blocked=centre,target=12 --proof",
}  # fmt: skip
_WRITTEN_AGAIN = """
import sys
from pathlib import Path
from hyperoxo.proof.registry import KINDS
for name in sorted(sys.argv[1:]):
    data = Path(name).read_bytes()
    first = data.partition(b"\\n")[0]
    kind = KINDS[first]
    creator = ""
    for line in data.split(b"\\n", 8)[:8]:
        if line.startswith(b"creator "):
            creator = line[8:].decode("ascii")
    again = kind.file.write(kind.file.read_proof(data), creator=creator)
    print(name, first.decode(), len(data), "same bytes" if again == data else "other bytes")
"""

SAVED = {
    "store": (
        "match 3^2 random ising --games 20 --seed 1",
        "results --format json",
    ),
    "training": (
        "train 3^2 td --minutes 0.02 --seed 1 --out {folder}/td.json",
        "explain 3^2 --agent td:checkpoint={folder}/td.json --format json",
    ),
    "states": (
        "states 3^2 --out {folder}/states.csv",
        "states 3^2 --format json",
    ),
    "dictionary": (
        "solve 4^3 --proof {folder}/qubic.oxo",
        "verify {folder}/qubic.oxo --format json",
    ),
    "network": (
        "train 3^2 alphazero:steps=2,rounds=1 --seed 1 --out {folder}/small.safetensors",
        "explain 3^2 --agent alphazero:checkpoint={folder}/small.safetensors --format json",
    ),
}
"""What the recorded version writes, and the command by which the compared one reads it."""

PAGES = (
    "/", "/games", "/analyse", "/analyse/4^3", "/puzzles", "/matches", "/proof", "/states",
    "/about", "/class", "/lab", "/studies", "/new", "/p/3^2/moves:4,0", "/api/openapi.json",
    "/api", "/api/agents", "/api/atlas",
)  # fmt: skip

Run = Callable[[str], Any]


def commands_of_docs() -> Iterator[tuple[str, str]]:
    """Yield page and command of every `$ oxo` line, in order, comments dropped."""
    seen = set()
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for line in page.read_text("utf-8").splitlines():
            found = re.match(r"\$ (.*\boxo .*)", line)
            if found is None:
                continue
            command = re.sub(r"\s{2,}#.*|\s#\s.*", "", found[1]).strip()
            if not _LEFT_OUT.search(command) and (page.stem, command) not in seen:
                seen.add((page.stem, command))
                yield page.stem, command


def in_form(command: str) -> str:
    """Return a command of the documentation with a seed, and JSON where it says no other form."""
    added = [] if "--seed" in command else ["--seed 0"]
    if "--format" not in command:
        added.append("--format json")
    return " ".join([command, *added])


class Place:
    """A folder in which commands run, apart from the user's own files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "docs").exists():
            shutil.copytree(ROOT / "docs" / "images", folder / "docs" / "images")
        self.environment = os.environ | {
            "PATH": f"{BIN}:{os.environ['PATH']}",
            "XDG_DATA_HOME": str(folder / ".data"),
            "XDG_STATE_HOME": str(folder / ".state"),
            "NO_COLOR": "1",
            "COLUMNS": "100",
        }

    def run(self, command: str) -> Any:
        """Run a command; return its exit code, what it printed, and the files that it changed."""
        before = self._files()
        done = subprocess.run(
            ["timeout", str(SECONDS), "bash", "-c", command],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        if done.returncode == _LATE:
            return None
        after = self._files()
        files = {name: after[name] for name in after if before.get(name) != after[name]}
        return {
            "exit": done.returncode,
            "out": parsed(done.stdout),
            "files": {name: parsed((self.folder / name).read_bytes()) for name in sorted(files)},
        }

    def _files(self) -> dict[str, tuple[int, int]]:
        found = {}
        for path in self.folder.rglob("*"):
            hidden = any(part.startswith(".") for part in path.relative_to(self.folder).parts)
            if path.is_file() and not hidden and not path.is_symlink():
                status = path.stat()
                found[str(path.relative_to(self.folder))] = status.st_mtime_ns, status.st_size
        return found


def parsed(data: bytes) -> Any:
    """Return JSON as values, text as lines, and anything long or binary as a digest."""
    if len(data) > _MOST_TEXT:
        return hashlib.sha256(data).hexdigest()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return hashlib.sha256(data).hexdigest()
    try:
        return untimed(json.loads(text))
    except ValueError:
        return text.splitlines()


def untimed(value: Any) -> Any:
    """Drop times from a JSON value: equal ones would be chance."""
    if isinstance(value, dict):
        return {
            key: VOLATILE if _TIMED.search(key) else untimed(part) for key, part in value.items()
        }
    if isinstance(value, list):
        return [untimed(part) for part in value]
    return value


def joined(one: Any, other: Any) -> Any:
    """Return what two runs agree on; `VOLATILE` where they do not."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return {key: joined(part, other[key]) for key, part in one.items()}
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [joined(*pair) for pair in zip(one, other, strict=True)]
    return one if one == other else VOLATILE


def differences(kept: Any, now: Any, at: str = "") -> Iterator[str]:
    """Yield a line for each part in which an answer differs from the recorded one."""
    if kept in (VOLATILE, now):
        return
    if isinstance(kept, dict) and isinstance(now, dict):
        for key in {**kept, **now}:
            yield from differences(kept.get(key), now.get(key), f"{at}.{key}")
    elif isinstance(kept, list) and isinstance(now, list) and len(kept) == len(now):
        for index, pair in enumerate(zip(kept, now, strict=True)):
            yield from differences(*pair, f"{at}[{index}]")
    else:
        yield f"{at}: was {shortened(kept)}, is {shortened(now)}"


def shortened(value: Any) -> str:
    """Return a value as text of bounded length."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) < 160 else f"{text[:120]}… ({len(text)} characters)"


def volatile_parts(value: Any, at: str = "") -> Iterator[str]:
    """Yield where an answer has parts that are not compared."""
    if value == VOLATILE:
        if not _TIMED.search(at.rpartition(".")[2]):
            yield at
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from volatile_parts(part, f"{at}.{key}")
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from volatile_parts(part, f"{at}[{index}]")


@contextmanager
def served(place: Place) -> Iterator[str]:
    """Serve the web application on a free port; yield its address."""
    command = ["oxo", "serve", "--port", "0", "--format", "json", "--store", "games.sqlite"]
    with subprocess.Popen(
        command, cwd=place.folder, env=place.environment, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    ) as server:  # fmt: skip
        try:
            assert server.stdout is not None
            yield json.loads(server.stdout.readline())["url"].rstrip("/")
        finally:
            server.terminate()


def fetched(address: str) -> Any:
    """Return status and content of an address; of a page, the JSON in it."""
    try:
        with urllib.request.urlopen(address, timeout=SECONDS) as answer:
            status, data = answer.status, answer.read()
    except urllib.error.HTTPError as error:
        status, data = error.code, error.read()
    inside = re.search(rb'id="page-data"[^>]*>(.*?)</script>', data, re.DOTALL)
    return {"status": status, "out": parsed(inside[1] if inside else data)}


def items(place: Path, saved: Path, *, first: bool) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the name of every item, and how to run it."""
    for page, command in commands_of_docs():
        run = Place(place / "docs" / page).run
        yield f"docs:{page}: {command}", partial(run, in_form(command))
    run = Place(place / "items").run
    for kind, commands in NODES.items():
        for command in commands:
            yield f"nodes:{kind}: {command}", partial(run, in_form(f"oxo {command}"))
    for game, positions in PICTURED.items():
        for position in positions:
            command = f"oxo picture '{game}' --position {position} --out -"
            yield f"pictures:{command}", partial(run, command)
    for record in RECORDS:
        for notation in NOTATIONS:
            command = f"echo '{record}' | oxo convert - - --to {notation}"
            yield f"notations:{command}", partial(run, command)
            game = record.split()[0]
            back = f"{command} | oxo convert - - --from {notation} --to record --game '{game}'"
            yield f"notations:{back}", partial(run, back)
    for kind, command in PROOFS.items():
        folder = place / "items" / f"proof-{kind}"
        made = command.replace(" --proof", f" --seed 0 -q --proof {folder.name}/it.oxo")
        whole = f"oxo {made}; oxo verify {folder.name}/*.oxo --format json"

        yield f"proofs:{kind}", partial(proved, run, folder, whole)
    for name, (write, read) in SAVED.items():
        of_place = Place(saved / name)
        if first:
            of_place.run(f"oxo {write.format(folder='.')}")
        command = f"oxo {read.format(folder='.')}"
        yield f"saved:{name}", partial(of_place.run, command)
    with served(Place(place / "web")) as address:
        for page in PAGES:
            yield f"web:{page}", partial(fetched, address + page)


def proved(run: Run, folder: Path, command: str) -> Any:
    """Write the proofs of a kind, verify them, and read and write them again."""
    folder.mkdir(exist_ok=True)
    made = run(command)
    (folder.parent / "again.py").write_text(_WRITTEN_AGAIN)
    return {"made": made, "again": run(f"python again.py {folder.name}/*.oxo")}


def run_all(
    place: Path, saved: Path, wanted: Callable[[str], bool], *, first: bool
) -> dict[str, Any]:
    """Run all items that are wanted; say on standard error how far it is."""
    answers = {}
    for name, run in items(place, saved, first=first):
        if not wanted(name):
            continue
        begin = time.monotonic()
        answers[name] = run()
        late = " (over a minute, left out)" if answers[name] is None else ""
        sys.stderr.write(f"{time.monotonic() - begin:5.1f} s  {name[:120]}{late}\n")
    return answers


def main() -> int:
    """Record or compare; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="tools/golden.py", description=(__doc__ or ""),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("what", choices=["record", "compare"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("items", nargs="*", metavar="ITEM", help="beginnings of names")
    asked = parser.parse_args()
    chosen = tuple(asked.items) or ("",)
    place = Path(tempfile.mkdtemp(prefix="golden-"))
    try:
        return (record if asked.what == "record" else compare)(asked.folder, place, chosen)
    finally:
        shutil.rmtree(place)


def record(folder: Path, place: Path, chosen: tuple[str, ...]) -> int:
    """Run everything twice, and keep what both runs agree on."""
    folder.mkdir(parents=True, exist_ok=True)
    saved = folder / "saved"
    one = run_all(place / "one", saved, lambda name: name.startswith(chosen), first=True)
    other = run_all(place / "other", saved, lambda name: one.get(name) is not None, first=False)
    kept = {name: joined(answer, other.get(name)) for name, answer in one.items()}
    text = json.dumps(kept, ensure_ascii=False, indent=1)
    (folder / "golden.json").write_text(f"{text}\n", "utf-8")
    for name, answer in kept.items():
        parts = list(volatile_parts(answer))
        if parts:
            sys.stdout.write(f"{name}\n  not compared: {', '.join(parts[:8])}\n")
    late = sum(answer is None for answer in kept.values())
    sys.stdout.write(f"{len(kept) - late} items recorded, {late} left out for their time\n")
    return 0


def compare(folder: Path, place: Path, chosen: tuple[str, ...]) -> int:
    """Run what was recorded once, and print what differs; return 1 if anything does."""
    kept = json.loads((folder / "golden.json").read_text("utf-8"))
    wanted = {name for name, answer in kept.items() if answer and name.startswith(chosen)}
    now = run_all(place, folder / "saved", wanted.__contains__, first=False)
    found = {name: list(differences(kept[name], now.get(name))) for name in sorted(wanted)}
    wrong = {name: lines for name, lines in found.items() if lines}
    for name, lines in wrong.items():
        sys.stdout.write("".join([f"{name}\n", *(f"  {line}\n" for line in lines[:20])]))
    sys.stdout.write(f"{len(wanted)} items compared, {len(wrong)} differ\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
