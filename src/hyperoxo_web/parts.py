"""The command of the web application, as the core finds it."""

COMMANDS = {"serve": ("Play", "Serve the web application.", "hyperoxo_web.cli.serve")}
"""The heading, the line and the module of each command."""
