"""The download link of a page that is a notebook; the notebook itself does not have it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.addnodes import download_reference


def add_download(app: Any, doctree: nodes.document) -> None:
    """Add the link below the title."""
    page = app.env.docname
    source = Path(app.srcdir, f"{page}.md")
    if not source.is_file() or "format_name: myst" not in source.read_text("utf-8")[:200]:
        return
    path = Path(app.env.mystnb_config.output_folder, f"{page}.ipynb")
    link = download_reference("", "", reftarget="/" + os.path.relpath(path, app.srcdir))
    link += nodes.literal("", path.name, classes=["xref", "download", "myst-nb"])
    title = next(doctree.findall(nodes.title))
    title.parent.insert(1, nodes.paragraph("", "", nodes.Text("Download this notebook: "), link))


def setup(app: Any) -> dict[str, bool]:
    """Register the step before Sphinx collects the files to download."""
    app.connect("doctree-read", add_download, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
