"""The `oxo` command: one thin module a command, each loaded only when it is called.

A command reads its arguments, calls one function of another room and prints the answer. Code that
all commands share (options, printing, exit codes) is in `options`, `output` and `main`.
"""
