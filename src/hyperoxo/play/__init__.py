"""Playing and looking at games: sessions, analysis, words and pictures, for all front ends."""

from hyperoxo.play.look import Look
from hyperoxo.play.pictures.boards import draw_board

__all__ = ["Look", "draw_board"]
