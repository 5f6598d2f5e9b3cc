"""The search for false answers in short, and that it would find one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from hyperoxo.proof.registry import KINDS
from hyperoxo.proof.stored import STORED
from tests.hyperoxo.proof import mutations
from tests.marks import more
from tests.soundness import PARTS, Part, committed
from tools import soundness as command

SHORT = {"rules": 4, "symmetry": 3, "workers": 3}
"""Cases of a part, 20 if it is not named."""

ELSEWHERE = ("values:", "verdicts")
"""Parts with tests of their own."""

LONG = {"filling-3-4.oxo"}
"""Proofs that take over a second to check."""


@pytest.mark.parametrize(
    "name",
    more(
        [name for name in PARTS if not name.startswith(ELSEWHERE)],
        [
            "workers",
            "proofs:dictionary",
            "proofs:table-bound",
            "proofs:breaker",
            "proofs:filling-cases",
        ],
    ),
)
def test_no_answer_is_false(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "FOUND", tmp_path)
    tally = command.try_part(name, PARTS[name], 1, most=SHORT.get(name, 20), seconds=600)
    assert tally.findings == []
    assert tally.cases == SHORT.get(name, 20)
    assert tally.counts


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(number, id=file.name, marks=[pytest.mark.more] * (file.name in LONG))
        for number, file in enumerate(committed())
        if file.name not in STORED.values()  # these have tests of their own
    ],
)
def test_every_proof_in_the_repository_is_checked_again(number: int) -> None:
    assert PARTS["verdicts"].case(0, number) == {"proved": 1}


@pytest.mark.parametrize(("end", "cases"), [(3, 3), (None, 1)])
def test_a_part_with_an_end_is_tried_to_the_end(end: int | None, cases: int) -> None:
    part = Part("", lambda seed, number: Counter({"seen": 1}), end)
    tally = command.try_part("one", part, 0, most=None, seconds=0)
    assert (tally.cases, tally.counts) == (cases, {"seen": cases})


@pytest.mark.more
def test_every_kind_of_proof_is_spoilt() -> None:
    made = {type(mutations.proof_of(kind, "1 0")) for kind in mutations.MAKERS}
    assert made == {kind.value for kind in KINDS.values()}


def test_a_case_is_the_same_whatever_was_run_before() -> None:
    case = PARTS["proofs:strategy"].case
    counts = [case(3, number) for number in range(8)]
    mutations.proof_of.cache_clear()
    assert [case(3, number) for number in reversed(range(8))] == counts[::-1]


def test_a_checker_that_accepts_everything_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Yes:
        proved = True

    mutations.proof_of("pairing", "4 0")
    monkeypatch.setattr(mutations, "verify", lambda _: Yes)
    monkeypatch.setattr(command, "FOUND", tmp_path)
    tally = command.try_part("proofs:pairing", PARTS["proofs:pairing"], 4, most=60, seconds=600)
    assert tally.findings
    assert list(tmp_path.glob("*.txt"))
