"""Small boards and trees of them as SVG."""
