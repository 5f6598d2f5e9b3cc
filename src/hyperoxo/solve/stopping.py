"""Running compiled loops so that Ctrl-C and clocks can end them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

__all__ = ["run_stoppable"]


def run_stoppable(work: Callable[[], object], stop: NDArray[np.int64]) -> bool:
    """Run compiled `work` in a thread, and set its stop flag on Ctrl-C.

    The interpreter cannot interrupt a compiled loop, but it can wait beside one that has
    let go of its lock.

    Parameters
    ----------
    work : callable
        Calls a kernel that looks at `stop` now and then.
    stop : ndarray of int64, shape ``[1]``
        The flag.

    Returns
    -------
    bool
        Whether the work came to its own end.

    Examples
    --------
    >>> run_stoppable(lambda: None, np.zeros(1, dtype=np.int64))
    True
    """
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        try:
            future.result()
        except KeyboardInterrupt:
            stop[0] = 1
            return False
    return True
