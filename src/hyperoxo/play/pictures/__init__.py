"""Pictures of boards, positions, threats and trees, as text and SVG."""
