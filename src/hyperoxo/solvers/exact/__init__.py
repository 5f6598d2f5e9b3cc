"""Exact values: alpha-beta to the end of the game, max^n, and counts of move sequences."""
