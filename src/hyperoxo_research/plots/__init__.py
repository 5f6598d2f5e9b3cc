"""Figures of directions and growth."""
