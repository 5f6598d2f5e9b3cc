"""Applications: boards drawn as text, and play in the terminal."""

from hyperoxo.app.draw import draw_board
from hyperoxo.app.look import Look

__all__ = ["Look", "draw_board"]
