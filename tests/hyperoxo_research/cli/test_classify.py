"""`oxo classify` and `oxo atlas` as commands."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from hyperoxo.errors import MissingExtraError
from hyperoxo.game import Game
from hyperoxo.play.explorer import Explorer, refused
from hyperoxo.proof import verify
from hyperoxo_research.draws import several_lines
from hyperoxo_research.draws.classify import Classification, classify
from hyperoxo_research.proof.keyplan.stored import STORED_PLANS, stored_plan_file
from hyperoxo_research.proof.region import read_region
from tests.command import answer, oxo, refusal
from tests.hyperoxo.proof.test_file import rehash


def test_a_region_as_json_with_its_proof(tmp_path: Path) -> None:
    file = tmp_path / "x.oxo"
    found = answer("classify", "3^2", "--proof", str(file))
    assert (found["game"], found["region"], found["draw"]) == ("3^2", 4, "exists")
    fields = {"claim", "theorem", "source", "kind", "part", "file"}
    assert [set(one) for one in found["evidence"]] == [fields] * 3
    assert all(one["file"] == str(file) for one in found["evidence"])
    assert b"\ncreator oxo classify " in file.read_bytes()
    assert answer("verify", str(file))["claim"] == "3^2 is in region 4"
    assert "about a board" in refused(file.read_bytes())
    with pytest.raises(Exception, match="about a board"):
        Explorer.read(file.read_bytes())


@pytest.mark.more
def test_several_regions_and_what_others_have_proved() -> None:
    found = answer("classify", "9^4")
    assert found["region"] == [3, 4]
    assert {one["kind"] for one in found["evidence"]} == {"proved"}
    assert "Breaker's key plan" in oxo("classify", "7^3").stdout
    found = answer("classify", "70^5", "--seconds", "0")
    assert found["region"] == [1, 2, 3, 4, 5]
    assert [one["kind"] for one in found["evidence"]] == ["cited"]


@pytest.mark.parametrize("game", [pytest.param("5,4,4", marks=pytest.mark.more), "5,4,4:blocked=0"])
def test_a_plan_with_zones_where_nothing_quick_decides(game: str, tmp_path: Path) -> None:
    file = tmp_path / "x.oxo"
    found = answer("classify", game, "--proof", str(file))
    parts = [one["part"] for one in found["evidence"]]
    assert (found["region"], parts) == (4, ["no-pairing", "full-board", "zones"])
    text = file.read_bytes()
    assert verify(text).claim == f"{game} is in region 4"
    assert not verify(rehash(text.replace(b"\nregions 4\n", b"\nregions 3\n"))).proved
    assert not verify(rehash(text.replace(b"\nseat 2\n", b"\nseat 1\n"))).proved


@pytest.mark.more
def test_cases_are_kept_in_a_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("no_draw_by_bound", "odd_filling"):
        monkeypatch.setattr(several_lines, name, lambda *_, **__: None)
    monkeypatch.setattr(several_lines, "_MOST_EXCHANGING", 0.1)
    file = tmp_path / "cases"
    words = "classify", "3^3:target=2", "--checkpoint", str(file)
    found = answer(*words)
    assert "filling-cases" in [one["part"] for one in found["evidence"]]
    assert verify(file).proved
    assert answer(*words) == found
    file.write_bytes(b"hyperoxo-filling-cases 1\n")
    assert f"{file}: this is not a filling-cases file" in refusal(oxo(*words))


@pytest.mark.more
def test_stored_plans_are_part_of_what_is_known(tmp_path: Path) -> None:
    for game in STORED_PLANS:
        found = answer("classify", game)
        assert (found["region"], found["evidence"][-1]["part"]) == (4, "breaker")
    file = tmp_path / "x.oxo"
    assert oxo("classify", "7^3", "--proof", str(file)).exit_code == 0
    assert verify(file).claim == "7^3 is in region 4"
    plan = stored_plan_file(Game("7^3"))
    assert plan is not None
    assert plan in file.read_bytes()
    # What is large is checked on demand alone.
    assert oxo("classify", "6^3", "--proof", str(file)).exit_code == 0
    parts = read_region(file.read_bytes()).parts
    kinds = (b"no-pairing", b"full-board", b"breaker")
    assert [part.split()[0] for part in parts] == [b"hyperoxo-" + kind for kind in kinds]
    assert parts[-1] == stored_plan_file(Game("6^3"))


def test_several_players() -> None:
    found = answer("classify", "2^3:players=3")
    assert (found["region"], found["draw"]) == (None, "none")
    assert oxo("classify", "3^2:players=3").stdout.startswith("3^2:players=3 has draws\n")


@pytest.mark.parametrize("game", ["3^2:misere", "3^2:gravity", "0^3", "3^2:opening=4", "x"])
def test_what_is_not_supported_is_one_line(game: str) -> None:
    done = oxo("classify", game)
    assert done.exit_code != 0
    assert not done.stdout


def test_without_a_solver_what_needs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pysat.solvers", None)
    assert classify("3^2").regions == (4,)
    assert classify("3^5").regions == (2,)
    assert oxo("classify", "9^4").exit_code == 1
    with pytest.raises(MissingExtraError, match='a SAT solver needs the extra "sat"'):
        classify("9^4")


def test_an_atlas_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = "atlas", "--out", str(tmp_path / "a"), "--sides", "4", "--dims", "3"
    found = answer(*words)
    regions = {one["game"]: one["region"] for one in found["entries"]}
    boards = [f"{side}^{dim}" for side in range(1, 5) for dim in range(1, 4)]
    assert regions == dict(zip(boards, (1, 1, 1, 5, 1, 1, 5, 4, 2, 5, 4, 3), strict=True))
    assert found["counts"] == {"proved": 12, "cited": 0, "conjectured": 0, "open": 0}
    assert not found["contradicted"]
    for spec in sorted(regions.keys() - {"4^3"}):
        verdict = verify(tmp_path / "a" / f"{spec.replace('^', '-')}.oxo")
        assert verdict.claim == f"{spec} is in region {regions[spec]}"
        assert verdict.proved
    page = (tmp_path / "a" / "index.html").read_text("utf-8")
    assert "<svg" in page
    assert "4-3.oxo" in page
    # A board whose proof is gone is classified again, and no other.
    (tmp_path / "a" / "3-2.oxo").unlink()
    asked: list[str] = []

    def counted(spec: str, **more: Any) -> Classification:
        asked.append(spec)
        return classify(spec, **more)

    monkeypatch.setattr("hyperoxo_research.lab.atlas.classify", counted)
    assert answer(*words) == found
    assert asked == ["3^2"]


def test_what_contradicts_the_published_table_is_said(tmp_path: Path) -> None:
    from hyperoxo_research.lab.atlas import Atlas, _entry, _page, atlas

    found = atlas(tmp_path, sides=1, dims=1).entries[0].answer
    entry = _entry(5, 7, {**found, "region": [3, 4], "cited": [3, 4], "game": "5^7"})
    assert entry.contradicted
    assert entry.status == "open"
    assert "cannot be right" in _page(Atlas((entry,)))
    assert _entry(5, 3, {**found, "region": [3, 4], "cited": [3, 4]}).status == "conjectured"
    assert _entry(5, 4, {**found, "region": [3, 4], "cited": [3, 4]}).status == "open"
    assert _entry(7, 3, {**found, "region": [3, 4], "cited": [4]}).status == "cited"
