"""Draws: pairings, mirroring and potentials."""
