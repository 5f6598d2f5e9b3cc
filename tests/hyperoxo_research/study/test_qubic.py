"""The study of the stored proofs of Qubic."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game, Position
from hyperoxo.solvers.proofsearch.driver import dictionary_of_tree
from hyperoxo.solvers.proofsearch.search import ProofSearch
from hyperoxo.solvers.proofsearch.tree import proof_tree
from hyperoxo.solvers.proofsearch.view import ProofView, owners_of
from hyperoxo.solvers.threats.forced_wins import forced_wins
from hyperoxo_research.bench.rows import Row
from hyperoxo_research.study import Bench, find_study, study
from hyperoxo_research.study import qubic as module
from hyperoxo_research.study import qubic_article as article
from hyperoxo_research.study.qubic import examine, fairness, first_moves, handicaps, proof_graph

SMALL = "moves:0,27,63,42,21,1"
"""A position of 4^3 that the first player wins, and a search proves in a moment."""


def test_both_classes_of_first_moves_win() -> None:
    rich, poor = sorted(first_moves(), key=lambda found: len(found[0]))
    assert (len(rich[0]), rich[1]) == (16, "win")
    assert (len(poor[0]), poor[1]) == (48, "win")
    assert [value for _, value in first_moves("3^3")] == ["unknown"] * 4
    assert len(first_moves("4^3:opening=poor")) == 1


def test_only_stored_proofs_can_be_examined() -> None:
    with pytest.raises(CheckFailedError, match="no proof of 3\\^3 is stored"):
        examine("3^3", check=False)


@pytest.mark.more
def test_the_proof_is_smaller_than_the_published_one_and_checked() -> None:
    found = examine("4^3", check=True)
    assert found.verdict is not None
    assert found.verdict.positions == len(found.graph.nodes)
    assert found.verdict.quiet == found.quiet
    assert found.verdict.strategic == len(found.dictionary.moves) < 2929
    assert found.blocks == found.verdict.positions - found.verdict.strategic
    assert found.depth == 1 + max(one.depth for one in found.replies)


def test_handicaps_that_no_proof_tells_are_open() -> None:
    rich, five = examine("4^3", check=False), examine("4^3:opening=poorx5", check=False)
    found = handicaps([rich, five], 6)
    assert [one.winner for one in found] == [1, None, None, None, None, 2, 2]
    assert found[6].proof is five
    table = fairness(found)
    published = [row[table.columns.index("published")] for row in table.rows]
    assert published == [2929] + 6 * [None]
    assert table.rows[1][2:4] == ("open", None)
    assert table.rows[6][-1] == "follows from 4^3:opening=poorx5"
    assert not handicaps([], 0)[0].proof


def test_a_proof_of_the_second_player() -> None:
    found = examine("4^3:opening=poorx5", check=False)
    assert len(found.after.history) == 2
    assert found.quiet == sum(node.quiet for node in found.graph.nodes.values())
    cells = [cell for one in found.replies for cell in one.cells]
    assert sorted(cells) == list(found.after.legal_moves)


@pytest.mark.more
def test_replies_are_in_the_frame_of_the_article() -> None:
    rich = examine("4^3", check=False)
    assert rich.after.history == (0,)
    expected = [1, 3, 5, 6, 7, 15, 21, 22, 23, 27, 31, 63]
    assert [one.cells[0] for one in rich.replies] == expected
    assert examine("4^3:opening=poorx5", check=False).after.history[0] == 1


def test_what_the_article_counts() -> None:
    (table,) = article.the_board().tables
    assert [row[2] for row in table.rows] == [76, 48, 24, 4, 16, 48, 2, 48, 192]
    assert all(row[6] for row in table.rows)


def test_the_example_game_and_a_shorter_win(tmp_path: Path) -> None:
    section = article.the_example()
    found, moves = section.tables
    assert [row[1:3] for row in found.rows] == [("yes", "yes"), (2, 2), (6, 6), (None, 5)]
    assert moves.rows[18][2:] == (36, "forced", "double threat", "48 52")
    for one in section.files:
        one.write(tmp_path / one.name)
    boards = [(tmp_path / one.name).read_text().count('href="#board"') for one in section.files]
    assert boards == [14, 12]


@pytest.mark.more
def test_forced_ends_are_all_replies_to_quiet_moves_that_threats_beat() -> None:
    start = Game("4^3").position(SMALL)
    search = ProofSearch(start.game, megabytes=1)
    assert search.run(start).status == "win"
    dictionary = dictionary_of_tree(start, 1, proof_tree(search, start))
    graph, view = proof_graph(dictionary), ProofView(start.game, 1)
    lost = set()
    for (own, other), node in graph.nodes.items():
        after = own | 1 << node.move
        free = [cell for cell in range(64) if not (after | other) >> cell & 1]
        replies = [(after, other | 1 << cell) for cell in free if node.quiet]
        lost |= {view.canonical(one) for one in replies if view.attack(one)[0] == "win"}
    ends = article.forced_ends(dictionary, graph)
    assert ends == sorted(lost)
    (table,) = article.the_forced_lines(Bench(), dictionary, graph).tables
    lengths = [
        forced_wins(Position.from_owners(start.game, owners_of(start.game, 1, one))).length
        for one in ends[::10]
    ]
    counts = {int(str(row[0])): int(str(row[1])) for row in table.rows}
    assert sum(counts.values()) == len(ends)
    assert all(lengths.count(one) <= counts[one or 0] for one in lengths)
    longest = table.text.partition("--position ")[2].partition("'")[0]
    assert forced_wins(start.game.position(longest)).length == max(counts)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Smaller proofs, one weak rival, and little time."""
    monkeypatch.setattr(module, "SPECS", ("4^3", "4^3:opening=poorx5"))
    monkeypatch.setattr(module, "RIVALS", ("random",))
    monkeypatch.setattr(module, "_SECONDS", (0.05, 0.05))
    monkeypatch.setattr(article, "_PROVED", SMALL)
    rows = [Row("a search", 1.0, "ms", 5.0, "without")]
    monkeypatch.setattr(article, "memory", lambda _peers: iter(rows))


@pytest.mark.more
@pytest.mark.usefixtures("small")
def test_the_report(tmp_path: Path) -> None:
    report = study("qubic", tmp_path)
    tables = {table.name: table for table in report.tables}
    assert tables["size"].rows[0][1:3] == (2929, len(examine("4^3", check=False).dictionary.moves))
    assert all("checked in this run" in str(row) for row in tables["handicaps"].rows[::5])
    assert "not checked" not in (tmp_path / "data" / "handicaps.csv").read_text("utf-8")
    assert all(row[2] == 100 for name in ("rich", "poorx5") for row in tables[f"play-{name}"].rows)
    for reply, ours, least, most, exact in tables["least"].rows:
        assert isinstance(least, int)
        assert isinstance(most, int)
        assert isinstance(ours, int)
        assert least <= most <= ours, reply
        assert exact == (least == most)
    for name in ("rich", "poorx5"):
        strategic = {row[0]: row[3] for row in tables[f"replies-{name}"].rows}
        for row in tables[f"depths-{name}"].rows:
            assert sum(int(cell or 0) for cell in row[1:]) == strategic[row[0]]
        assert (tmp_path / "figures" / f"depths-{name}.svg").stat().st_size > 1000
    assert "2,929" in (tmp_path / "index.html").read_text("utf-8")


@pytest.mark.more
@pytest.mark.usefixtures("small")
def test_a_quick_look_checks_nothing_and_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(module, "_WALKED", 1000)
    report = study("qubic", tmp_path, scale=0.05, parts=6, figures=False)
    tables = {table.name: table for table in report.tables}
    assert {"size", "handicaps", "first", "play-rich", "play-poorx5"} <= tables.keys()
    quantities = [row[0] for row in tables["size"].rows]
    assert "4^3:opening=poorx5: most quiet moves on a path" in quantities
    assert "4^3: most quiet moves on a path" not in quantities
    assert not any("seconds to check" in str(quantity) for quantity in quantities)
    told = [str(row) for name in ("handicaps", "first") for row in tables[name].rows]
    assert sum("not checked in this run" in row for row in told) == 3
    assert not any("checked in this run" in row.replace("not checked", "") for row in told)


@pytest.mark.slow
def test_the_whole_study() -> None:
    tables = {table.name for one in find_study("qubic").sections(Bench()) for table in one.tables}
    assert {"size", "handicaps", "first", "replies-poor", "depths-poor", "least"} <= tables
    assert {"play-poor", "replies-poorx3", "depths-poorx5"} <= tables
