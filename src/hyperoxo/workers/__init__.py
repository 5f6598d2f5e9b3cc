"""Where work runs: in this thread, pools of threads or processes, or on a cluster."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
