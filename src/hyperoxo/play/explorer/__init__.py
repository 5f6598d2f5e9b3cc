"""Explorer of proof trees, node by node: answer, replies, subtree sizes."""

from hyperoxo.play.explorer.explorer import Explorer, edges_from, plain_edges, refused

__all__ = ["Explorer", "edges_from", "plain_edges", "refused"]
