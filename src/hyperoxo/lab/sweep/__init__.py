"""Sweeps: how an agent's results depend on its parameters."""

from hyperoxo.lab.sweep.curve import Curve, fit_polynomial, fit_spline
from hyperoxo.lab.sweep.surface import Surface, fit_surface
from hyperoxo.lab.sweep.sweeping import MEASURES, Point, SweepResult, sweep
from hyperoxo.lab.sweep.values import Variation, read_variation

__all__ = [
    "MEASURES",
    "Curve",
    "Point",
    "Surface",
    "SweepResult",
    "Variation",
    "fit_polynomial",
    "fit_spline",
    "fit_surface",
    "read_variation",
    "sweep",
]
