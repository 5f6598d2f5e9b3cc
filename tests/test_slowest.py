"""The list of slow tests: child processes count, and what is above the limit is named."""

from __future__ import annotations

import subprocess
from os import environ
from pathlib import Path

import pytest

from tests.processes import python
from tests.slowest import ROOT, limit

IDLE = "def test_idle():\n    pass\n"
BUSY = """\
import subprocess, sys

def test_busy():
    burn = "import time\\nwhile time.process_time() < {seconds}: pass"
    subprocess.run([sys.executable, "-c", burn], check=True)
"""


def slowest(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_it.py").write_text(text, "utf-8")
    words = ["-m", "pytest", "-p", "tests.slowest", "-p", "no:cacheprovider"]
    words += [f"--rootdir={folder}", f"--confcutdir={folder}", "-c", "/dev/null"]
    return python(*words, folder, cwd=ROOT, env=environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})


@pytest.mark.more
def test_what_a_child_process_takes_counts(tmp_path: Path) -> None:
    found = slowest(tmp_path, BUSY.format(seconds=limit() + 0.1))
    assert found.returncode == 1, found.stdout + found.stderr
    assert "test_it.py::test_busy" in found.stdout
    assert (found := slowest(tmp_path, IDLE)).returncode == 0, found.stdout + found.stderr
    assert "none took too long" in found.stdout
