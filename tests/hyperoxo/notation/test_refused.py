"""Texts that a notation refuses, and games that it cannot hold: one line says why."""

from __future__ import annotations

import json

import pytest

from hyperoxo.errors import NotationError
from hyperoxo.game import Game
from hyperoxo.notation import Record, read, write
from tests.expect import message_of
from tests.hyperoxo.notation.test_json_record import PLAIN
from tests.hyperoxo.notation.test_piskvork import GOMOCUP
from tests.hyperoxo.notation.test_tesseract import EXAMPLE, HISTORY

TESSERACT = Game("3^4:target=9,blocked=centre")


def changed(changes: dict[str, object] | None = None, without: str = "") -> str:
    """Return a plain record as JSON, with some keys changed and one left out."""
    keys = {**PLAIN, **(changes or {})}
    return json.dumps({name: value for name, value in keys.items() if name != without})


REFUSED: dict[str, list[tuple[str, ...]]] = {
    "position": [
        ("....", "line 1: a position is a game spec, a blank"),
        ("3^2 .........", "the game is 3^2, not 3^2:misere", "3^2:misere"),
        ("-1,0, 8,0", "8,0 from the middle is beyond the 15 x 15 board", "15,15,5"),
    ],
    "drawing": [
        ("X.O", "a drawing of 1 row of 3 does not tell the game; name it"),
        ("X..O/..../....", "a drawing of 3 rows of 4 does not tell the game"),
        ("..X\n..O\n...\n\n...\n...\n...", "a drawing of 6 rows of 3 in 2 layers does not tell"),
        ("...../...../...../...../..O..", "games; name one before it, as in '5^2' or '5,5,4'"),
        ("X-O/.X./..O", "row 1 of the drawing: '-' only draws rules; a free cell is '.'"),
        ("X0X/00X/0X0", "0 may be a free cell or a ring in the drawing"),
        ("XoO/.../...", "both 'O' and 'o'"),
        ("X.2/.../...", "both letters ('X') and digits ('2')"),
        ("X.O .X. ..O\n... ... ...\n... ... ...", "'X.O' is more than one cell"),
        ("XX./.../...", "position: player 1 has 2 of 2 stones, not 1"),
        ("3^2 X.O/.X/..O", "row 2 of the drawing has 2 cells, a row of the board 3"),
        ("3^2 X.O/.../..O/...", "the drawing has 4 rows, the board 3"),
        ("3^3\n" + "...\n" * 4 + "\n" + "...\n" * 5, "a layer of the drawing does not have 3 rows"),
        ("| |\n| |\n\n| |\n| |", "a drawing of 4 rows of 1 in 2 layers does not tell"),
        ("9{0+1+2} XO/X", "the drawing has 3 cells, the board 9"),
        ("3^2 X.Q/.../...", "'Q' is not a sign for a cell"),
        ("3^2 XYO/.../...", "cell 1 holds a stone of player 3"),
        ("3^2 X../.../...\n3^2 XX./.../...", "drawing 2: position: player 1 has 2"),
        ("3^2 ///", "the drawing has no rows"),
        ("3^2 X../.../...", "the game is 3^2, not 4^2", "4^2"),
        ("| | |\n" * 16, "may be a frame or not"),  # 2^5 in a frame, or 4^3
    ],
    "record": [
        ("3^ moves:1", "bad game '3^'"),
        ("3^2 moves:4,,1", "move 2: '' is not a cell; cells are a1 to c3"),
        ("3^2 moves:4,4", "move 2: cell 4 is taken"),
        ("3^2 moves:-4", "move 1: '' is not"),
        ("3^2 4-0 moves:1", "'moves' is given twice (at 'moves:1')"),
        ("3^2 setup=1", "setup: position has 1 character,"),
        ("3^2 resigned=x", "resigned: 'x' is not a whole number"),
        ("3^2 winner=1", "unknown field 'winner=1'"),
        ("# two games\n3^2 moves:4\n\n3^2 moves:9\n", "line 4: move 1: there is no cell 9"),
    ],
    "pgn": [
        ("1. 4 0 *", "line 1: the record has no tag 'Game'"),
        ('[Game "3^2"]', "line 1: the moves must end with the result, or '*'"),
        ('[Game "3^2"]\n\n1. 4 x *', "line 3: 'x' is not a cell number"),
        ('[Game "3^2"]\n1. 4 4 *', "line 1: move 2: cell 4 is taken"),
        ('[Game "3^"]\n*', "line 1: bad game '3^'"),
        ('[Game "3^2"]\n[Game "3^2"]\n*', "line 2: tag 'Game' is given twice"),
        ('[Game "3^2"]\n[Result "1"]\n1. 4\n*', "line 4: the moves end with '*'"),
        ('[Game "3^2"] 1. 4 0 3. 1 *', "line 1: round 3 follows where round 2 continues"),
        ('[Game "3^2"] 1. 4 0 2. *', "round 2 follows where"),
        ('[Game "3^2"] 1. 4 0 7', "result '7' is neither"),
        ('[Game "3^2"] * {no}', "line 1: a comment follows the result"),
        ('[Game "3^2"]\n{no', "line 2: cannot read '{no'"),
        ('[Game "3^2"] [Player3 "C"] *', "tag 'Player3', but the game has 2 players"),
        ('[Game "3^2"] [Icon2 "O"] *', "icons must be numbered 1, 2, 3"),
        ('[Game "3^2"] [Resigned "9"] *', "tag 'Resigned' is '9', not a player"),
    ],
    "json": [
        ("{", "not JSON: Expecting property name enclosed in double quotes at line 1, column 2"),
        ("3", "a record must be an object"),
        ("[3]", "record 1: a record must be an object"),
        ('{"a": 1, "a": 2}', "key 'a' appears twice"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "too many digits"),
        (changed({"format": "pgn"}), "format must be 'hyperoxo-record'"),
        (changed({"version": 2}), "version 2 is not known; this is 1"),
        (changed({"version": True}), "version True is not known"),
        (changed({"version": 1.0}), "version 1.0 is not known"),
        (changed({"game": 3}), "game must be text, not 3"),
        (changed({"game": "3^"}), "game: bad game"),
        (changed({"moves": "4,0"}), "moves must be an array, not '4,0'"),
        (changed({"moves": [4, 0.0]}), "moves[1] must be a whole number, not 0.0"),
        (changed({"moves": [4, True]}), "moves[1] must be a whole number, not True"),
        (changed({"moves": [10**9]}), "moves[0] is too large"),
        (changed({"moves": [4, 4]}), "move 2: cell 4 is taken"),
        (changed({"players": ["Ada", None]}), "players[1] must be text, not None"),
        (changed({"resigned": "2"}), "resigned must be a whole number"),
        (changed({"tags": []}), "tags must be an object"),
        (changed({"tags": {"A": 1}}), "tags['A'] must be text, not 1"),
        (changed({"comments": {"01": "x"}}), "comments: '01' is not a number of moves"),
        (changed({"commments": {}}), "unknown key 'commments'"),
        *((changed(without=key), f"key '{key}' is missing") for key in PLAIN),
    ],
    "sgf": [
        ("nothing", "not SGF: no '(' opens a game"),
        ("(;B[aa]", "the file ends inside a game"),
        ("(;B)", "property B at character 3 has no value in brackets"),
        ("(B[aa])", "'B' at character 2 belongs nowhere"),
        ("()", "a game has no node"),
        ("(;SZ[19])", "SZ '19' does not fit the game's 3 x 3 board"),
        ("(;RU[3^2:gravity])", "the file says that the game is 3^2:gravity, not 3^2"),
        ("(;RU[3^2:gravty])", "RU: bad game"),
        ("(;B[aa];W[aa])", "move 2: cell 0 is taken"),
        ("(;B[aa];B[bb])", "move 2: it is W's turn"),
        ("(;B[aa];W[];B[bb])", "move 2: W passes, which these games do not allow"),
        ("(;B[aa];W[tt];B[bb])", "move 2: W passes"),
        ("(;RU[3^2];W[aa])", "move 1: it is B's turn"),
        ("(;B[da])", "move 1: 'da' is not a point of a 3 x 3 board"),
        ("(;B[h8])", "move 1: 'h8' is not a point"),
        ("(;B[aa:bb])", "move 1: 'aa:bb' is not a point"),
        ("(;B[aa];AB[bb])", "after move 1: stones are set up in mid-game"),
        ("(;AB[aa][ab])", "setup: position: player 1 has 2 of 2 stones, not 1"),
        ("(;AB[aa]AW[aa])", "AW: a stone on cell 0 has no room"),
        ("(;AB[aa]PL[B])", "PL[B], but it is W's turn"),
        ("(;AB[aa][ba][bb]AW[ca]PL[W])", "setup: position: player 1 has 3 of 4 stones, not 2"),
        ("(;B[aa])(;B[zz])", "game 2: move 1"),
    ],
    "psq": [
        ("Piskvorky 15 x 15", "did you mean 'Piskvorky 15x15, 0:0, 0'"),
        (GOMOCUP, "the file is for a 15 x 15 board, not for 20,20,5", "20,20,5"),
        (GOMOCUP, "psq holds games on planar boards only, not 4^3", "4^3"),
        (GOMOCUP.replace("9,7", "16,7"), "move 2: 16,7 is not on the 15 x 15 board"),
        (GOMOCUP.replace("9,7", "8,8"), "move 2: cell 112 is taken"),
        (GOMOCUP.replace("-1", "third"), "'third' is neither a move nor one of two players"),
        (GOMOCUP * 2 + "x\n", "game 2: 'x' is neither a move"),
    ],
    "columns": [
        ("4453\n4458 1", "line 2: move 4: '8' is not a column; columns are 1 to 7"),
        ("4453 1 2", "line 1: a line has columns and a whole number, as in '4455 18'"),
        ("4453 x", "line 1: a line has columns and a whole number"),
        ("1111111 0", "line 1: move 7: this column is full"),
        ("7,6,4: 44 1", "line 1: bad game '7,6,4:'"),
        ("7,6,4:misere 44 1", "line 1: columns: stones do not fall on 7,6,4:misere"),
    ],
    "tesseract": [
        ("", "expected '{' at character 1"),
        ("{two", "expected a number at character 2"),
        ("{3; ", "expected ',' at character 3"),
        ('{3, {0 - "·"}', "expected '->' at character 8"),
        ('{3, {0 -> "·", 0 -> "x"}', "icon 0 is given twice at character 16"),
        ('{3, {0 -> "\\q"}', "unknown escape at character 12"),
        ('{3, {0 -> "\\[Heart]"}', "unknown named character '\\[Heart]' at character 12"),
        ('{3, {0 -> "x', "a string does not end at character 13"),
        ("{9999999999", "a number is too large at character 2"),
        (EXAMPLE + ";", "expected the end of the text at character"),
        (EXAMPLE.replace("MAw", "M-w"), "'-' in the history is not a digit at character 62"),
        (EXAMPLE.replace("MAw", "AAw"), "does not begin with its marker at character 61"),
        (EXAMPLE.replace(HISTORY, HISTORY * 2), "is too long"),
        (EXAMPLE.replace("{3,", "{5,"), "icons for 4 of 5 players"),
        (EXAMPLE.replace("{3,", "{9,"), "players must be 2 to 8, not 9"),
        (EXAMPLE.replace("9,", "0,"), "target must be at least 1, not 0"),
        (EXAMPLE.replace("4 ->", "5 ->"), "icons must be numbered 1, 2, 3"),
    ],
    "sequence": [
        ("0-3-60 4x8x", "line 1: '0-3-60 4x8x' is not a sequence"),
        ("0-1\n0-0", "line 2: move 2: cell 0 is taken"),
        ("0x3-60", "is not a sequence"),
        ("4^3 0-3", "the game is 4^3, not 3^2", "3^2"),
        ("0^3 0-3", "line 1: "),
        ("1234567890-3", "move 1: '1234567890' is not a cell number"),
    ],
}
"""By notation a text, part of what is said of it, and the game asked for, if there is one."""


@pytest.mark.parametrize(
    ("name", "case"), [(name, case) for name, cases in REFUSED.items() for case in cases]
)
def test_what_is_refused(name: str, case: tuple[str, ...]) -> None:
    text, message, *asked = case
    game = [*asked, "3^2" if name == "sgf" else None][0]
    assert message in message_of(NotationError, read, text, name, game=game)


@pytest.mark.parametrize(
    ("name", "record", "message"),
    [
        ("columns", Record(Game("3^2"), (4,)), "needs gravity and no blocked cells"),
        ("columns", Record(Game("3^2:gravity,blocked=4"), (0,)), "gravity and no blocked cells"),
        ("columns", Record(Game("3^2:gravity"), (0,), resigned=2), "columns holds no result but"),
        ("psq", Record(Game("15,15,5:misere"), (0,)), "psq holds games such as 15,15,5"),
        ("psq", Record(Game("5,5,5"), (), setup="1" + "." * 24), "psq begins on the empty board"),
        ("psq", Record(Game("5,5,5"), (0,), resigned=1), "no result but that of the moves"),
        ("tesseract", Record(Game("3^4:target=9")), "a tesseract string holds games such as"),
        ("tesseract", Record(Game(f"{TESSERACT},misere")), "holds games such as"),
        ("tesseract", Record(Game("3^3")), "holds games such as"),
        ("tesseract", Record(TESSERACT, (), f"12{'.' * 38}#{'.' * 40}"), "holds no setup"),
        (
            "tesseract",
            Record(TESSERACT, resigned=1),
            "string holds no result but that of the moves",
        ),
        ("sgf", Record(Game("3^3")), "planar boards only, not 3^3"),
        ("sgf", Record(Game("4^3"), (4,)), "planar boards only, not 4^3"),
        ("sgf", Record(Game("4{0+1}")), "planar boards only"),
        ("sgf", Record(Game("3^2:players=3")), "for two players, not for 3"),
        ("sgf", Record(Game("53,1,3")), "up to 52 x 52, not 53 x 1"),
        ("sequence", Record(Game("3^2"), (1,), "1...2...."), "no setup"),
        ("sequence", Record(Game("3^2"), (1,), resigned=2), "no result"),
    ],
)
def test_what_a_notation_does_not_hold(name: str, record: Record, message: str) -> None:
    assert message in message_of(NotationError, write, [record], name)
