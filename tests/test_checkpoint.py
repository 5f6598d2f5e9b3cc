"""Checkpoints: what is saved is read back, and nothing else is taken for it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from hyperoxo.checkpoint import Form
from hyperoxo.errors import CheckFailedError

FORM = Form("hyperoxo-walk", 3, "a walk", {"steps": "<u8", "marks": "u1"}, ("metres",))
OF = {"game": "3^2", "seats": [1, 2]}


def saved(path: Path) -> bytes:
    FORM.save(path, OF, {"metres": 1.5}, steps=np.arange(6).reshape(3, 2), marks=[])
    return path.read_bytes()


def test_arrays_and_values_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "walk"
    saved(path)
    assert [file.name for file in tmp_path.iterdir()] == ["walk"]
    found = FORM.load(path, OF)
    assert found["metres"] == 1.5
    assert found["steps"].tolist() == [[0, 1], [2, 3], [4, 5]]
    assert (found["steps"].dtype, found["marks"].dtype) == (np.uint64, np.uint8)
    assert found["marks"].shape == (0,)
    found["steps"][0] = 7  # it may be written to


def test_damage_is_told(tmp_path: Path) -> None:
    path = tmp_path / "walk"
    data = saved(path)
    head = data.index(b"\n") + 1
    broken = [data[:-1], data[: head + 8], data[:head], data + b"\0" * 16]
    for at in (data.index(b"1.5"), head, head + 20, len(data) - 1):
        changed = bytearray(data)
        changed[at] ^= 1
        broken.append(bytes(changed))
    for one in broken:
        path.write_bytes(one)
        with pytest.raises(CheckFailedError, match=r"'.*walk' is damaged: SHA-256 mismatch"):
            FORM.load(path, OF)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "other"}, "is not a checkpoint of a walk"),
        ({"version": "2"}, "is not a checkpoint of a walk"),
        ({"version": 99}, r"by a newer version of hyperoxo \(form 99, this one reads 3\)"),
        ({"version": 1}, "by an older version of hyperoxo, whose form 1 is no longer read"),
        ({"drop": "version"}, "by an older version of hyperoxo, whose form 0 is no longer read"),
        ({"drop": "game"}, "is damaged"),
        ({"drop": "metres"}, "is damaged"),
        ({"drop": "sha256"}, "is damaged"),
        ({"shapes": {"steps": [1, -1], "marks": [0]}}, "is damaged"),
        ({"shapes": {"steps": "no", "marks": [0]}}, "is damaged"),
        ({"shapes": {}}, "is damaged"),
        ({"shapes": 3}, "is damaged"),
    ],
)
def test_other_files_are_told(tmp_path: Path, change: dict[str, object], said: str) -> None:
    path = tmp_path / "walk"
    line, rest = saved(path).split(b"\n", 1)
    head = json.loads(line) | change
    head.pop(str(head.pop("drop", "")), None)
    path.write_bytes(json.dumps(head).encode() + b"\n" + rest)
    with pytest.raises(CheckFailedError, match=said):
        FORM.load(path, OF)


@pytest.mark.parametrize("data", [b"", b"\n", b"[1]\n", b"hello", b"\xff\xfe" * 3000])
def test_no_checkpoint(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "walk"
    path.write_bytes(data)
    with pytest.raises(CheckFailedError, match="is not a checkpoint of a walk"):
        FORM.load(path, OF)


def test_a_checkpoint_belongs_to_one_search(tmp_path: Path) -> None:
    path = tmp_path / "walk"
    saved(path)
    with pytest.raises(CheckFailedError, match=r"is of a walk with game '3\^2', not '4\^2'$"):
        FORM.load(path, {"game": "4^2", "seats": [1]})
    with pytest.raises(CheckFailedError, match=r"with seats '\[1, 2\]', not '\[1\]'$"):
        FORM.load(path, OF | {"seats": [1]})
