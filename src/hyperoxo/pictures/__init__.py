"""Positions and games as pictures: SVG, PNG and animated GIF from one geometry."""

from hyperoxo.pictures.picture import KINDS, drawn, picture
from hyperoxo.pictures.words import described, standing

__all__ = ["KINDS", "described", "drawn", "picture", "standing"]
