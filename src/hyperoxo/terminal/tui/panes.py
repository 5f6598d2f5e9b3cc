"""The right column: best moves and their certainty, the course of the game, the moves."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from hyperoxo.display import number_of
from hyperoxo.game import Value, move_name
from hyperoxo.play.analysis import Analysis, MoveAnalysis, short_value
from hyperoxo.play.analysis.record import points_of
from hyperoxo.play.board_style import BoardStyle
from hyperoxo.play.session import Session
from hyperoxo.terminal.tui.palette import Palette

_SHOWN = 7
_BAR = 8
_STEPS = 16
_BLOCKS = "▁▂▃▄▅▆▇█"
_BY = {"proof": "a stored proof", "proof-search": "proof search"}


def tone_of(move: MoveAnalysis) -> str:
    """Return the colour name of a value: ``good``, ``bad`` or ``text``."""
    if move.known.value in (None, Value.DRAW):
        return "text"
    return "good" if move.known.value is Value.WIN else "bad"


def certainty(found: Analysis, *, running: bool) -> str:
    """Describe the certainty of the value and the effort of the search."""
    how = "estimate" if not found.proved else "proved" if found.remoteness is None else "exact"
    if found.proved and found.source != "none":
        how += f", by {_BY.get(found.source, found.source)}"
    counts = (found.simulations, "game"), (found.nodes, "position")
    work = [number_of(count, noun) for count, noun in counts if count]
    state = "thinking" if running else "stopped" if found.stopped else "done"
    return " · ".join([how, *work, state])


def best_moves(found: Analysis, session: Session, palette: Palette, width: int) -> Text:
    """Write the best moves with their values, the reason, and a forced win step by step."""
    game, style = session.game, BoardStyle.of(session.game.players)
    text = Text()
    shown = found.moves[:_SHOWN]
    widest = max((len(move_name(game, move.cell)) for move in shown), default=0)
    for move in shown:
        line = f"{move_name(game, move.cell):<{widest}}  "
        text.append(line, style="bold" if move.cell == found.best else "")
        colour = palette.tone(tone_of(move))
        text.append(_bar(move), style=colour)
        text.append(f"  {short_value(move):>6}", style=f"bold {colour}")
        if not move.proved and move.visits and width > widest + _BAR + 22:
            text.append(f"  {move.visits:>7,}", style=palette.dim)
        if move.maxn:
            text.append(f"  max^n: {move.maxn}", style=palette.dim)
        text.append("\n")
    if len(found.moves) > _SHOWN:
        text.append(f"and {len(found.moves) - _SHOWN} more\n", style=palette.dim)
    text.append(f"\n{found.reason}\n")
    if found.forced:
        text.append("\nForced win\n", style="bold")
        for number, step in enumerate(found.forced[:_STEPS], start=1):
            text.append(f"{number:>2} ", style=palette.dim)
            text.append(style.icon(step.player), style=palette.stones[step.player - 1])
            note = f"  {step.note}" if step.note else ""
            text.append(f" {move_name(game, step.cell)}{note}\n")
        if len(found.forced) > _STEPS:
            text.append(f"and {len(found.forced) - _STEPS} more\n", style=palette.dim)
    return text


def _bar(move: MoveAnalysis) -> str:
    """A bar: full for a win, half for a draw, the estimated points otherwise."""
    if move.share is None:
        return " " * _BAR
    return ("━" * max(1, round(move.share * _BAR))).ljust(_BAR)


def value_curve(session: Session, width: int, palette: Palette) -> Text:
    """Draw the points of player 1 along the line of play, and the legend."""
    values: list[float | None] = []
    for node in session.tree.path:
        found = session.analyses.get(node)
        ended = session.state.position_at(node).outcome
        if ended is not None:
            values.append(0.5 if ended.draw else float(1 in ended.winners))
        else:
            values.append(None if found is None else points_of(session.game, found)[0])
    text = Text()
    for value in values[-width:]:
        if value is None:
            text.append("·", style=palette.dim)
        else:
            block = _BLOCKS[min(len(_BLOCKS) - 1, int(value * len(_BLOCKS)))]
            text.append(block, style=palette.stones[0])
    return text.append("\n▁ loses  ▅ draws  █ wins  · open", style=palette.dim)


def history_rows(session: Session, style: BoardStyle, palette: Palette) -> list[tuple[int, Text]]:
    """Return the line of play as rows of node number and text."""
    rows = [(0, Text("   start", style=palette.dim))]
    for node in session.tree.line[1:]:
        rows.append((node, _row(session, node, style, palette, "")))
        rows += [
            (other, _row(session, other, style, palette, "└ "))
            for other in session.branches(node)
            if other != node
        ]
    return rows


def _row(session: Session, node: int, style: BoardStyle, palette: Palette, hook: str) -> Text:
    before = session.state.position_at(session.tree.nodes[node].parent)
    player = before.to_move
    text = Text()
    text.append(f"{before.ply + 1:>3} ", style=palette.dim)
    text.append(hook, style=palette.dim)
    text.append(style.icon(player), style=f"bold {palette.stones[player - 1]}")
    text.append(f" {move_name(session.game, session.tree.nodes[node].cell)}")
    found = session.analyses.get(session.tree.nodes[node].parent)
    move = None if found is None else found.move(session.tree.nodes[node].cell)
    if move is not None and (move.proved or move.score is not None):
        text.append(f"  {short_value(move)}", style=palette.dim)
    return text


def seat_lines(
    session: Session, style: BoardStyle, names: Sequence[str], palette: Palette
) -> list[Text]:
    """Return a line per seat: stone, player, and full lines if the target is above one."""
    texts = []
    for player in range(1, session.game.players + 1):
        colour = palette.stones[player - 1]
        text = Text()
        text.append(f"{style.icon(player)} ", style=f"bold {colour}")
        text.append(names[player - 1], style="bold" if player == session.position.to_move else "")
        if session.game.target > 1:
            owned = session.position.lines_owned[player - 1]
            text.append(f"  {owned}/{session.game.target}", style=f"bold {colour}")
        texts.append(text)
    return texts
