from __future__ import annotations

from pathlib import Path

import pytest

from hyperoxo.proof import KINDS, read_strategy, strategy_text, verify
from tests.proof.brute import strategy


def test_the_first_line_tells_the_kind(tmp_path: Path) -> None:
    found = strategy("2^2", 1, "win")
    assert found is not None
    text = strategy_text(found)
    assert text.partition(b"\n")[0] in KINDS
    (tmp_path / "x").write_bytes(text)
    assert verify(tmp_path / "x").proved
    assert read_strategy(text).strategy == found


@pytest.mark.parametrize("data", [b"", b"\n", b"hyperoxo-strategy", b"hyperoxo-strategy 01\n"])
def test_other_first_lines_are_no_proof(data: bytes) -> None:
    verdict = verify(data)
    assert (verdict.verdict, verdict.reason) == ("rejected", "this is not a proof file")


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_says_what_is_wrong_and_never_raises(kind: bytes) -> None:
    for rest in (b"", b"\n", b"\nsha256 ", b"\n" + bytes(range(256))):
        verdict = verify(kind + rest)
        assert not verdict.proved
        assert verdict.reason
