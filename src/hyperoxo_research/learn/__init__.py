"""Datasets with exact values, and least errors of line tables."""
