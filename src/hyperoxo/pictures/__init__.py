"""Positions and games as pictures: SVG, PNG and animated GIF from one geometry."""

from hyperoxo.pictures.alt_text import described, standing
from hyperoxo.pictures.picture import KINDS, drawn, picture

__all__ = ["KINDS", "described", "drawn", "picture", "standing"]
