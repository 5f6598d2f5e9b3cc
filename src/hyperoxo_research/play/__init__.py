"""Key plans shown in play."""
