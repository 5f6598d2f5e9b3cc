"""Coalitions: one player against all the others together."""
