"""Figures of what was measured: by matplotlib, all in one style, and in plain text."""
