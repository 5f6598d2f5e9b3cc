"""Sequential probability ratio test of whether one agent wins more games than another.

Only games that one of the two wins count. Let p be the share of them that the first wins. The
test is Wald's sequential probability ratio test of p = 1/2 against p = `effect`: with w wins and
l losses the likelihood ratio is (2p1)^w (2(1-p1))^l. It ends for the first agent when the ratio
reaches 1/`alpha`, and against it when it falls to `beta`. With these bounds both error rates hold
exactly, by Ville's inequality, not just approximately:

- where the first agent does not win more games, it is declared better with probability at most
  `alpha`, however long the test runs;
- where it wins a share `effect` or more, it is rejected with probability at most `beta`.

With rotating seats games of different seats have different odds; the ratio is then tested only
after equally many games from each seat. The expected ratio over such a round is a product of
factors 1 + e d_s, d_s being how many more it wins than loses from seat s and e = 2p1 - 1, which by
the inequality of the means is at most 1 where the d_s do not sum to more than 0; so the first
bound holds there too, and likewise the second.

References
----------
A. Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16 (1945).
J. Ville, "Étude critique de la notion de collectif" (1939).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log

from hyperoxo.display import Result
from hyperoxo.errors import SpecError, quoted
from hyperoxo.lab.games import Tally

_LETTERS = "ABCDEFGH"
_ROUND = 8
_GROWTH = 16


@dataclass(frozen=True)
class SequentialTest(Result):
    """A question about two agents, and the error probabilities of its answer.

    Attributes
    ----------
    question : str
        ``"A>B"``: does the first agent win more games than the second? Agents are named by
        letter, in the order given, or by their specs.
    alpha : float
        Largest probability of a yes if there is no difference, between 0 and 0.5.
    beta : float
        Largest probability of a no if the difference is `effect`; likewise.
    effect : float
        Smallest share of the decided games that matters, between 0.5 and 1.

    Examples
    --------
    >>> import hyperoxo as ox
    >>> found = ox.match("3^2", ["ising", "random"], 10_000, until=SequentialTest("A>B"))
    >>> found.test.verdict, found.games < 200
    ('yes', True)
    """

    question: str
    alpha: float = 0.05
    beta: float = 0.05
    effect: float = 0.55


@dataclass(frozen=True)
class Comparison(Result):
    """The outcome of a sequential test."""

    question: str
    verdict: str
    won: int
    lost: int
    log_ratio: float
    bounds: tuple[float, float]
    _text = (
        "{question}: {verdict}, {won:,} to {lost:,} games; log ratio {log_ratio:.2f}, "
        "no at {bounds.0:.2f}, yes at {bounds.1:.2f}"
    )


def check_test(test: SequentialTest, specs: Sequence[str]) -> None:
    """Validate the numbers and the agents of a test."""
    for name in ("alpha", "beta"):
        if not 0 < getattr(test, name) < 0.5:
            raise SpecError(f"{name} must lie between 0 and 0.5, not {getattr(test, name)}")
    if not 0.5 < test.effect < 1:
        raise SpecError(f"effect must lie between 0.5 and 1, not {test.effect}")
    sides(test.question, specs)


def sides(question: str, specs: Sequence[str]) -> tuple[int, int]:
    """Return the indices, from 0, of the two agents of a question ``A>B``."""
    better, sign, worse = question.partition(">")
    if not sign:
        raise SpecError(f"bad test {quoted(question)}: write A>B")
    first, second = (_seat(name.strip(), question, specs) for name in (better, worse))
    if first == second:
        raise SpecError(f"bad test {quoted(question)}: both sides are the same agent")
    return first, second


def _seat(name: str, question: str, specs: Sequence[str]) -> int:
    letters = _LETTERS[: len(specs)]
    if len(name) == 1 and name in letters:
        return letters.index(name)
    if list(specs).count(name) == 1:
        return list(specs).index(name)
    raise SpecError(
        f"bad test {quoted(question)}: {quoted(name)} is not one of the agents {', '.join(letters)}"
    )


def judge(test: SequentialTest, specs: Sequence[str], total: Tally) -> Comparison:
    """Evaluate a test; with rotating seats the tally must have equally many games of each."""
    won, lost = _decided(total, *sides(test.question, specs))
    ratio = log_ratio(won, lost, test.effect)
    bounds = (log(test.beta), -log(test.alpha))
    verdict = "yes" if ratio >= bounds[1] else "no" if ratio <= bounds[0] else "undecided"
    return Comparison(test.question, verdict, won, lost, ratio, bounds)


def log_ratio(won: int, lost: int, effect: float) -> float:
    """Return the logarithm of the likelihood ratio of p = `effect` to p = 1/2."""
    return won * log(2 * effect) + lost * log(2 * (1 - effect))


def interim_counts(most: int, seatings: int) -> Iterator[int]:
    """Yield the numbers of games of each seating after which a test is evaluated."""
    # They grow by eight games or a sixteenth, whichever is more.
    each, limit = 0, max(1, most // seatings)
    while each < limit:
        each = min(limit, each + max(_ROUND, each // _GROWTH))
        yield each


def _decided(total: Tally, first: int, second: int) -> tuple[int, int]:
    """Games that one of two won without the other, from sums by agent."""
    if sum(total.wins) + total.draws > total.games:
        # Shared wins: in misère play of three or more exactly one player loses.
        lost = [total.games - total.draws - won for won in total.wins]
        return lost[second], lost[first]
    return total.wins[first], total.wins[second]
