"""Coalitions: what one player can force against all the others."""
