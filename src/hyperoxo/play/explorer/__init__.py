"""Explorer of proof trees, node by node: answer, replies, subtree sizes."""

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
