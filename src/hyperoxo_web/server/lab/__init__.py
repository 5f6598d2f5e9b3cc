"""Runs of the laboratory on the server: started, watched, stopped and resumed.

`checks` says what may be asked for; `process` plays and reads in processes of its own, with
`views` and `reports`; `laboratory` holds the processes and is all of it together.
"""

from hyperoxo_web.server.lab.laboratory import Laboratory

__all__ = ["Laboratory"]
