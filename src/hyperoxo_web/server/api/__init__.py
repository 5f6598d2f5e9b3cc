"""The HTTP interface of the server; needs the extra ``web``."""

from hyperoxo_web.server.api.application import create_app

__all__ = ["create_app"]
