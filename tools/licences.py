"""The licences of all pinned packages, from their own metadata, into `docs/licences.csv`.

Run it after ``make pins`` (needs uv): ``python tools/licences.py``. Packages are unpacked into a
folder that is removed afterwards; nothing is installed.
"""

from __future__ import annotations

import csv
import importlib.metadata
import os
import re
import subprocess
import tempfile
from pathlib import Path

from packaging.markers import Marker

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "docs" / "licences.csv"
FILES = ("base", "web", "cluster", "test", "docs", "lint", "build")
"""Files of pins, in the order in which they are named."""
SHORT = {"Apache Software License": "Apache-2.0", "BSD License": "BSD", "MIT License": "MIT"}
LINUX = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")

Pins = dict[tuple[str, str], list[str]]


def pins() -> Pins:
    """Return every pinned package on Linux, as name and version, with the files that pin it."""
    found: Pins = {}
    for name in FILES:
        for line in (ROOT / "requirements" / f"{name}.txt").read_text("utf-8").splitlines():
            pin = re.match(r"([\w.-]+)(?:\[.*\])?==([^ ;]+)(?: ; ([^\\]+))?", line)
            if pin is not None and _applies(pin[3]):
                found.setdefault((pin[1], pin[2]), []).append(name)
    return dict(sorted(found.items()))


def _applies(marker: str | None) -> bool:
    if marker is None:
        return True
    return any(
        Marker(marker.strip()).evaluate(
            LINUX | {"python_version": one, "python_full_version": f"{one}.0"}
        )
        for one in PYTHONS
    )


def licence(package: importlib.metadata.Distribution) -> str:
    """Return what the metadata of a package say of its licence, or else how its text begins."""
    metadata = package.metadata
    expression = metadata["License-Expression"]
    if expression:
        return str(expression)
    start = "License :: OSI Approved :: "
    classes = [one for one in metadata.get_all("Classifier") or [] if one.startswith(start)]
    if classes:
        return " or ".join(SHORT.get(one, one) for one in (c.removeprefix(start) for c in classes))
    text = str(metadata["License"] or "").strip()
    for name in metadata.get_all("License-File") or []:
        text = text or (package.read_text(f"licenses/{name}") or "").strip()
    return text.partition("\n")[0][:60].removesuffix(" License")


def main() -> None:
    """Unpack all packages, read their metadata and write the table."""
    found = pins()
    uv = os.environ.get("UV", "uv")
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "pins.txt"
        listed.write_text("".join(f"{name}=={version}\n" for name, version in found), "utf-8")
        target = Path(folder) / "packages"
        words = [uv, "pip", "install", "--quiet", "--no-config", "--no-deps", "--target"]
        subprocess.run([*words, str(target), "-r", str(listed)], check=True)
        read = {
            re.sub(r"[-_.]+", "-", one.metadata["Name"]).lower(): one
            for one in importlib.metadata.distributions(path=[str(target)])
        }
        rows = [
            [name, version, licence(read[name]), " ".join(files)]
            for (name, version), files in found.items()
        ]
    with TABLE.open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerows([["package", "version", "licence", "pinned for"], *rows])


if __name__ == "__main__":
    main()
