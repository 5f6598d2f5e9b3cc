"""The tree of a proof, node by node: what it plays, what may be replied, and how much follows."""

from hyperoxo.play.explorer.explorer import (
    Explorer,
    Graph,
    Size,
    edges_from,
    plain_edges,
    refused,
)
from hyperoxo.play.explorer.readers import read_any

__all__ = ["Explorer", "Graph", "Size", "edges_from", "plain_edges", "read_any", "refused"]
