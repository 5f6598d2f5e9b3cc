"""Runs of the laboratory on the server: started, watched, stopped and resumed.

`checks` validates requests; `process` plays and reads in worker processes, with `views` and
`reports`; `laboratory` manages the processes and is the interface of all of it.
"""

from hyperoxo_web.server.lab.laboratory import Laboratory

__all__ = ["Laboratory"]
