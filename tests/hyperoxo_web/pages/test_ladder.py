"""Puzzles as a ladder, three a day, and a game that cannot be won, in a real browser."""

from __future__ import annotations

from tests.hyperoxo_web.pages.conftest import Open, cell

PAGE = "window.oxoPage"
SOLUTION = f"{PAGE}.puzzle.solution"


def test_three_puzzles_a_day_and_a_rating(open_page: Open) -> None:
    page = open_page("/puzzles", person="Solver")
    page.get_by_role("heading", name="Today: 1 threat", exact=True).wait_for()
    page.get_by_text("threaten two lines at once").wait_for()
    # One of its two threats is drawn: two stones of the solver, and no other.
    drawn = page.evaluate(f"{PAGE}.highlight.lines.map((line) => {PAGE}.geometry.lines[line])")
    owner, player = page.evaluate(f"[{PAGE}.position.owner, {PAGE}.puzzle.player]")
    assert [sorted(owner[at] for at in line) for line in drawn] == [[0, 0, player, player]]
    assert page.get_by_text("800").count() == 1
    solution = page.evaluate(SOLUTION)
    cell(page, solution[0]).click()
    page.wait_for_function(f"{PAGE}.played.length === 2")
    assert page.evaluate(f"{PAGE}.highlight") is None
    answered = page.evaluate(f"{PAGE}.played[1]")
    last = solution[2] if answered != solution[2] else solution[1]
    cell(page, last).click()
    page.get_by_text("Solved. Your rating rises by").wait_for()
    page.get_by_role("button", name="1 threat, solved").wait_for()
    rating = page.evaluate(f"{PAGE}.record.rating")
    assert rating > 800
    # The next one is shown the next time; a hint costs what not solving it does.
    page.goto(page.url.partition("/puzzles")[0] + "/puzzles")
    page.get_by_role("heading", name="Today: 2 threats", exact=True).wait_for()
    assert page.evaluate(f"{PAGE}.highlight") is None
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(f".cell.hint .ghost.p{page.evaluate(f'{PAGE}.puzzle.player')}")
    assert page.evaluate(f"{PAGE}.record.rating") < rating
    page.get_by_role("button", name="A puzzle of 1 threat", exact=True).click()
    page.get_by_role("heading", name="Qubic: 1 threat", exact=True).wait_for()


def test_a_game_against_the_proof_counts_the_moves_survived(open_page: Open) -> None:
    page = open_page("/", person="Survivor")
    page.get_by_text("You cannot win this").click()
    page.get_by_role("heading", name="You cannot win this").wait_for()
    page.wait_for_function(f"{PAGE} && !{PAGE}.waiting")
    survived = 0
    while not page.evaluate(f"{PAGE}.done"):
        page.wait_for_function(f"!{PAGE}.waiting")
        legal = page.evaluate(f"{PAGE}.position.legal")
        if not legal:
            break
        cell(page, legal[-1]).click()
        survived += 1
        page.wait_for_function(
            f"!{PAGE}.waiting && ({PAGE}.done || {PAGE}.survived === {survived})"
        )
    words = f"Cross has won, as proved. Survived {survived} moves. Record: {survived}."
    page.get_by_text(words).wait_for()
    # What follows from moves taken back is no record.
    page.get_by_role("button", name="Take back").click()
    page.wait_for_function(f"!{PAGE}.done")
    assert page.evaluate(f"{PAGE}.survivalText") == ""
    page.get_by_role("button", name="Again").click()
    page.get_by_text(f"Record: {survived}.").wait_for()
    page.goto(page.url.partition("/proof")[0])
    page.get_by_text(f"You survived {survived} moves.").wait_for()
