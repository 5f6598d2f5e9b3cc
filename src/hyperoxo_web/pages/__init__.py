"""The pages of the web application; everything is served from here."""

from hyperoxo_web.pages.pages import mount

__all__ = ["mount"]
