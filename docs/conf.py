"""How Sphinx builds the documentation."""

import sys
from pathlib import Path

from hyperoxo import __version__

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "hyperoxo"
author = "The hyperoxo developers"
copyright = "2026, The hyperoxo developers"
release = __version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "studies",  # docs/_ext/studies.py
    "documents",  # docs/_ext/documents.py
    "known",  # docs/_ext/known.py
    "figures",  # docs/_ext/figures.py
    "results",  # docs/_ext/results.py
    "notebooks",  # docs/_ext/notebooks.py
    "reference",  # docs/_ext/reference.py
]
exclude_patterns = [
    "_build",
    "_templates",
    "_documents",
    "_known",
    "_figures",
    "_reference",
    "_studies/*/report.md",
]
templates_path = ["_templates"]
html_theme = "furo"
html_title = f"hyperoxo {release}"

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

# Notebooks are executed anew, and the build fails where one of them does. Kernels may be compiled.
nb_execution_mode = "force"
nb_execution_timeout = 600
nb_execution_raise_on_error = True
nb_execution_show_tb = True

autosummary_generate = True
# `Agent` and `agent` would share a file where names ignore case.
autosummary_filename_map = {"hyperoxo.agent": "hyperoxo.agent-function"}
autodoc_typehints = "none"
# The pages are built without the libraries that environments are made for.
autodoc_mock_imports = ["gymnasium", "jax", "open_spiel", "pettingzoo", "pyspiel"]
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
default_role = "code"
