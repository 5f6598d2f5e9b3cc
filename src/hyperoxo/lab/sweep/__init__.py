"""Sweeps: how an agent's results depend on its parameters."""

from hyperoxo.lab.sweep.curve import Curve, Surface, fit_polynomial, fit_spline, fit_surface
from hyperoxo.lab.sweep.sweeping import Point, SweepResult, sweep

__all__ = [
    "Curve",
    "Point",
    "Surface",
    "SweepResult",
    "fit_polynomial",
    "fit_spline",
    "fit_surface",
    "sweep",
]
