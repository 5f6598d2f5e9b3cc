"""Nothing is lost, and nothing is wrong, whatever happens to works and servers: a few trials."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.processes import python, tool

FAULTS = Path(__file__).parents[1] / "tools" / "faults"


def tried(*words: str) -> dict[str, dict[str, int]]:
    parts = json.loads(tool("faults", "--json", *words))["parts"]
    return {part["part"]: part["counts"] for part in parts}


@pytest.mark.more
def test_a_learner_and_a_server_that_are_killed_go_on() -> None:
    counts = tried("--kills", "2", "train:kill", "serve:kill")
    assert all(part["killed"] >= 2 for part in counts.values())
    assert counts["serve:kill"]["moves acknowledged"] > 0


@pytest.mark.more
def test_a_full_disk_and_damage_are_refused_or_make_no_difference() -> None:
    counts = tried("--short", "match:full", "match:damage", "serve:full", "proofs")
    assert counts["proofs:damage"]["refused"] == 10


@pytest.mark.more
@pytest.mark.parametrize("subject", ["states", "proof", "makers", "match", "sweep", "serve"])
def test_no_fault_of_a_subject_makes_a_result_wrong(subject: str) -> None:
    tried("--short", subject)


@pytest.mark.more
@pytest.mark.parametrize(
    "subject",
    ["home", "code", "workers", "outputs", "limits", "commits", "pool", "cluster", "server"],
)
def test_what_is_around_works_stands(subject: str) -> None:
    tried("--short", subject)


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
