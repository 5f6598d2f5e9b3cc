"""What a report says of a game is what exhaustive values say."""

from __future__ import annotations

import random

import pytest

from hyperoxo.game import Game, Position
from hyperoxo.notation import Record
from hyperoxo.play.analysis import RecordAnalysis, analyse_record
from hyperoxo.play.analysis.findings import GameReport
from tests.judge import forced
from tests.marks import more
from tests.strategies import play_at_random

SIGN = {"win": 1, "draw": 0, "loss": -1, "nothing": -1}
FREE = 8


def thinned(spec: str, rng: random.Random, free: int) -> str:
    """Block cells at random until few are free."""
    cells = Game(spec).cells
    blocked = sorted(rng.sample(range(cells), max(0, cells - free)))
    if not blocked:
        return spec
    return spec + (",blocked=" if ":" in spec else ":blocked=") + "+".join(map(str, blocked))


SPECS = [
    "3^2", "3^2:misere", "3^2:gravity", "3^2:target=2", "4,3,3", "2^3:misere,target=2",
    "3^2:players=3", "3^2:players=3,misere", "3^2:players=4", "2^3:players=3,gravity",
    "3^3", "3^3:misere", "3^3:gravity", "3^3:players=3",
]  # fmt: skip
LONG = ["3^2:players=3", "3^2:players=3,misere", "3^2:players=4", "3^3:players=3"]


@pytest.mark.parametrize("spec", more(SPECS, LONG))
@pytest.mark.parametrize("seed", more(range(3), [1, 2]))
def test_mistakes_are_those_of_exhaustive_values(spec: str, seed: int) -> None:
    rng = random.Random(f"{spec} {seed}")
    game = Game(thinned(spec, rng, FREE))
    record = Record.of(play_at_random(game.start(), rng))
    check(analyse_record(record, seconds=0.05), record)


@pytest.mark.parametrize(
    "spec", ["3^3", "3^3:gravity", "3^3:misere,gravity", "4^2", "3^3:players=3"]
)
def test_and_so_they_are_at_the_end_of_longer_games(spec: str) -> None:
    rng = random.Random(spec)
    while True:
        start = Game(spec).start()
        position = play_at_random(start, rng, max(0, free(start) - FREE + 1))
        if not position.is_over:
            break
    # Without its history equal positions are remembered once.
    bare = position.game.position(position.text)
    record = Record.of(play_at_random(bare, rng))
    assert record.moves
    check(analyse_record(record, seconds=0.05), record)


def free(position: Position) -> int:
    return position.text.count(".")


def check(found: RecordAnalysis, record: Record) -> None:
    positions = record.positions()
    players = range(1, record.game.players + 1)
    expected, right, judged = [], {}, dict.fromkeys(players, 0)
    last = dict[int, int]()
    for number, (before, cell) in enumerate(zip(positions, record.moves, strict=False), start=1):
        seat = before.to_move
        had = forced(before, seat)
        after = {move: forced(before.play(move), seat) for move in before.legal_moves}
        if had >= 0:
            last[seat] = number
            right[number] = {move for move, value in after.items() if value >= had}
            judged[seat] += len(after) > 1
        if after[cell] < had:
            expected.append((number, seat, had, after[cell]))
    report = found.report
    assert [(m.number, m.player, SIGN[m.had], SIGN[m.left]) for m in report.mistakes] == expected
    for mistake in report.mistakes:
        assert mistake.right
        assert {*mistake.right} <= right[mistake.number]
        assert mistake.cell not in mistake.right
    wrong = [player for _, player, *_ in expected]
    for entry in report.accuracy:
        assert entry.judged == judged[entry.player]
        assert entry.judged - entry.kept == wrong.count(entry.player)
    assert report.undecided == ()
    for held in report.held:
        assert held.number == last.get(held.player)
        assert held.proved


def report(spec: str, moves: tuple[int, ...], resigned: int | None = None) -> GameReport:
    return analyse_record(Record(Game(spec), moves, resigned=resigned), seconds=0.05).report


def test_it_says_where_the_game_was_lost_and_what_would_have_held() -> None:
    found = report("3^2", (4, 1, 0, 8, 3, 5, 6))
    words = " ".join(found.sentences)
    assert words == (
        "After move 2, b3, Ring was lost; "
        "a3 or any of 3 other moves would have kept the draw. "
        "Cross: right in 4 of 4 moves that could be judged. "
        "Ring: right in 0 of 1 move that could be judged."
    )
    (mistake,) = found.mistakes
    assert mistake.right == (0, 2, 6, 8)
    assert mistake.sentence.startswith("Move 2, b3: Ring had a draw and was left with a loss;")


def test_a_win_that_was_given_up_is_told_in_a_drawn_game() -> None:
    found = report("3^2", (0, 1, 2, 4, 7, 3, 5, 8, 6))
    assert found.sentences[0] == "The game was drawn: no player lost it."
    (mistake,) = [entry for entry in found.mistakes if entry.had == "win"]
    assert (mistake.number, mistake.left) == (3, "draw")
    assert "would have won" in mistake.sentence


def test_who_gives_up_a_draw_was_not_lost() -> None:
    (said, *_) = report("3^2", (4, 0), resigned=1).sentences
    assert said == ("Cross was not lost on the board: after move 1, b2, Cross still had a draw.")


def test_several_players_are_told_what_they_could_force() -> None:
    found = report("3^2:players=3", (4, 0, 1, 2, 8, 7, 3, 5, 6))
    assert found.mistakes[0].sentence == (
        "Move 5, c1: Ring could force a draw against all the others, and then nothing; "
        "a1 would have kept the draw."
    )


@pytest.mark.more
def test_of_several_players_it_says_which_moves_let_one_win() -> None:
    found = report("3^3:players=3", (13, 22, 2, 0, 8, 26, 6, 12, 14))
    assert found.ending == (
        "Moves 7 and 8 let Triangle win: Triangle could not yet force it at move 6, and could at "
        "move 9."
    )
    assert found.sentences[0] == found.ending
    assert "Cross: no move had anything to lose." in found.sentences


def test_what_is_not_decided_is_said() -> None:
    found = report("4^3:misere", (0, 21, 63, 42), resigned=2)
    assert found.mistakes == ()
    assert found.undecided == (1, 2, 3, 4)
    words = " ".join(found.sentences)
    assert words == (
        "Where Ring lost is not known: even after move 4, 3c2, nothing proves it lost. "
        "Cross: no move could be judged. "
        "Ring: no move could be judged. "
        "Moves 1 to 4 could not be judged: too little is proved of the positions they were played "
        "in."
    )
