"""Nothing is lost, and nothing is wrong, whatever happens to works and servers: a few trials."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.processes import python, tool

FAULTS = Path(__file__).parents[1] / "tools" / "faults"
KILLED = {f"{work}:kill" for work in ("states", "proof", "makers", "train", "match", "serve")}


def tried(*words: str) -> dict[str, dict[str, int]]:
    parts = json.loads(tool("faults", "--json", *words))["parts"]
    return {part["part"]: part["counts"] for part in parts}


@pytest.mark.more
@pytest.mark.parametrize(
    "subjects",
    [  # those with commands first: they begin sooner where no compiled code is in use yet
        *("home code workers limits", "pool cluster server", "outputs commits proofs states"),
        *("proof makers train:kill match", "serve"),
    ],
)
def test_nothing_is_lost_or_wrong(subjects: str) -> None:
    counts = tried("--short", *subjects.split())
    assert all(part["killed"] >= 4 for name, part in counts.items() if name in KILLED)
    if subjects == "serve":
        assert counts["serve:kill"]["moves acknowledged"] > 0


def test_a_part_that_there_is_not() -> None:
    assert "there is no part 'nothing'" in tool("faults", "nothing", code=2)


def test_a_wrong_result_is_found_and_told_with_the_way_to_it(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    # A work whose answer depends on the folder it is done in.
    program.write_text(
        f"""
import runpy, sys
sys.path.insert(0, {str(FAULTS)!r})
import works
works.WORKS = (works.Work("states", str),)
sys.argv = ["faults", "states:twice", "--cases", "1", "--seed", "5"]
runpy.run_path({str(FAULTS / "__main__.py")!r}, run_name="__main__")
"""
    )
    done = python(program)
    assert done.returncode == 1, done.stderr
    assert "another result: tools/faults states:twice --seed 5 --case 0" in done.stdout
