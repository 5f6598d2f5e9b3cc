"""Pictures of game trees: plies downwards, lines of play across, or rings; as SVG or HTML.

A child is its parent plus one stone, which is tinted. Colours and signs show the winner under best
play. A pruned tree shows a class of equivalent positions once, below the parent that most games
reach it from; other moves to it are marked with its number, on rings with thin lines.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from hyperoxo.display import number_of
from hyperoxo.game import Game, Position, layout_of
from hyperoxo.lab.guide import guided_places
from hyperoxo.lab.pictures import tree_nodes
from hyperoxo.notation.stones import ICONS, NAMES
from hyperoxo.pictures.svg import board_svg, sheet, sheet_style, tag, text_svg, title_svg

_MOST_ACROSS = 32
_RING_CELL, _GROWTH, _INNER = 8.5, 0.75, 1.1
_MARGIN = 36.0
_BOARD, _LEAST, _MOST = 60.0, 7.0, 22.0
_HEAD = 84.0
_SIDE = 84.0
_WORDS_SHOWN = 16


@dataclass
class Page:
    """A tree with its captions."""

    game: Game
    root: tree_nodes.Place
    title: str
    remarks: list[str]
    solved: bool = True  # whether signs show the winner under best play, not only a finished game
    seat: int = 0  # the seat whose moves are drawn bold

    def __post_init__(self) -> None:
        self.places = list(self.root.walk())
        self.onward: dict[int, list[int]] = defaultdict(list)
        for place in self.places:
            for other in place.others:
                self.onward[id(other)].append(place.number)
        self.numbered = bool(self.onward) or any(place.equal for place in self.places)

    def winner(self, place: tree_nodes.Place) -> int:
        """Return the player whose colour a place has, or 0."""
        return place.winner if self.solved or place.position.is_over else 0

    def sign(self, place: tree_nodes.Place) -> str:
        """Return the value of a place as a sign: the winner and the plies left."""
        if place.value is None or not (self.solved or place.position.is_over):
            return ""
        winner, plies = place.value
        return f"{ICONS[winner - 1]}{plies or ''}" if winner else "="

    def words(self, place: tree_nodes.Place) -> str:
        """Return the tooltip of a place."""
        said = [place.position.text]
        if place.games > 1:
            said[0] += f": {place.games:,} games lead here"
        if self.sign(place):
            assert place.value is not None
            winner, plies = place.value
            wins = "" if not winner else f"{NAMES[ICONS[winner - 1]]} "
            said.append("a draw" if not winner else f"{wins}wins in {plies}" if plies
                        else f"{wins}has won")  # fmt: skip
        if place.equal is not None:
            said.append(f"equivalent to board {place.equal.number}")
        if id(place) in self.onward:
            said.append(f"other moves lead to {', '.join(map(str, self.onward[id(place)]))}")
        return "; ".join(said)

    def note(self, place: tree_nodes.Place) -> str:
        """Return the note beside a board on a page."""
        return ""

    def caption(self, place: tree_nodes.Place) -> str:
        """Return the caption below a board: its equal, or the numbers of transposing moves."""
        if place.equal is not None:
            return f"= {place.equal.number}"
        text = "→ " + " ".join(map(str, self.onward.get(id(place), ())))
        return "" if text == "→ " else text if len(text) <= _WORDS_SHOWN else (
            text[:_WORDS_SHOWN].rsplit(" ", 1)[0] + " …")  # fmt: skip


def draw_tree(
    game: Game, plies: int | None = None, *, whole: bool = False, layout: str | None = None
) -> str:
    """Draw the game tree, as SVG: pruned to one of equivalent positions, or whole."""
    return drawn(_game_page(game, plies, whole), layout)


def tree_page(game: Game, plies: int | None = None, *, whole: bool = False) -> str:
    """Write the game tree as a page in which branches are opened and closed, as HTML."""
    return html(_game_page(game, plies, whole))


def draw_line(
    start: Position, cells: Sequence[int], title: str = "", *, layout: str = "lines"
) -> str:
    """Draw the positions of one line of play, as SVG."""
    root = tree_nodes.line_of(start, cells)
    words = title or f"{start.game}: {'-'.join(map(str, cells))}"
    return drawn(Page(start.game, root, words, _signs(root)), layout)


def draw_guided(game: Game, seat: int, agent: str, *, merge: bool = False, seed: int = 0) -> str:
    """Draw the tree in which a seat follows an agent, equivalent positions marked, as SVG."""
    root = guided_places(game, seat, agent, merge=merge, seed=seed)
    leaves = sum(not (place.children or (place.equal and merge)) for place in root.walk())
    remarks = [
        f"{number_of(leaves, 'leaf|leaves')}; bold: moves of player {seat}",
        "dashed, = 3: equivalent to board 3" + (", so not followed" if merge else ""),
    ]
    title = f"{game}: player {seat} follows {agent}"
    return drawn(Page(game, root, title, remarks, solved=False, seat=seat), None)


def _game_page(game: Game, plies: int | None, whole: bool) -> Page:
    root, classes = tree_nodes.tree_of(game, plies, whole=whole)
    page = Page(game, root, "", [])
    depth = max(place.ply for place in page.places)
    what = "position up to symmetry" if classes.merged else "position"
    what = "board" if whole else f"{what}|{what.replace('position', 'positions')}"
    page.title = f"Game tree of {game}, the first {number_of(depth, 'move')}"
    page.remarks = [number_of(len(page.places), what), *_signs(root)]
    if page.numbered:
        page.remarks.append("→ 7: other moves lead to positions like board 7")
    return page


def _signs(root: tree_nodes.Place) -> list[str]:
    signs = {place.value for place in root.walk() if place.value is not None}
    names = [
        f"{ICONS[player - 1]}5: {NAMES[ICONS[player - 1]]} wins in 5"
        for player in sorted({winner for winner, plies in signs if winner and plies})
    ]
    if any(winner == 0 for winner, _ in signs):
        names.append("=: a draw")
    return [", ".join(names)] if names else []


def drawn(page: Page, layout: str | None) -> str:
    """Draw a tree, as SVG."""
    leaves = sum(not place.children for place in page.places)
    layout = layout or ("down" if leaves <= _MOST_ACROSS else "lines")
    return _rings(page) if layout == "rings" else _rows(page, layout == "down")


def _board_size(game: Game) -> tuple[float, float, float]:
    """Return the width of a cell where all boards are alike, and width and height of a board."""
    plan = layout_of(game)
    cell = min(max(_BOARD / max(plan.width, plan.height), _LEAST), _MOST)
    return cell, cell * plan.width, cell * plan.height


def _rows(page: Page, downward: bool) -> str:
    """Draw plies in rows downwards, or in columns with lines of play across."""
    _, width, height = _board_size(page.game)
    for place in page.places:
        place.size = max(width, height) / 0.9
    across, down = width + 28, height + 36
    again: list[tuple[tree_nodes.Place, float, float]] = []
    if downward:
        wide, high = tree_nodes.downwards(page.root, across, down + 18)
    else:
        wide, high, again = tree_nodes.in_lines(page.root, across + 14, down, 30)
    left, top = (_SIDE if downward else _MARGIN) + width / 2, _HEAD + 30 + height / 2
    parts = [f'<g transform="translate({left:.1f} {top:.1f})">']
    where = {(id(place), x) for place, x, _ in again}
    for place in page.places:
        if place.parent is None:
            continue
        x, y = place.parent.x, place.parent.y
        if downward:  # a curve
            foot, end = y + height / 2 + 4, place.y - height / 2 - 4
            middle = (foot + end) / 2
            bends = f"{x:.1f} {middle:.1f} {place.x:.1f} {middle:.1f}"
            way = f"M{x:.1f} {foot:.1f}C{bends} {place.x:.1f} {end:.1f}"
        else:  # a bent line
            if (id(place.parent), place.x - across - 14) in where:
                # At the head of a strip the parent is drawn again at the left: the branch begins
                # there.
                x, y = place.x - across - 14, 0.0
            bend, end = x + width / 2 + 10, place.x - width / 2 - 4
            way = f"M{x + width / 2 + 4:.1f} {y:.1f}H{bend:.1f}V{place.y:.1f}H{end:.1f}"
        parts.append(_edge(page, place, way))
    for place, x, y in again:
        old, place.x, place.y = (place.x, place.y), x, y
        parts.append(f'<g opacity=".5">{_card(page, place)}</g>')
        place.x, place.y = old
    for place in page.places:
        parts += [_card(page, place), _tag(page, place)]
        if page.numbered:
            x, y = place.x - width / 2 - 2, place.y - height / 2 - 6.5
            parts.append(text_svg(x, y, 8, str(place.number), 'class="soft"'))
            y = place.y + height / 2 + 12
            parts += [text_svg(x, y, 8, text) for text in [page.caption(place)] if text]
    parts.append("</g>")
    parts += _plies(page, downward, (left, top), (width, height))
    parts += [text_svg(_MARGIN, 34, 20, page.title, 'font-weight="650"')]
    parts += [text_svg(_MARGIN, 56, 13, "; ".join(page.remarks), 'class="soft"')]
    # About 7.2 for a character of size 13; the title, of size 20, is half as wide again.
    words = 24 + 7.2 * max(1.5 * len(page.title), len("; ".join(page.remarks)))
    wide = max(left + wide + 8, words)
    return sheet(page.game, wide, top + high, page.title, parts)


def _edge(page: Page, place: tree_nodes.Place, way: str) -> str:
    assert place.parent is not None
    winner = page.winner(place)
    mover = place.position.owners[place.position.history[-1]]
    bold = mover == page.seat if page.seat else winner == page.winner(place.parent)
    wide = 1.2 + 1.6 * bold
    return tag("path", class_=f"edge e{winner}", stroke_width=wide, stroke_opacity=".55", d=way)


def _plies(
    page: Page, downward: bool, corner: tuple[float, float], size: tuple[float, float]
) -> list[str]:
    """Name the plies at the left, or above the columns."""
    seen: dict[float, str] = {}
    for place in page.places:
        name = "start" if place.ply == 0 else f"after {place.ply}"
        if place.last is not None:
            name = f"{place.ply}. {place.mover}"
        seen.setdefault(round(place.y if downward else place.x, 3), name)
    parts = []
    for way, name in seen.items():
        x, y = corner[0] + way - size[0] / 2, corner[1] - size[1] / 2 - 20
        if downward:
            x, y = 12, corner[1] + way + 4
        parts.append(text_svg(x, y, 11, name, 'class="soft"'))
    return parts


def _rings(page: Page) -> str:
    """Draw plies as rings around the empty board, larger where more games lead."""
    plan = layout_of(page.game)
    rings: list[list[tree_nodes.Place]] = [
        [] for _ in range(1 + max(place.ply for place in page.places))
    ]
    for place in page.places:
        rings[place.ply].append(place)
    depth = max(len(rings) - 1, 1)
    for ring in rings:
        most = max(place.games for place in ring)
        for place in ring:
            inner = 1 + _INNER * (1 - place.ply / depth)
            share = 1 + _GROWTH * math.sqrt(place.games / most)
            place.size = _RING_CELL * max(plan.width, plan.height) * inner * share
    tree_nodes.arrange(rings)
    half = max(place.radius + place.size for place in page.places) + _MARGIN
    top = half + _MARGIN
    parts = [f'<g transform="translate({half:.1f} {top:.1f})">']
    thin = {"class_": "edge", "stroke_width": ".7", "stroke_opacity": ".22"}
    parts += [
        tag("path", **thin, d=f"M{other.x:.1f} {other.y:.1f}L{place.x:.1f} {place.y:.1f}")
        for place in page.places
        for other in place.others
    ]
    parts += [_branch(page, place) for place in page.places if place.parent is not None]
    parts += [_card(page, place) for place in page.places]
    parts += [_tag(page, place) for place in page.places]
    parts.append("</g>")
    size = max(14.0, half / 50)
    lines = [*page.remarks[:2], "larger: more games lead there"]
    lines.append("thin lines: other ways to a position")
    parts.append(text_svg(1.4 * size, 2.4 * size, 1.7 * size, str(page.game), 'font-weight="650"'))
    parts += [
        text_svg(1.4 * size, (4 + 1.4 * number) * size, size, line, 'class="soft"')
        for number, line in enumerate(lines)
    ]
    return sheet(page.game, 2 * half, half + top, page.title, parts)


def _branch(page: Page, place: tree_nodes.Place) -> str:
    parent = place.parent
    assert parent is not None
    middle = (parent.radius + place.radius) / 2
    bends = (parent.angle if parent.radius else place.angle, place.angle)
    controls = [f"{middle * math.sin(bend):.1f} {-middle * math.cos(bend):.1f}" for bend in bends]
    start, end = f"{parent.x:.1f} {parent.y:.1f}", f"{place.x:.1f} {place.y:.1f}"
    return _edge(page, place, f"M{start}C{' '.join(controls)} {end}")


def _frame(page: Page, place: tree_nodes.Place) -> tuple[float, float, float, float]:
    """Return width and height of a board, the width of a cell, and that of the rim around it."""
    plan = layout_of(page.game)
    cell = 0.9 * place.size / max(plan.width, plan.height)
    width, height = cell * plan.width, cell * plan.height
    return width, height, cell, min(0.055 * min(width, height) + 1.2, 5.0)


def _card(page: Page, place: tree_nodes.Place) -> str:
    width, height, cell, rim = _frame(page, place)
    left, top = place.x - width / 2, place.y - height / 2
    winner = page.winner(place)
    frame = {
        "x": left - rim, "y": top - rim, "width": width + 2 * rim, "height": height + 2 * rim,
        "rx": 1.6 * rim,
    }  # fmt: skip
    ring = {"fill_opacity": ".16", "stroke_width": rim / 1.6, **frame}
    dashes = None if place.equal is None else "3 2"
    return tag(
        "g",
        title_svg(page.words(place)),
        tag("rect", class_="card", **frame),
        tag("rect", class_=f"e{winner} f{winner}", **ring, stroke_dasharray=dashes),
        board_svg(place.position, (left, top, cell), last=place.last),
    )


def _tag(page: Page, place: tree_nodes.Place) -> str:
    """Write the value on the upper right corner of a card."""
    said = page.sign(place)
    if not said:
        return ""
    width, height, _, rim = _frame(page, place)
    size = max(8.5, min(0.2 * place.size, 0.3 * height))
    wide = size * (0.62 * len(said) + 0.5)
    x, y = place.x + width / 2 + rim, place.y - height / 2 - rim
    middle = 'text-anchor="middle" font-weight="650" class="card"'
    return tag(
        "rect", class_=f"f{page.winner(place)}", x=x - wide * 0.7, y=y - size * 0.65, width=wide,
        height=size * 1.2, rx=size * 0.4,
    ) + text_svg(x - wide * 0.2, y + size * 0.31, round(size, 1), said, middle)  # fmt: skip


def html(page: Page) -> str:
    """Write nested lists that open and close; the boards are drawn as on other pictures."""
    cell, width, height = _board_size(page.game)
    box = f"{width + 2:.0f}", f"{height + 2:.0f}"
    written: list[str] = []
    ends: list[tuple[tree_nodes.Place, str]] = []
    for place in page.places:
        # `ends` are the open branches from the root down; close those that this place is not in.
        while ends and ends[-1][0] is not place.parent:
            written.append(ends.pop()[1])
        board = (
            f'<svg width="{box[0]}" height="{box[1]}" viewBox="-1 -1 {box[0]} {box[1]}">'
            f"{board_svg(place.position, (0, 0, cell), last=place.last)}</svg>"
        )
        sign, move = page.sign(place), "" if place.last is None else f"{place.mover} {place.last}"
        onward = page.onward.get(id(place), []) if place.equal is None else [place.equal.number]
        links = "".join(f' <a href="#n{n}">{n}</a>' for n in onward)
        words = (
            f'<span class="w"><small>{place.number}</small> {move} '
            f'<b class="v{page.winner(place)}">{sign}</b>{" →" if links else ""}{links}'
            f"{f' <small>{escape(page.note(place))}</small>' if page.note(place) else ''}</span>"
        )
        name = f'id="n{place.number}" title="{escape(page.words(place))}"'
        if place.children:
            opened = " open" if place.ply - page.root.ply < 2 else ""
            written.append(f"<details {name}{opened}><summary>{board}{words}</summary><div>")
            ends.append((place, "</div></details>"))
        else:
            written.append(f'<div class="leaf" {name}>{board}{words}</div>')
    written += [end for _, end in reversed(ends)]
    head = sheet(page.game, 0, 0, page.title, ())
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" '
        f'content="width=device-width, initial-scale=1">\n<title>{escape(page.title)}</title>\n'
        f"<style>{sheet_style()}{_PAGE_STYLE}</style>\n</head>\n<body>\n"
        f'<div class="defs">{head}</div>\n<h1>{escape(page.title)}</h1>\n'
        f"<p>{escape('; '.join(page.remarks))}. Click on a board to open or close its branch.</p>\n"
        + "\n".join(written)
        + "\n</body>\n</html>\n"
    )


_PAGE_STYLE = (
    ":root{color-scheme:light dark}body{font:15px/1.4 system-ui,sans-serif;margin:1.5rem}"
    "h1{font-size:1.3rem}details>div{margin-left:1.1rem;padding-left:1rem;border-left:1px solid "
    "#8886;display:flex;flex-wrap:wrap;gap:.3rem .9rem}details{margin:.3rem 0}"
    "details[open]{width:100%}summary{cursor:pointer;width:max-content}"
    "summary,.leaf{break-inside:avoid}.w{margin-left:.5rem;vertical-align:top}"
    "small{opacity:.6}:target{outline:2px solid #8888}.leaf{margin:.3rem 0}"
    ".defs{position:absolute;width:0;height:0;overflow:hidden}"
)
