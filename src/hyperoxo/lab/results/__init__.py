"""The result store: every row of games that was played, with all that it depends on."""

from hyperoxo.lab.requests import RunInfo
from hyperoxo.lab.results.listing import export_rows, result_rows, run_infos
from hyperoxo.lab.results.store import ResultStore, default_path

__all__ = [
    "ResultStore",
    "RunInfo",
    "default_path",
    "export_rows",
    "result_rows",
    "run_infos",
]
