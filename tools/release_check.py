"""Check what a release would hand out: ``make release-check``, for one Python with ARGS=--quick.

Builds the source archive and the wheel and checks what is in them; then installs the wheel into
empty environments, on the lowest and the highest supported Python and with the lowest and the
highest versions of the dependencies: the base alone, and each extra alone. `tools/smoke.py` tries
the program there. Checks that this machine cannot run are skipped and reported.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
UV = os.environ.get("UV", "uv")
SMOKE = ROOT / "tools" / "smoke.py"
LEFT_OUT = (".ci/", ".github/")
"""Files in the repository that are not in the source archive."""


class Report:
    """Checks done and checks failed."""

    def __init__(self) -> None:
        self.failed: list[str] = []
        self.skipped: list[str] = []

    def check(self, what: str, trouble: str) -> None:
        """Print what was checked and what is wrong with it, if anything."""
        print(f"{'FAILED' if trouble else 'ok':6} {what}", flush=True)
        if trouble:
            self.failed.append(what)
            print(trouble, flush=True)

    def skip(self, what: str) -> None:
        """Print what cannot be checked here."""
        self.skipped.append(what)
        print(f"skipped: {what}", flush=True)


def run(words: list[str], **more: Any) -> str:
    """Run a command; return what it printed, or raise with it."""
    done = subprocess.run(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more
    )
    if done.returncode:
        raise RuntimeError(
            f"{' '.join(words[:6])} …: exit {done.returncode}\n{done.stdout[-4000:]}"
        )
    return done.stdout


def project() -> dict[str, Any]:
    """Read the description of the project."""
    with (ROOT / "pyproject.toml").open("rb") as stream:
        read: dict[str, Any] = tomllib.load(stream)["project"]
    return read


def lowest(described: dict[str, Any]) -> list[str]:
    """Pin each dependency to the least version that the project declares."""
    asked = [*described["dependencies"]]
    for one in described["optional-dependencies"].values():
        asked += one
    pins = set()
    for requirement in asked:
        name, low = re.fullmatch(r"([A-Za-z0-9_.-]+)(?:\[.*\])?>=([^,;]+).*", requirement).groups()
        pins.add(f"{name}=={low}")
    return sorted(pins)


def pythons(described: dict[str, Any]) -> Iterator[tuple[str, str | None]]:
    """Yield the supported Pythons from the lowest to the highest, each with its program or None."""
    first, end = map(int, re.findall(r"3\.(\d+)", described["requires-python"]))
    for minor in range(first, end):
        yield f"3.{minor}", _python(f"3.{minor}")


def _python(version: str) -> str | None:
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    candidates = [shutil.which(f"python{version}"), *pyenv.glob(f"{version}.*/bin/python")]
    tell = "import sys; print('%d.%d' % sys.version_info[:2], sys.executable)"
    for candidate in filter(None, candidates):
        done = subprocess.run([candidate, "-c", tell], capture_output=True, text=True, check=False)
        found, _, program = done.stdout.strip().partition(" ")
        if found == version:
            return program
    return None


def untried(
    everything: list[tuple[str, str | None]], chosen: list[tuple[str, str | None]]
) -> list[str]:
    """Say which supported Pythons are not tried, and why."""
    ends = {
        everything[0][0]: ", the lowest supported,",
        everything[-1][0]: ", the highest supported,",
    }
    here, missing = "is here, but is left out", "is not on this machine"
    return [
        f"Python {version}{ends.get(version, '')} {missing if program is None else here}"
        for version, program in everything
        if (version, program) not in chosen
    ]


def tracked() -> set[str]:
    """Name the files of the repository that a release is made from."""
    listed = run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT).split("\n")
    return {
        name for name in listed if name and not name.startswith(LEFT_OUT) and (ROOT / name).exists()
    }


def build(source: Path, out: Path, kind: str) -> Path:
    """Build the archive or the wheel of a source tree."""
    before = set(out.glob("*"))
    # Making the page of the manual imports the program: its source tree is to stay as it is.
    run([sys.executable, "-B", "-m", "hatchling", "build", "-t", kind, "-d", str(out)], cwd=source)
    (made,) = set(out.glob("*")) - before
    return made


def check_archives(work: Path, report: Report) -> tuple[Path, Path]:
    """Build both archives twice, from the tree and from the archive; return wheel and archive."""
    folders = [work / name for name in ("first", "second", "third")]
    for folder in folders:
        folder.mkdir()
    sdist = build(ROOT, folders[0], "sdist")
    wheel = build(ROOT, folders[0], "wheel")
    with tarfile.open(sdist) as archive:
        archive.extractall(work / "unpacked", filter="data")
    unpacked = work / "unpacked" / sdist.name.removesuffix(".tar.gz")
    again = build(unpacked, folders[1], "wheel")
    archive_again = build(unpacked, folders[2], "sdist")
    same = wheel.read_bytes() == again.read_bytes()
    report.check("the archive builds the same wheel", "" if same else "the wheels differ")
    same = sdist.read_bytes() == archive_again.read_bytes()
    report.check("the archive builds the same archive", "" if same else "the archives differ")

    names = tracked()
    with tarfile.open(sdist) as archive:
        inside = {one.name.partition("/")[2] for one in archive if one.isfile()}
    report.check("the archive holds the project", _difference(inside - {"PKG-INFO"}, names))

    with zipfile.ZipFile(wheel) as opened:
        inside = set(opened.namelist())
    stem = "-".join(wheel.name.split("-")[:2])
    metadata = ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")
    wanted = {name.removeprefix("src/") for name in names if name.startswith("src/")}
    wanted |= {f"{stem}.dist-info/{name}" for name in metadata}
    wanted |= {f"{stem}.data/data/share/man/man1/oxo.1"}
    report.check("the wheel holds the program and nothing else", _difference(inside, wanted))
    report.check("no path of this machine is in them", _paths(unpacked, wheel))
    return wheel, sdist


def _difference(found: set[str], wanted: set[str]) -> str:
    lines = [f"  missing: {name}" for name in sorted(wanted - found)]
    return "\n".join(lines + [f"  too much: {name}" for name in sorted(found - wanted)])


def _paths(unpacked: Path, wheel: Path) -> str:
    """Name files in which a folder of this machine, or the address of a package index, occurs."""
    marks = [str(ROOT), f"{ROOT.parent}/", f"{Path.home()}/", tempfile.gettempdir() + "/rel"]
    indexes = [
        os.environ.get(name, "") for name in ("PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX")
    ]
    marks = [mark.encode() for mark in (*marks, *filter(None, indexes)) if len(mark) > 2]
    bad = [
        f"  {path.relative_to(unpacked)}"
        for path in sorted(unpacked.rglob("*"))
        if path.is_file() and any(mark in path.read_bytes() for mark in marks)
    ]
    with zipfile.ZipFile(wheel) as opened:
        bad += [
            f"  {name} (wheel)"
            for name in opened.namelist()
            if any(mark in opened.read(name) for mark in marks)
        ]
    return "\n".join(bad)


def clean_environment(work: Path, cache: str) -> dict[str, str]:
    """Return the environment of a user who has never installed hyperoxo."""
    kept = {
        name: os.environ[name]
        for name in ("PATH", "LANG", "LC_ALL", "TMPDIR")
        if name in os.environ
    }
    home = work / "home"
    home.mkdir(exist_ok=True)
    return {
        **kept,
        "HOME": str(home),
        "HYPEROXO_DATA": str(work / "data" / cache),
        # Code is kept apart by versions of Python and Numba, and otherwise compiled once.
        "NUMBA_CACHE_DIR": str(work / "kernels"),
    }


def install(environment: Path, python: str, what: str, pins: Path | None) -> None:
    """Make an empty environment and install the wheel there, with lowest or highest versions."""
    run([UV, "venv", "--quiet", "--no-config", "--python", python, str(environment)])
    words = [UV, "pip", "install", "--quiet", "--no-config", "--python", str(environment)]
    words += ["--only-binary", ":all:"] if pins else []
    run([*words, *(["--constraints", str(pins)] if pins else []), what])
    run([UV, "pip", "check", "--quiet", "--no-config", "--python", str(environment)])


def try_out(
    work: Path, report: Report, wheel: Path, version: str, python: str, extras: list[str], low: bool
) -> None:
    """Install the base alone and each extra alone, and try them."""
    pins = None
    if low:
        pins = work / "lowest.txt"
        pins.write_text("\n".join(lowest(project())) + "\n")
    name = f"{version}-{'lowest' if low else 'highest'}"
    for extra in ["", *extras]:
        began = time.monotonic()
        # Always the same folder, since compiled kernels are kept by the place of their source.
        environment = work / "environment"
        trouble = ""
        try:
            install(environment, python, f"{wheel}[{extra}]" if extra else str(wheel), pins)
            run(
                [str(environment / "bin" / "python"), str(SMOKE), *([extra] if extra else [])],
                env=clean_environment(work, name),
                cwd=work,
            )
        except RuntimeError as error:
            trouble = str(error)
        seconds = time.monotonic() - began
        versions = "lowest" if low else "highest"
        report.check(
            f"Python {version}, {versions} versions, {extra or 'base'} ({seconds:.0f} s)", trouble
        )
        shutil.rmtree(environment, ignore_errors=True)


def check_archive_tests(work: Path, report: Report, sdist: Path, python: str) -> None:
    """Install the source archive with what the tests need, and run some of its tests there."""
    environment = work / "from-archive"
    unpacked = work / "unpacked" / sdist.name.removesuffix(".tar.gz")
    trouble = ""
    try:
        install(environment, python, str(sdist), None)
        words = [UV, "pip", "install", "--quiet", "--no-config", "--python", str(environment)]
        # The page of the manual, which tests read, is made by a part of the build.
        for name in ("build.txt", "test.txt"):
            words += ["-r", str(unpacked / "requirements" / name)]
        run([*words, "--require-hashes"])
        run(
            [str(environment / "bin" / "python"), "-m", "pytest", "-q", *QUICK_TESTS],
            env=clean_environment(work, "archive"),
            cwd=unpacked,
        )
    except RuntimeError as error:
        trouble = str(error)
    report.check("the archive installs and runs its tests", trouble)
    shutil.rmtree(environment, ignore_errors=True)


QUICK_TESTS = [
    *(f"tests/hyperoxo/{part}" for part in ("board", "game", "notation", "cli/test_main.py")),
    *("tests/test_release.py", "-m", "not slow and not more"),
]


def main() -> int:
    """Check everything; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="only the lowest Python that is here")
    parser.add_argument("--extra", action="append", help="only these extras; can be repeated")
    asked = parser.parse_args()
    if shutil.which(UV) is None:
        parser.error("uv is needed: https://docs.astral.sh/uv; or name its program in UV")
    described, report = project(), Report()
    extras = asked.extra or sorted(described["optional-dependencies"])
    everything = [*pythons(described)]
    there = [(version, program) for version, program in everything if program]
    with tempfile.TemporaryDirectory(prefix="release-") as folder:
        work = Path(folder)
        wheel, sdist = check_archives(work, report)
        if there:
            check_archive_tests(work, report, sdist, there[0][1])
        if not there:
            report.check("some supported Python", "  none is on this machine")
        chosen = [there[0], there[-1]] if len(there) > 1 and not asked.quick else there[:1]
        for line in untried(everything, chosen):
            report.skip(line)
        for version, program in chosen:
            for low in (True, False):
                try_out(work, report, wheel, version, program, extras, low)
    print()
    for line in report.skipped:
        print(f"not checked: {line}")
    for line in report.failed:
        print(f"failed: {line}")
    if not report.failed:
        print("Everything that was checked is in order.")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
