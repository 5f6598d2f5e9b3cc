"""Draws: full boards, fillings, regions, and key plans that keep a player from any line."""
