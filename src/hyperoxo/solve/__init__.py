"""Exact answers: games enumerated and counted, positions valued.

Results are plain values; nothing here knows how they are shown or who asked.
"""
