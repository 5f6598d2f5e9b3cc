"""Explorer of proof trees, node by node: answer, replies, subtree sizes."""

from hyperoxo.play.explorer.explorer import Explorer, refused

__all__ = ["Explorer", "refused"]
