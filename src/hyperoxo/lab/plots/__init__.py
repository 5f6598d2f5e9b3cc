"""Figures of measurements: by matplotlib in one style, and in plain text."""
