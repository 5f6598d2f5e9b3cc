"""The workers of a Dask cluster as an executor."""

from __future__ import annotations

import asyncio
import logging
import sys
import time
import warnings
from collections.abc import Callable
from concurrent.futures import Executor, Future
from importlib.metadata import version
from typing import Any

from hyperoxo.errors import CheckFailedError, MissingExtraError, quoted

_CONNECT_SECONDS = 10.0
_LOOK_SECONDS = 2.0
_VERSION = version("hyperoxo")


class ClusterExecutor(Executor):
    """Executor on a Dask cluster; as a context manager, disconnects on exit.

    Calls lost with a worker are run by another one. Workers may come and go at any time.

    Parameters
    ----------
    address : str
        Address of the scheduler, such as ``"tcp://host:8786"``.
    seconds : float
        How long to wait for the scheduler, and for a first worker.

    Raises
    ------
    MissingExtraError
        If the extra ``cluster`` is not installed.
    CheckFailedError
        If there is no scheduler, it has no workers, or they do not have this version of hyperoxo.

    Examples
    --------
    >>> ClusterExecutor("nowhere", seconds=1)
    Traceback (most recent call last):
    ...
    hyperoxo.errors.CheckFailedError: there is no scheduler of a cluster at 'nowhere'
    """

    def __init__(self, address: str, *, seconds: float = _CONNECT_SECONDS) -> None:
        try:
            import distributed as dask
        except ImportError:
            raise MissingExtraError("cluster", "work on a cluster") from None
        from distributed.versions import VersionMismatchWarning

        # Its functions carry no types.
        connect: Any = dask.Client
        # The errors below say in one line what went wrong. Parts of Dask have their own levels.
        for name in [*logging.root.manager.loggerDict]:
            if name.split(".")[0] in ("distributed", "tornado"):
                logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        self.address = address
        self.lost: tuple[type[BaseException], ...] = (dask.KilledWorker,)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", VersionMismatchWarning)
            try:
                # A client that found no scheduler would keep trying, and complain when deleted.
                asyncio.run(_knock(address, seconds))
                self._client = connect(address, set_as_default=False, timeout=seconds)
            except (OSError, ValueError, TypeError):
                raise CheckFailedError(
                    f"there is no scheduler of a cluster at {quoted(address)}"
                ) from None
        try:
            self._greet(seconds)
        except BaseException:
            self._client.close()
            raise
        # Equal calls are different games where seconds decide, so each has its own key.
        self._executor = self._client.get_executor(pure=False)
        self._looked = -_LOOK_SECONDS
        self._width = 1

    def _greet(self, seconds: float) -> None:
        """Make sure that there are workers, and that they have the same version."""
        try:
            self._client.wait_for_workers(1, timeout=seconds)
        except TimeoutError:
            raise CheckFailedError(f"the cluster at {self.address} has no workers") from None
        # `version` is of the standard library: a worker without hyperoxo can call it as well.
        found = self._client.run(version, "hyperoxo", on_error="return")
        other = {v if isinstance(v, str) else "none" for v in found.values()} - {_VERSION}
        if other:
            raise CheckFailedError(
                f"workers of the cluster at {self.address} have another version of hyperoxo: "
                f"{', '.join(sorted(other))}, not {_VERSION}"
            )

    @property
    def width(self) -> int:
        """Number of calls that run in parallel: the threads of all workers."""
        now = time.monotonic()
        if now - self._looked >= _LOOK_SECONDS:
            self._looked = now
            try:
                self._width = max(1, sum(self._client.nthreads().values()))
            except OSError:
                raise self._gone() from None
        return self._width

    def _gone(self) -> CheckFailedError:
        return CheckFailedError(f"the connection to the scheduler at {self.address} was lost")

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Let a worker call the function.

        Parameters
        ----------
        fn : callable
            A function that workers can import.
        *args, **kwargs
            What it is called with.

        Returns
        -------
        concurrent.futures.Future
            Its result, once it is there.

        Raises
        ------
        CheckFailedError
            If the scheduler cannot be reached.
        """
        if self._client.status != "running":
            raise self._gone()
        future: Future[Any] = self._executor.submit(_same_version, _VERSION, fn, args, kwargs)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster, which keeps running.

        Parameters
        ----------
        wait : bool, default True
            Whether to wait for calls that are under way.
        cancel_futures : bool, default False
            Whether to cancel calls that have not begun.
        """
        gone = self._client.status != "running"
        if not gone:
            self._executor.shutdown(wait=wait and not cancel_futures)
        self._client.close(timeout=1 if gone else 10)


async def _knock(address: str, seconds: float) -> None:
    """Connect to a scheduler and leave."""
    import distributed.comm
    from distributed import Security

    security: Any = Security
    settings = security().get_connection_args("client")
    found: Any = distributed.comm
    comm = await found.connect(address, timeout=seconds, **settings)
    comm.abort()


class Cancelled:
    """Stop signal of a long call on a cluster, which can cancel calls but not interrupt them."""

    def is_set(self) -> bool:
        """Return True if this thread runs a call on a cluster that has been cancelled."""
        if "distributed.worker" not in sys.modules:
            return False
        worker: Any = sys.modules["distributed.worker"]
        key = getattr(worker.thread_state, "key", None)
        if key is None:
            return False
        task = worker.get_worker().state.tasks.get(key)
        return task is None or task.state in {"cancelled", "released"}


def _same_version(
    wanted: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call a function on a worker, unless it joined with another version."""
    if wanted != _VERSION:
        raise CheckFailedError(f"a worker of the cluster has hyperoxo {_VERSION}, not {wanted}")
    return function(*args, **kwargs)
