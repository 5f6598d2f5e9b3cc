"""Retrograde analysis of a whole game: values of its positions, mistakes, last chances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby, pairwise

from hyperoxo.display import number_of
from hyperoxo.errors import SpecError
from hyperoxo.game import Bounds, Game, Position, Value, move_name
from hyperoxo.game.messages import DOES, NOUN, PROVED_BY, enumerated, in_plies, share_of
from hyperoxo.jit import working_time
from hyperoxo.notation import Record
from hyperoxo.pictures.alt_text import name_of
from hyperoxo.play.analysis.findings import (
    Accuracy,
    Analysis,
    Assessment,
    GameReport,
    LastChance,
    Mistake,
    MoveAnalysis,
    PlyAnalysis,
    RecordAnalysis,
)
from hyperoxo.play.analysis.position import Study, analyse_position
from hyperoxo.solvers.record import Knowledge
from hyperoxo.task import Stop

_MOST_NAMED = 3
_KEEPS = {Value.DRAW: "would have kept the draw", Value.WIN: "would have won"}
# A move is doubtful if its points are less by this share than those of the best, both estimated by
# so many visits or proved.
_DROP = 0.2
_ENOUGH_VISITS = 50

ProgressCallback = Callable[[RecordAnalysis], object]


def analyse_record(
    record: Record,
    *,
    seconds: float = 1.0,
    stop: Stop | None = None,
    on_progress: ProgressCallback | None = None,
    seed: int = 0,
) -> RecordAnalysis:
    """Analyse a game: value of every position, mistakes, and the last move that held.

    The end is analysed first, so that values proved there help with earlier moves. A mistake is
    claimed only if it is proved. `seconds` are for each move; a decided move takes less. `stop`
    ends the analysis, and `on_progress` is called after every move.
    """
    if not seconds >= 0:
        raise SpecError(f"seconds must be at least 0, not {seconds}")
    begin = working_time()
    positions = record.positions()
    plies: list[PlyAnalysis] = []
    final: Analysis | None = None

    def so_far(*, finished: bool) -> RecordAnalysis:
        stopped = stop is not None and stop.is_set() and len(plies) < len(record.moves)
        looked_at = tuple(reversed(plies))
        report = report_of(record, looked_at)
        return RecordAnalysis(
            game=str(record.game),
            setup=record.setup,
            moves=record.moves,
            players=record.players,
            result=record.result,
            plies=looked_at,
            points=_history(record, plies, final),
            held=report.held,
            report=report,
            final=final,
            seconds=working_time() - begin,
            finished=finished and not stopped,
            stopped=stopped,
        )

    # 1. The final position of an unfinished game.
    if not positions[-1].is_over and record.resigned is None:
        final = analyse_position(positions[-1], seconds=seconds, stop=stop, seed=seed)
        if on_progress is not None:
            on_progress(so_far(finished=False))
    # 2. The moves, the last first. The value of the position after a move is that of the move, so
    #    each study begins with one move decided, if the one before it decided its position.
    for number in range(len(record.moves), 0, -1):
        if stop is not None and stop.is_set():
            break
        position, cell = positions[number - 1], record.moves[number - 1]
        study = Study(position, seconds, stop, None, seed, played=cell)
        later = plies[-1] if plies else final
        if later is not None:
            _learn_from(study.known, cell, later)
        study.analyse()
        ply = _judged(position, number, cell, study.analysis(finished=True))
        if stop is not None and stop.is_set() and not ply.proved:
            break
        plies.append(ply)
        if on_progress is not None:
            on_progress(so_far(finished=False))
    return so_far(finished=True)


def _learn_from(known: Knowledge, cell: int, later: Assessment) -> None:
    """Transfer the proved value of the position after a move to the move."""
    proved = later.known
    source = later.source if later.proved else "search"
    again = known.position.play(cell).to_move == known.position.to_move
    if known.position.game.players > 2 and not again:
        # If the next player can force a win, every other player can force nothing. A lower value
        # of theirs implies nothing: the coalition that holds them includes the mover.
        if proved.low is Value.WIN:
            known.tighten(cell, Bounds.exactly(Value.NOTHING), source)
        return
    sure = proved.decided and proved.low is not Value.DRAW
    known.tighten(
        cell,
        proved if again else -proved,  # with a turn cycle such as 1,2,2 the same player may move
        source,
        remoteness=later.remoteness + 1 if later.remoteness is not None else None,
        within=later.within + 1 if sure and later.within is not None else None,
    )


def _history(
    record: Record, plies: list[PlyAnalysis], final: Analysis | None
) -> tuple[tuple[float | None, ...], ...]:
    """Points of each player after every number of moves."""
    players = record.game.players
    nothing: tuple[float | None, ...] = (None,) * players
    points = [nothing] * (len(record.moves) + 1)
    for ply in plies:
        points[ply.number - 1] = ply.points
    if final is not None:
        points[-1] = points_of(record.game, final)
    elif record.result == "=":
        points[-1] = (0.5,) * players
    elif record.result:
        winners = record.result.split("+")
        points[-1] = tuple(float(str(p) in winners) for p in range(1, players + 1))
    return tuple(points)


def _judged(position: Position, number: int, cell: int, found: Analysis) -> PlyAnalysis:
    game, played = position.game, found.move(cell)
    assert played is not None
    assert found.best is not None
    best = found.best
    best_move = found.move(best)
    # A move that keeps the value is not corrected, though another may win sooner.
    if played.proved and played.value == found.value:
        best, best_move = played.cell, played
    verdict, had = _verdict(found, played, best_move), found.known.low
    kept = (move.cell for move in found.moves if move.known.low >= had)
    return PlyAnalysis(
        number=number,
        player=found.player,
        cell=played.cell,
        known=found.known,
        remoteness=found.remoteness,
        within=found.within,
        source=found.source,
        score=found.score,
        played=played,
        best=best,
        best_move=best_move,
        right=tuple(kept) if had >= Value.DRAW else (),
        verdict=verdict,
        sentence=_sentence(game, found, played, best_move, verdict),
        points=points_of(game, found),
    )


def points_of(game: Game, found: Analysis) -> tuple[float | None, ...]:
    """Points of each player by an analysis; of several players only those of the mover."""
    points: list[float | None] = [None] * game.players
    if found.share is not None:
        points[found.player - 1] = found.share
        if game.players == 2:
            points[2 - found.player] = round(1 - found.share, 6)
    return tuple(points)


def _verdict(found: Analysis, played: MoveAnalysis, best: MoveAnalysis | None) -> str:
    if len(found.moves) == 1:
        return "forced"
    if played.known.high < found.known.low:
        return "mistake"
    if played.proved and played.value == found.value:
        return "best" if found.known.low >= Value.DRAW else "lost"
    top, mine = None if best is None else _sure_share(best), _sure_share(played)
    if top is not None and mine is not None and top - mine >= _DROP:
        return "doubtful"
    return "open"


def _sure_share(move: MoveAnalysis) -> float | None:
    """Points of a move that are proved, or estimated often enough."""
    if move.known.value is Value.NOTHING:
        return None
    return move.share if move.proved or move.visits >= _ENOUGH_VISITS else None


def _sentence(
    game: Game,
    found: Analysis,
    played: MoveAnalysis,
    best: MoveAnalysis | None,
    verdict: str,
) -> str:
    assert best is not None
    name = move_name(game, best.cell)
    many = game.players > 2
    if verdict == "forced":
        return "The only move."
    if verdict == "mistake":
        had, left = NOUN[found.known.low], NOUN[played.known.high]
        instead = f" {name} {_does(best)}." if best.proved and best.cell != played.cell else ""
        return f"Gives up {had} for {left}{_by(played)}.{instead}"
    if verdict in ("best", "lost"):
        keeps = {
            "win": f"Wins{in_plies(played.remoteness, played.within)}",
            "draw": "Keeps a draw",
            "loss": "Every move loses",
            "nothing": "No move forces anything",
        }[found.value]
        against = " against all others" if many and found.value != "nothing" else ""
        return f"{keeps}{against}{_by(played)}."
    if verdict == "doubtful":
        mine = _estimated(played).removesuffix(".")
        if played.known.value is not None:
            mine = f"Proved to be {NOUN[played.known.value]}"
        other = _does(best) if best.proved else f"is estimated at {share_of(best.score or 0.0)}"
        return f"{mine}; {name} {other}."
    return "" if played.score is None else _estimated(played)


def _estimated(move: MoveAnalysis) -> str:
    return f"Estimated at {share_of(move.score or 0.0)} of the points."


def _does(move: MoveAnalysis) -> str:
    """Describe a move of proved value."""
    assert move.known.value is not None
    plies = in_plies(move.remoteness, move.within) if move.known.value is Value.WIN else ""
    return DOES[move.known.value] + plies


def _by(move: MoveAnalysis) -> str:
    proof = PROVED_BY.get(move.source)
    return "" if proof is None else f", proved {proof}"


def report_of(record: Record, plies: Sequence[PlyAnalysis]) -> GameReport:
    """Summarise the analysed moves of a game."""
    game = record.game
    winners = str(record.result).split("+")
    lost = () if record.result in (None, "=") else range(1, game.players + 1)
    losers = (player for player in lost if str(player) not in winners)
    held = tuple(filter(None, (_last_chance(game, plies, player) for player in losers)))
    mistakes = tuple(_mistake(game, ply) for ply in plies if ply.verdict == "mistake")
    accuracy = tuple(_accuracy(plies, player) for player in range(1, game.players + 1))
    undecided = tuple(ply.number for ply in plies if ply.verdict in ("doubtful", "open"))
    seen = {ply.number for ply in plies}
    unseen = [number for number in range(1, len(record.moves) + 1) if number not in seen]
    ending, gaps = _ending(record, plies), []
    if undecided:
        gaps.append(
            f"{_numbered(undecided)} could not be judged: "
            "too little is proved of the positions they were played in."
        )
    if unseen:
        were = "was" if len(unseen) == 1 else "were"
        gaps.append(f"{_numbered(unseen)} {were} not looked at.")
    said = [ending, *(entry.sentence for entry in held)]
    said += [*(entry.sentence for entry in accuracy if entry.moves), *gaps]
    words = tuple(filter(None, said))
    return GameReport(held, mistakes, accuracy, ending, undecided, " ".join(gaps), words)


def _ending(record: Record, plies: Sequence[PlyAnalysis]) -> str:
    """Describe a draw, or the interval of moves in which one of several players got a win."""
    result, game = record.result, record.game
    if result == "=":
        return "The game was drawn: no player lost it."
    if result is None or game.players == 2 or "+" in result:
        return ""
    own = [ply for ply in plies if ply.player == int(result)]
    for before, after in reversed([*pairwise(own)]):
        if before.known.high < Value.WIN and after.known.low is Value.WIN:
            who = name_of(before.player)
            between = range(before.number + 1, after.number)
            return (
                f"{_numbered(between)} let {who} win: {who} could not yet force it at move "
                f"{before.number}, and could at move {after.number}."
            )
    return ""


def _mistake(game: Game, ply: PlyAnalysis) -> Mistake:
    had, left = ply.known.low, ply.played.known.high
    who = name_of(ply.player)
    move = f"Move {ply.number}, {move_name(game, ply.cell)}"
    if game.players == 2:
        most = "" if ply.played.proved else " at most"
        said = f"{move}: {who} had {NOUN[had]} and was left with {NOUN[left]}{most}"
    else:
        said = (
            f"{move}: {who} could force {NOUN[had]} against all the others, and then {NOUN[left]}"
        )
    sentence = f"{said}; {_instead(game, had, ply.right)}."
    return Mistake(ply.number, ply.player, ply.cell, had, left, ply.right, sentence)


def _instead(game: Game, had: Value, right: Sequence[int]) -> str:
    """Name the moves that would have kept the value."""
    if not right:
        return "which move keeps it is not known"
    named = [move_name(game, cell) for cell in right]
    if len(right) > _MOST_NAMED:
        named = [named[0], f"any of {len(right) - 1} other moves"]
    return f"{enumerated(named, 'or')} {_KEEPS[had]}"


def _accuracy(plies: Sequence[PlyAnalysis], player: int) -> Accuracy:
    own = [ply for ply in plies if ply.player == player]
    right_moves = sum(ply.verdict == "best" for ply in own)
    judged = right_moves + sum(ply.verdict == "mistake" for ply in own)
    who = name_of(player)
    open_ = any(ply.verdict in ("doubtful", "open") for ply in own)
    said = "no move could be judged" if open_ else "no move had anything to lose"
    if judged:
        said = f"right in {right_moves} of {number_of(judged, 'move')} that could be judged"
    return Accuracy(player, right_moves, judged, len(own), f"{who}: {said}.")


def _numbered(numbers: Sequence[int]) -> str:
    """Name moves by their numbers, neighbours as a range: "Moves 1 to 4 and 9"."""
    words: list[str] = []
    for _, run in groupby(enumerate(numbers), lambda one: one[1] - one[0]):
        found = [number for _, number in run]
        words += [f"{found[0]} to {found[-1]}"] if len(found) > 2 else map(str, found)
    return f"{'Move' if len(numbers) == 1 else 'Moves'} {enumerated(words)}"


def _last_chance(game: Game, plies: Sequence[PlyAnalysis], player: int) -> LastChance | None:
    """Find the loser's last move before which they were not proved lost."""
    who = name_of(player)
    own = [ply for ply in plies if ply.player == player]
    if not own:
        return None
    for ply in reversed(own):
        if ply.known.high >= Value.DRAW:
            return _last_chance_at(game, ply, who)
    # Earlier moves were not analysed, so that the start of the game is open.
    if own[0].number > game.players:
        return None
    lost = "was lost" if game.players == 2 else "could force nothing against all the others"
    sentence = f"{who} {lost} from the start."
    return LastChance(player, None, None, own[0].value, (), proved=True, sentence=sentence)


def _last_chance_at(game: Game, ply: PlyAnalysis, who: str) -> LastChance:
    lost_after = ply.played.known.high < Value.DRAW
    held_before = ply.known.low >= Value.DRAW
    move = f"move {ply.number}, {move_name(game, ply.cell)}"
    lost = "was lost" if game.players == 2 else "could force nothing against all the others"
    if lost_after and held_before:
        sentence = f"After {move}, {who} {lost}; {_instead(game, ply.known.low, ply.right)}."
    elif lost_after:
        sentence = f"After {move}, {who} {lost}; whether another move would have held is not known."
    elif ply.played.known.low >= Value.DRAW:
        had = NOUN[ply.played.known.low]
        sentence = f"{who} was not lost on the board: after {move}, {who} still had {had}."
    else:
        sentence = f"Where {who} lost is not known: even after {move}, nothing proves it lost."
    holding = ply.right if held_before else ()
    return LastChance(
        ply.player, ply.number, ply.cell, ply.value, holding, lost_after and held_before, sentence
    )
