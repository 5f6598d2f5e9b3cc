"""Playing and looking at games: sessions, analysis, words and pictures, for all front ends."""

from hyperoxo.play.board_style import BoardStyle
from hyperoxo.play.pictures.boards import draw_board

__all__ = ["BoardStyle", "draw_board"]
