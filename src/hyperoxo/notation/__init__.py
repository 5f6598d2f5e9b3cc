"""Text forms of positions and games; each reads back exactly what it wrote."""
