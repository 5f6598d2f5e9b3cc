"""Where work runs: in this thread, pools of threads or processes, or on a cluster."""

from hyperoxo.workers.cluster import ClusterExecutor, given_up
from hyperoxo.workers.pools import Call, InlineExecutor, Workers, share_out

__all__ = ["Call", "ClusterExecutor", "InlineExecutor", "Workers", "given_up", "share_out"]
