"""Measures of speed, beside other programs if asked."""
