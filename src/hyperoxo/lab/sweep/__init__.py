"""Sweeps: results of an agent as a function of its parameters."""

from hyperoxo.lab.sweep.curve import Curve, Fit, fit_polynomial, fit_spline
from hyperoxo.lab.sweep.sweeping import Point, SweepResult, sweep

__all__ = ["Curve", "Fit", "Point", "SweepResult", "fit_polynomial", "fit_spline", "sweep"]
