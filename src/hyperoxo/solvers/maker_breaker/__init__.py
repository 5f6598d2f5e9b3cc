"""Maker-Breaker and Avoider-Enforcer games with any bias: search, bounds and plans.

Theory: P. Erdős and J. Selfridge 1973; J. Beck 1982 and 2008. Read `search`, `bounds`, `plans`.
"""
