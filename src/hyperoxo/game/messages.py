"""English of values and of the reasons for them: `Why` for reasons, tables for values."""

from __future__ import annotations

from collections.abc import Sequence

from hyperoxo.display import number_of
from hyperoxo.game.values import Bounds, Code, Value


def enumerated(words: Sequence[str], last: str = "and") -> str:
    """Join words with commas, the last one by `last`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


class Why(Code):
    """Codes of the reasons that the core gives."""

    # Theorems.
    STEALING = "Strategy stealing: the second player has no winning strategy."
    MIRRORING_SECOND = (
        "Mirroring (Golomb and Hales): the second player answers each move at the opposite cell "
        "and {ends}."
    )
    MIRRORING_FIRST = (
        "Mirroring (Golomb and Hales): the first player takes the centre, then answers each move "
        "at the opposite cell, and {ends}."
    )
    MIRRORING_MOVE = "Mirroring (Golomb and Hales): the player who mirrors never loses."
    POTENTIAL = (
        "Erdős–Selfridge: the potential of player {maker}'s lines is at most {total:.3g} with "
        "player {breaker} to move, which is below 1, so that player {breaker} {ends}."
    )
    PAIRING = (
        "Pairing: every line that player {maker} could complete has two free cells of its own, "
        "and player {breaker} answers inside the pair and {ends}."
    )
    PLAN = (
        "Plan: player {breaker} answers on {keys:#key cell} so that matchings take care of all "
        "others, keeps player {maker} from any line and {ends}."
    )
    REGIONS = (
        "Regions: the lines that player {maker} could complete split into "
        "{regions:#region|regions}; player {breaker} holds each of them and {ends}."
    )
    REGIONS_WON = (
        "Regions: the lines that player {maker} could complete split into "
        "{regions:#region|regions}; player {maker} completes a line in one of them."
    )
    BIASED_POTENTIAL = (
        "Beck's biased potential: player {maker}'s lines weigh at most {total:.3g} with the "
        "{others} others to move, which is below 1, so that player {maker} completes no line "
        "against all of them."
    )
    BIAS = (
        "Beck's biased potential: player {maker}'s lines weigh at most {total:.3g} with player "
        "{breaker} to begin a turn, which is below 1, so that player {breaker} {ends}."
    )
    AVOIDING = (
        "The Avoider's potential: the lines of player 1 weigh {total:.3g}, which is below 1, so "
        "that player 1 wins by taking the cell on the lightest lines each time."
    )
    MAKING = (
        "Strategy stealing: where no draw exists the first player wins the game without roles, "
        "and as Maker too."
    )
    NO_DRAW_OF_SIDE_3 = (
        "No draw exists: every filling of 3^3 with two colours has a line of one colour (Golomb "
        "and Hales), and every larger board of side 3 contains 3^3."
    )
    NO_DRAW = (
        "No draw exists: every filling with two colours has at least {lines} of the {all_lines} "
        "lines of one colour (proved by a semidefinite form, checked in whole numbers), so that "
        "one player has {reached}."
    )
    NO_DRAW_BY_CASES = (
        "No draw exists: on every full board on which both have their share of stones, one of them "
        "has {reached} (proved case by case by semidefinite forms, checked in whole numbers)."
    )
    # Searches.
    OVER = "The game is over."
    ENDED_BY_MOVES = "Moves that end the game decide it."
    TABLE = "Table: values of all positions by retrograde analysis."
    ALL_DRAWN = "All moves: a draw, by the same theorems."
    SEARCH = (
        "{how}: {decided} of {classes:#class|classes} of moves decided, {nodes:#position} "
        "visited{end}."
    )
    NO_WINNING_STRATEGY = "A strategy that wins was not found within the limit."
    NO_PROOF = "No proof was written: {problem}."
    CERTIFICATE = (
        "Certificate: {statement}; {size}, checked over {positions:#position} in {seconds:.2f} s."
    )
    STRATEGIC_CERTIFICATE = (
        "Certificate: {statement}; {moves:#strategic move}{published}, {quiet:,} of them quiet, "
        "checked in {seconds:.2f} s."
    )
    PROOF_SEARCH = (
        "Proof search (df-pn, {width} of the attacker): player {seat} {found}{what}; "
        "{nodes:#position} opened with the defender to move, {threat_nodes:#threat position}."
    )
    NO_PLAN = (
        "Search for a plan: none for player {breaker} on {keys:#key cell} by the rules that are "
        "used, which says nothing about the value; {states:#state}."
    )
    PLAN_OPEN = (
        "Search for a plan for player {breaker} on {keys:#key cell}: not decided, the limit came "
        "first; {states:#state}."
    )
    PROOF_SEARCH_OPEN = (
        "Proof search for player {seat}: {nodes:#position} opened with the defender to move, "
        "not decided; {problem}."
    )
    MOVES_LEFT_OPEN = (
        "The value, the plies and a best move are known; the other moves were searched for at most "
        "{nodes:#position} more."
    )
    MOVES_DECIDED = "Every move: {decided} of {moves:#move} decided."
    MAKER_WINS = (
        "Maker-Breaker search: player {seat} wins against every defence; {nodes:#position} opened."
    )
    MAKER_THREATENS = (
        "Threats: player 1, the Maker, wins by threats alone against every defence; "
        "{nodes:#position} searched."
    )
    BREAKER_WINS = (
        "Maker-Breaker search: player {seat} keeps the other from the target and wins; "
        "{nodes:#position} opened."
    )
    ENFORCER_WINS = (
        "Avoider-Enforcer search: player 1 is forced to the target and loses; "
        "{nodes:#position} opened."
    )
    AVOIDER_WINS = (
        "Avoider-Enforcer search: player 1 keeps below the target; {nodes:#position} opened."
    )
    BREAKER_DRAWS = (
        "Maker-Breaker search: player {seat} keeps player {maker} from completing any line and "
        "{ends}; {nodes:#position} opened."
    )
    STORED_PROOF = "Stored proof: {statement}, by {moves:#strategic move}; 'oxo verify' checks it."
    NO_HARDER = (
        "The opening of {game} leaves the loser no less choice, and the winner no more, so that "
        "the same moves win here."
    )
    AS_MAKER = "A player who wins when both want lines wins as Maker too, by the same moves."
    ON_A_LAYER = "Maker wins by the same moves on a layer without Breaker's stones."
    THREATS = "Threats: a forced win in at most {plies:#move}."
    # Results of one seat against all others together.
    CAN_FORCE = "Player {seat} can force {goal}: {how}."
    CANNOT_FORCE = "Player {seat} cannot force {goal}: {how}."
    OTHER_SEAT = "Player {seat} {can}, as player {other} {does}."
    SEAT_OPEN = "It was not decided whether player {seat} can force {goal}."
    LINES_SEARCHED = "search of {nodes:#position}"
    NO_LINE_LEFT = "no line left to complete, or the potential of the lines left (Beck 1982)"
    BECK_INEQUALITY = (
        "Beck's inequality (1982), {lines} + {spare}·{degree} < {players}^{size} for lines, moves, "
        "degree, players and side"
    )
    MOVES_LEFT = "the potential of the lines that the moves left suffice to complete (Beck 1982)"
    INTERRUPTED = "Interrupted."
    # Reasons of agents for their moves.
    ONLY_MOVE = "Cell {cell} is the only move."
    COMPLETES = "Cell {cell} completes a line."
    COMPLETES_LINES = "Cell {cell} completes {lines:#line}."
    STOPS = "Cell {cell} stops a line."
    BEST_OF_SOME = "Cell {cell} is the best of {looked:#cell} looked at, of {moves:,}."
    OVERLOOKS = "Cell {cell}, where a line lacks one stone, was overlooked."
    SCORES_HIGHEST = "Cell {cell} scores highest by {heuristic}{rest}."
    NETWORK = (
        "The network gives cell {cell} a probability of {chance:.1%} and the position {value:+.3f}."
    )
    FORCED_WIN = "Cell {cell} begins a forced win in {moves:#move}: {line}."
    FORCED_SEQUENCE = "Cell {cell} begins a forced win in {moves:#move}."
    STORED_PROOF_LISTS = "Cell {cell} wins: the stored proof that {statement} lists it."
    STORED_PROOF_COVERS = "Cell {cell} wins: the stored proof that {statement} covers what follows."
    ENDGAME_SEARCHED = "Cell {cell} wins: the endgame was searched to the end."
    STORED_PROOFS_SILENT = "The stored proofs say nothing here: a random move."
    PLAN_ANSWERS = "Cell {cell} is the answer of a plan that keeps the other player from any line."
    PLAN_SILENT = "The plan leaves the choice open here, or says nothing: a random move."
    AIMED = "Cell {cell} aims at {aim} of a plan that keeps this player from any line."
    PAIR_ANSWERS = "Cell {cell} is the other cell of its pair; each line of the other holds a pair."
    PAIRS_FREE = "No pair asks for an answer: a random move."
    PAIRS_SILENT = "No pairs hold here for the player to move: a random move."
    MIRRORS = "Cell {cell} mirrors; the player who mirrors never loses this game."
    TABLE_WIN = "Cell {cell} wins in {plies:#move}, by the table of all positions."
    TABLE_DRAW = "Cell {cell} keeps the draw, by the table of all positions."
    TABLE_LOSS = (
        "Cell {cell} loses, but not before {plies:#move} are played, by the table of all positions."
    )
    SEARCH_WIN = "Cell {cell} wins in {plies:#move}."
    SEARCH_DRAW = "Cell {cell} keeps the draw; every line of play was searched."
    SEARCH_LOSS = "Every move loses; cell {cell} holds out for {plies:#move}."
    LOOKS_BEST = "Cell {cell} looks best {depth:#move} ahead, judged by {heuristic}."
    SEARCHED_AS_PUBLISHED = "Cell {cell} is the move of the published search."
    TREE_WIN = "Cell {cell} wins{within}: proved."
    TREE_DRAW = "Cell {cell} draws: proved{rest}."
    TREE_LOSS = "Every move loses{within}: proved."
    TREE_SCORE = "Cell {cell} scored {share} in {visits:,} of {games:#simulated game}."
    TREE_WORTH = "Cell {cell} is worth {share} after {visits:,} of {games:#simulation}."
    MOVED_AT_ONCE = "It was asked to move at once."
    SIMPLER = "It was asked to move at once and had found nothing yet: a simpler move, by {agent}."
    ALLOWS_WIN = "{moves:#other move} would allow a forced win."


def at_once(reason: str) -> str:
    """Return the part of a move's reason about an immediate request, or an empty string."""
    begin = reason.rfind(Why.MOVED_AT_ONCE.value.removesuffix("."))
    return reason[begin:] if begin >= 0 else ""


NOUN = {
    Value.WIN: "a win",
    Value.DRAW: "a draw",
    Value.LOSS: "a loss",
    Value.NOTHING: "nothing",
}
"""Values as nouns."""

DOES = {
    Value.WIN: "wins",
    Value.DRAW: "keeps a draw",
    Value.LOSS: "loses",
    Value.NOTHING: "forces nothing",
}
"""Values as verbs, of a move."""

_CAN_FORCE = {
    Value.WIN: "wins",
    Value.DRAW: "can force a draw and no more",
    Value.LOSS: "loses",
    Value.NOTHING: "can force nothing against all others together",
}

_LETTER = {Value.WIN: "W", Value.DRAW: "=", Value.LOSS: "L", Value.NOTHING: "–"}

PROVED_BY = {
    "table": "by the table of all positions",
    "theorem": "by a theorem",
    "search": "by exact search",
    "threats": "by threats",
    "proof": "by the stored proof",
    "proof-search": "by proof search",
}
"""Sources of proved values."""


def in_plies(exactly: int | None, at_most: int | None = None, before: str = " in ") -> str:
    """Return " in 5 moves" of either side, "at most" for a bound; empty if neither is known."""
    if exactly is not None:
        return before + number_of(exactly, "move")
    return "" if at_most is None else f"{before}at most {number_of(at_most, 'move')}"


def can_force(bounds: Bounds) -> str:
    """Return the outcome of best play of all for a player, as a verb."""
    if bounds.value is None:
        if bounds.drawless:
            return " or ".join(_CAN_FORCE[value] for value in reversed(bounds.values))
        return f"can force something between {bounds.low} and {bounds.high}"
    return _CAN_FORCE[bounds.value]


def range_of(bounds: Bounds) -> str:
    """Return the possible values: "a win or a draw"."""
    *first, last = [NOUN[value] for value in reversed(bounds.values)]
    return f"{', '.join(first)} or {last}"


def share_of(points: float) -> str:
    """Write a share of the points."""
    return f"{100 * points:.0f} %"


def short(
    word: str, exactly: int | None, at_most: int | None = None, score: float | None = None
) -> str:
    """Write a value in a few characters: ``W 5``, ``=``, ``L ≤4``, ``56 %``, ``?``."""
    if word == "unknown":
        return "?" if score is None else share_of(score)
    letter = _LETTER[Value(word)]
    if letter not in "WL":
        return letter
    if exactly is not None:
        return f"{letter} {exactly}"
    return letter if at_most is None else f"{letter} ≤{at_most}"
