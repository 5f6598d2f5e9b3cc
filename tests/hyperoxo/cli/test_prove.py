from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command import answer, oxo, printed, refusal

PART = Path(__file__).parents[2] / "truth" / "qubic_0_60_3_22.txt"
BEGINS = ("--position", "moves:0,60,3,22")


def test_a_dictionary_is_checked() -> None:
    found = answer("verify", "--dictionary", str(PART), "4^3", *BEGINS)
    assert found["claim"].startswith("player 1 wins 4^3 from 1..1")
    assert (found["verdict"], found["reason"]) == ("proved", "")
    assert (found["strategic"], found["quiet"], found["positions"]) == (36, 26, 98)
    assert (found["missing"], found["unused"], found["prose"]) == (0, 0, 0)
    assert found["nodes"] > 1000
    assert "published" not in found
    text = oxo("verify", "--dictionary", str(PART), "4^3", *BEGINS).stdout
    assert text.startswith("proved: player 1 wins 4^3 from ")
    assert "36 strategic moves, 26 quiet; 98 positions" in text


def test_an_incomplete_dictionary_is_refuted() -> None:
    rows = PART.read_bytes().splitlines(keepends=True)
    data = b"".join([b"prose\n", *rows[:9], *rows[10:], b"xx 0\n", rows[5]])
    done = oxo(
        "verify", "--dictionary", "-", "4^3", *BEGINS, "--seat", "1", "--format", "json", data=data
    )
    answer = json.loads(done.stdout)
    assert done.exit_code == 1
    assert answer["verdict"] == "rejected"
    assert answer["missing"] >= 1
    assert answer["failures"][0]["line"]
    counts = [answer[name] for name in ("prose", "entries", "duplicates", "illegal")]
    assert counts == [1, 37, 1, 1]
    assert "-, line 37: position: player 1 has 2 of 2 stones" in done.stderr
    text = oxo("verify", "--dictionary", "-", "4^3", *BEGINS, data=data)
    assert text.stdout.startswith("rejected: player 1 wins 4^3 from")
    assert "prose 1" in text.stdout


def test_the_published_size_stands_beside_the_whole_game() -> None:
    found = answer("verify", "--dictionary", str(PART), "4^3", code=1)
    assert (found["published"], found["strategic"]) == (2929, 0)
    assert found["unused"] == 36


@pytest.mark.parametrize("leaves", ["stored", "derived"])
def test_there_and_back(tmp_path: Path, leaves: str) -> None:
    packed, text = tmp_path / "x.proof", tmp_path / "x.txt"
    pack = ("proof", "pack", "4^3", "--dictionary", str(PART), "--leaves", leaves, *BEGINS)
    made = answer(*pack, "--out", str(packed))
    assert (made["verdict"], made["strategic"]) == ("proved", 36)
    assert made["bytes"] == packed.stat().st_size
    assert str(packed) in oxo(*pack, "--out", str(packed)).stdout

    checked = answer("verify", str(packed))
    assert (checked["verdict"], checked["strategic"], checked["quiet"]) == ("proved", 36, 26)
    assert oxo("verify", "-", data=packed.read_bytes()).exit_code == 0

    header = answer("proof", "show", str(packed))
    assert header["kind"] == "hyperoxo-dictionary 1"
    assert (header["game"], header["seat"], header["leaves"]) == ("4^3", 1, leaves)
    assert (header["strategic"], header["sequences"]) == (36, made["sequences"])
    assert "strategic   36" in oxo("proof", "show", "-", data=packed.read_bytes()).stdout

    exported = oxo("proof", "export", str(packed), "--dictionary", str(text))
    assert exported.stdout == f"36 strategic moves: {text}\n"
    assert text.read_bytes() == PART.read_bytes()
    assert oxo("proof", "export", str(packed), "--dictionary", "-").stdout_bytes == (
        PART.read_bytes()
    )


def test_pipes() -> None:
    packed = oxo("proof", "pack", "3^3", "--dictionary", "-", "--out", "-", data=b" 13\n")
    done = oxo("verify", "-", data=packed.stdout_bytes)
    assert done.stdout.startswith("proved: player 1 wins 3^3 (1 strategic move, 1 quiet; 1 pos")


def test_nothing_is_packed_that_does_not_win(tmp_path: Path) -> None:
    out = tmp_path / "x"
    line = refusal(oxo("proof", "pack", "4^3", "--dictionary", str(PART), "--out", str(out)), 1)
    assert "the dictionary does not win: no move is listed" in line
    assert not out.exists()


def test_a_strategy_is_shown_too(tmp_path: Path) -> None:
    from tests.hyperoxo.cli.test_verify import write

    header = answer("proof", "show", str(write(tmp_path)))
    assert (header["kind"], header["game"]) == ("hyperoxo-strategy 1", "3^2")
    assert header["moves"] > 0


def test_what_a_proof_plays(tmp_path: Path) -> None:
    packed = tmp_path / "part.proof"
    done = oxo("proof", "pack", "4^3", "--dictionary", str(PART), *BEGINS, "--out", str(packed))
    assert done.exit_code == 0
    shown = printed(oxo("proof", "show", str(packed), *BEGINS))
    cell, by = shown.strip().split(": ")
    assert by == "listed"
    after = f"moves:0,60,3,22,{cell}"
    found = answer("proof", "show", str(packed), "--position", after)
    assert found["player"] == 2
    assert len(found["moves"]) == 59
    assert {move["by"] for move in found["moves"]} <= {
        "listed", "blocks", "begins a forced sequence", "completes a line",
    }  # fmt: skip
    assert "answer" in oxo("proof", "show", str(packed), "--position", after).stdout
    elsewhere = oxo("proof", "show", str(packed), "--position", "moves:1,2")
    assert elsewhere.stdout == "nothing is listed here\n"


def test_what_a_strategy_plays(tmp_path: Path) -> None:
    from tests.hyperoxo.cli.test_verify import write

    file = str(write(tmp_path))
    seats = answer("proof", "show", file)
    shown = oxo("proof", "show", file, "--position", "moves:")
    assert seats["seat"] == 1
    assert shown.stdout.endswith(": listed\n")


def test_proofs_that_come_with_the_program(tmp_path: Path) -> None:
    found = answer("proof", "stored")["proofs"]
    assert "4^3:opening=poorx5" in [one["game"] for one in found]
    assert all(Path(one["file"]).stat().st_size == one["bytes"] for one in found)
    copy = tmp_path / "copy.oxo"
    assert oxo("proof", "stored", "4^3", "--out", str(copy)).exit_code == 0
    assert copy.read_bytes().startswith(b"hyperoxo-dictionary 1\n")
    assert oxo("proof", "stored", "7^3", "--out", str(copy)).exit_code == 0
    assert copy.read_bytes().startswith(b"hyperoxo-breaker 1\n")
    # It is packed.
    (told,) = answer("proof", "stored", "6^3", "--out", str(copy))["proofs"]
    assert told == {"game": "6^3", "bytes": copy.stat().st_size, "file": str(copy)}
    assert told["bytes"] > next(one["bytes"] for one in found if one["game"] == "6^3")
    assert copy.read_bytes().startswith(b"hyperoxo-breaker 1\n")


@pytest.mark.more
def test_the_tree_of_a_proof_is_drawn(tmp_path: Path) -> None:
    proof = tmp_path / "part.oxo"
    packed = oxo("proof", "pack", "4^3", "--dictionary", str(PART), *BEGINS, "--out", str(proof))
    assert packed.exit_code == 0, packed.output
    picture, page = tmp_path / "part.svg", tmp_path / "part.html"
    done = oxo("proof", "show", str(proof), "--out", str(picture), "--plies", "2", "-q")
    assert done.stdout.startswith(f"{picture}: ")
    assert "36 listed moves in all" in picture.read_text(encoding="utf-8")
    found = answer("proof", "show", str(proof), "--out", str(page))
    assert found["claim"].startswith("player 1 wins 4^3 from")
    assert page.read_text(encoding="utf-8").count("<details") < found["boards"]
    assert oxo("proof", "show", str(proof), "--plies", "2").exit_code == 2
    other = tmp_path / "other.oxo"
    other.write_bytes(b"hyperoxo-pairing 1\n")
    assert "--out is for strategies and dictionaries" in refusal(
        oxo("proof", "show", str(other), "--out", str(picture))
    )


def test_a_proof_is_opened_node_by_node(tmp_path: Path) -> None:
    packed = tmp_path / "x.proof"
    pack = ("proof", "pack", "4^3", "--dictionary", str(PART), *BEGINS, "--out", str(packed))
    assert oxo(*pack).exit_code == 0
    top = answer("proof", "tree", str(packed))
    assert (top["verdict"], top["kind"], top["positions"], top["listed"]) == (
        "proved",
        "dictionary",
        98,
        36,
    )
    assert top["answer"]["by"] == "listed"
    moves = ",".join(map(str, top["hardest"][:1]))
    node = answer("proof", "tree", str(packed), "--at", moves)
    assert (node["turn"], node["moves"]) == ("other", top["hardest"][:1])
    assert node["replies"][0]["reply"] == top["hardest"][1]
    text = oxo("proof", "tree", str(packed), "--at", moves).stdout
    assert text.startswith("proved: player 1 wins 4^3 from")
    assert "hardest: --at " + ",".join(map(str, top["hardest"])) in text


def test_a_proof_is_opened_where_it_leads_only(tmp_path: Path) -> None:
    packed = tmp_path / "x.proof"
    data = oxo("proof", "pack", "3^3", "--dictionary", "-", "--out", "-", data=b" 13\n")
    packed.write_bytes(data.stdout_bytes)
    for at, words in (("x", "--at takes cells"), ("5", "move 1: the proof plays 13, not 5")):
        assert words in refusal(oxo("proof", "tree", str(packed), "--at", at))
    packed.write_bytes(data.stdout_bytes[:-3] + b"12\n")
    text = printed(oxo("proof", "tree", str(packed)), 1)
    assert "hash is wrong" in text
