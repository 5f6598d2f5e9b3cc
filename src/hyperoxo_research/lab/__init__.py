"""The atlas of boards, the table of values, and the strength of levels and agents."""
