"""The pages of the web application; everything is served from here."""

from hyperoxo.web.pages import mount

__all__ = ["mount"]
