"""Knowledge of research: regions of a position, lines in fillings, key plans, full boards."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache, partial

from hyperoxo.game import Bounds, Game, Position, Requires, Trait, Value, Why
from hyperoxo.proof import check_proof
from hyperoxo.solvers.sources import ROLES, FullBoard, NoDrawReason, Source, Stored
from hyperoxo.solvers.theorems import breakers, never_loses, wins
from hyperoxo_research.draws.filling import lines_in_fillings
from hyperoxo_research.draws.published import DELORME_POLJAK, DEZA_LAURENT
from hyperoxo_research.draws.regions import REGIONS, falls_apart, regions, whole
from hyperoxo_research.draws.stored import stored_cases, stored_filling
from hyperoxo_research.proof.filling import Filling
from hyperoxo_research.proof.filling_cases import FillingCases
from hyperoxo_research.proof.keyplan.plan import bounds_of
from hyperoxo_research.proof.keyplan.stored import STORED_PLANS, stored_claim

_ONE_LINE_COUNTS = Requires(
    "a win of the Maker in a region",
    {
        *(Trait.MAKER_BREAKER, Trait.ONE_LINE, Trait.PLAYER_ONE_STARTS, Trait.ANOTHER_STARTS),
        *(Trait.FREE_OPENING, Trait.RESTRICTED_FIRST_MOVE, Trait.RESTRICTED_MOVES),
    },
)


class Research(Source):
    """Theorems on regions and fillings, and the proofs that come with them."""

    references = {  # noqa: RUF012 - of the class, and read only
        Why.NO_DRAW: DELORME_POLJAK,
        Why.NO_DRAW_BY_CASES: DEZA_LAURENT,
    }

    def bounds(self, position: Position) -> Iterator[Bounds]:
        """Bound a position by its regions, proved by search in each of them."""
        game = position.game
        if not REGIONS.accepts(game):
            return
        for seat in breakers(position):
            maker = 3 - seat
            if position.ply < game.opening_plies or not falls_apart(position, maker):
                continue
            parts = regions(position, maker)
            made = whole(parts, position.to_move == maker)
            facts = {"maker": maker, "breaker": seat, "regions": len(parts)}
            if made is False:
                yield never_loses(position, seat, Why.REGIONS, **facts)
            elif made and _ONE_LINE_COUNTS.accepts(game):
                yield wins(position, maker, Why.REGIONS_WON(**facts))

    def stored(self, position: Position) -> Stored | None:
        """Bound the start of a game by a stored plan.

        A plan that keeps player 1 from any line wins as Breaker, also with the first move.
        """
        game = position.game
        roles, spec = ROLES.accepts(game), f"{game.side}^{game.dim}"
        plain = Game(spec) if roles and spec in STORED_PLANS else game
        plan = stored_claim(plain) if plain is game or plain.board == game.board else None
        if plan is None or position.owners != plan.position.owners:
            return None
        if not roles:
            return Stored(bounds_of(plan))
        why = Why.PLAN(maker=1, breaker=2, keys=len(plan.keys), ends="wins")
        if position.to_move == 2:
            return Stored(Bounds.exactly(Value.WIN, why))
        lost = dict.fromkeys(position.legal_moves, Bounds.exactly(Value.LOSS))
        return Stored(Bounds.exactly(Value.LOSS, why), lost)

    def no_draw(self, game: Game) -> NoDrawReason | None:
        """Return the reason that a game has no draw, by lines in fillings."""
        return _no_draw(game)

    def full_board(self, game: Game, seed: int) -> FullBoard | None:
        """Look for a full board without a line of one player."""
        from hyperoxo_research.draws.full_boards import full_board

        return full_board(game, seed=seed)


@lru_cache(maxsize=64)
def _no_draw(game: Game) -> NoDrawReason | None:
    """Return the reason that no draw exists; None if there may be one."""
    # A draw needs a full board on which neither has reached the target T, so the two have at most
    # T - 1 lines each. If every filling by two colours has 2T - 1 lines of one colour, there is
    # none, in misère play too.
    board = game.board
    lines = lines_in_fillings(board, 2 * game.target - 1)
    found = _by_file(game) if lines is None else None
    if isinstance(found, Filling):
        lines = found.least_lines
    reached = "a line" if game.target == 1 else f"{game.target} lines"
    if lines is not None:
        why = Why.NO_DRAW(lines=lines, all_lines=board.line_count, reached=reached)
    elif found is not None:
        why = Why.NO_DRAW_BY_CASES(reached=reached)
    else:
        return None
    large = found is not None or stored_filling(game) is not None
    return NoDrawReason(why, partial(_no_draw_by_lines, game), large)


def _no_draw_by_lines(game: Game) -> Filling | FillingCases | None:
    """Return a checked proof that a game has no draw; strategy stealing then gives the winner."""
    from hyperoxo_research.draws.several_lines import no_draw_by_bound

    found = stored_filling(game) or stored_cases(game) or no_draw_by_bound(game)
    return found if found is not None and check_proof(found).proved else None


@cache
def _by_file(game: Game) -> Filling | FillingCases | None:
    """Return a stored proof that a game has no draw, after its check."""
    found = stored_filling(game) or stored_cases(game)
    return found if found is not None and check_proof(found).proved else None


SOURCE = Research()
