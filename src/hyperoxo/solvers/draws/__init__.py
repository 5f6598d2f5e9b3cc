"""Draws: pairings, mirroring, and fillings without lines."""
