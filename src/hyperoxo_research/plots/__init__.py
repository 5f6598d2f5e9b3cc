"""Figures of directions and growth, and maps of optimal moves."""
