"""Where work runs: in this thread, pools of threads or processes, or on a cluster."""

from hyperoxo.workers.cluster import Cancelled, ClusterExecutor
from hyperoxo.workers.pools import Call, InlineExecutor, Workers, share_out

__all__ = ["Call", "Cancelled", "ClusterExecutor", "InlineExecutor", "Workers", "share_out"]
