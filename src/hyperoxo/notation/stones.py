"""Stones by shape, and what they are called."""

ICONS = ("X", "O", "△", "□", "◇", "⬠", "⬡", "☆")
"""Stones of players 1 to 8."""

NAMES = dict(
    zip(
        ICONS,
        ("Cross", "Ring", "Triangle", "Square", "Diamond", "Pentagon", "Hexagon", "Star"),
        strict=True,
    )
)
