"""The pages of the web application, on NiceGUI; everything is served from here."""

from hyperoxo.web.pages import mount

__all__ = ["mount"]
