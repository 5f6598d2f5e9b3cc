"""What the analysis of a game comes to, in plain words: from proved values alone."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hyperoxo.display import number_of
from hyperoxo.game import Game, Value, move_name
from hyperoxo.game.sentences import NOUN, enumerated
from hyperoxo.notation import Record
from hyperoxo.play.analysis.findings import Accuracy, GameReport, Held, Mistake, PlyAnalysis
from hyperoxo.play.look import Look

_MOST_NAMED = 3
_KEEPS = {Value.DRAW: "would have kept the draw", Value.WIN: "would have won"}


def report_of(record: Record, plies: Sequence[PlyAnalysis]) -> GameReport:
    """Sum up the moves of a game that were looked at."""
    game = record.game
    held = _holds(record, plies)
    mistakes = tuple(_mistake(game, ply) for ply in plies if ply.verdict == "mistake")
    accuracy = tuple(_accuracy(game, plies, player) for player in range(1, game.players + 1))
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
    """Say how a game was decided: a draw, or between which moves one of several players won it."""
    result, game = record.result, record.game
    if result == "=":
        return "The game was drawn: nobody lost it."
    if result is None or game.players == 2 or "+" in result:
        return ""
    own = [ply for ply in plies if ply.player == int(result)]
    for before, after in reversed([*pairwise(own)]):
        if before.known.high < Value.WIN and after.known.low is Value.WIN:
            who = Look.of(game.players).name(before.player)
            between = range(before.number + 1, after.number)
            return (
                f"{_numbered(between)} let {who} win: {who} could not yet force it at move "
                f"{before.number}, and could at move {after.number}."
            )
    return ""


def _mistake(game: Game, ply: PlyAnalysis) -> Mistake:
    had, left = ply.known.low, ply.played.known.high
    who = Look.of(game.players).name(ply.player)
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
    """Say which moves would have kept what a player had."""
    if not right:
        return "which move keeps it is not known"
    named = [move_name(game, cell) for cell in right]
    if len(right) > _MOST_NAMED:
        named = [named[0], f"any of {len(right) - 1} other moves"]
    return f"{enumerated(named, 'or')} {_KEEPS[had]}"


def _accuracy(game: Game, plies: Sequence[PlyAnalysis], player: int) -> Accuracy:
    own = [ply for ply in plies if ply.player == player]
    kept = sum(ply.verdict == "best" for ply in own)
    judged = kept + sum(ply.verdict == "mistake" for ply in own)
    who = Look.of(game.players).name(player)
    open_ = any(ply.verdict in ("doubtful", "open") for ply in own)
    said = "no move could be judged" if open_ else "no move had anything to lose"
    if judged:
        said = f"right in {kept} of {number_of(judged, 'move')} that could be judged"
    return Accuracy(player, kept, judged, len(own), f"{who}: {said}.")


def _numbered(numbers: Sequence[int]) -> str:
    """Name moves by their numbers, neighbours as a range: "Moves 1 to 4 and 9"."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and ranges[-1][-1] == number - 1:
            ranges[-1].append(number)
        else:
            ranges.append([number])
    words = []
    for found in ranges:
        if len(found) > 2:
            words.append(f"{found[0]} to {found[-1]}")
        else:
            words += map(str, found)
    return f"{'Move' if len(numbers) == 1 else 'Moves'} {enumerated(words)}"


def _holds(record: Record, plies: Sequence[PlyAnalysis]) -> tuple[Held, ...]:
    """Say, for every player who lost, where they could last have held on."""
    if record.result in (None, "="):
        return ()
    winners = str(record.result).split("+")
    losers = [p for p in range(1, record.game.players + 1) if str(p) not in winners]
    return tuple(filter(None, (_held(record, plies, player) for player in losers)))


def _held(record: Record, plies: Sequence[PlyAnalysis], player: int) -> Held | None:
    """Go back through a loser's moves to the last before which they were not proved lost."""
    game = record.game
    who = Look.of(game.players).name(player)
    own = [ply for ply in plies if ply.player == player]
    if not own:
        return None
    for ply in reversed(own):
        if ply.known.high >= Value.DRAW:
            return _held_at(game, ply, who)
    if own[0].number > game.players:
        return None
    lost = "was lost" if game.players == 2 else "could force nothing against all the others"
    sentence = f"{who} {lost} from the start."
    return Held(player, None, None, own[0].value, (), proved=True, sentence=sentence)


def _held_at(game: Game, ply: PlyAnalysis, who: str) -> Held:
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
    return Held(
        ply.player, ply.number, ply.cell, ply.value, holding, lost_after and held_before, sentence
    )
