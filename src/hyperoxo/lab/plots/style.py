"""One style for all figures, and files that are the same for the same figure.

Colours are those of Okabe and Ito, which people with any kind of colour vision tell apart, and
`cividis` where a colour stands for a number.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from hyperoxo.errors import MissingExtraError, SpecError
from hyperoxo.files import atomic, by_suffix

if TYPE_CHECKING:
    import matplotlib.figure
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

Result = TypeVar("Result")
Figure: TypeAlias = "matplotlib.figure.Figure"

COLOURS = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "red": "#D55E00",
    "purple": "#CC79A7",
    "sky": "#56B4E9",
    "yellow": "#F0E442",
    "grey": "#6D6F73",
}
"""The colours by name, in the order in which they are used."""

MAP = "cividis"
"""The scale of colours for numbers."""

_METADATA: dict[str, dict[str, Any]] = {
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
    ".png": {"Software": None},
}
_STYLE: Any = {
    "svg.hashsalt": "hyperoxo",  # ids are random without it
    "svg.fonttype": "path",  # text looks the same where the font is missing
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#d8d8d4",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "figure.dpi": 120,
    "savefig.dpi": 150,
    "image.cmap": MAP,
}


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the style of this package; as ``@styled()`` also for a whole function."""
    try:
        import matplotlib as mpl
    except ImportError:
        raise MissingExtraError("plot", "drawing figures") from None
    with mpl.rc_context(_STYLE):
        yield


def points_map() -> Colormap:
    """Return a scale of colours for points: one hue below 50 %, another above, paper between."""
    from matplotlib.colors import LinearSegmentedColormap

    ends = (COLOURS["red"], "#fbf9f3", COLOURS["blue"])
    return LinearSegmentedColormap.from_list("points", ends)


def empty_figure(width: float, height: float) -> Figure:
    """Return a figure of this size in inches, without axes; call it in `styled`."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def new_figure(width: float = 6.0, height: float = 3.6) -> tuple[Figure, Axes]:
    """Return an empty figure with one pair of axes; call it in `styled`."""
    figure = empty_figure(width, height)
    return figure, figure.add_subplot()


def check_drawing() -> None:
    """Refuse figures where matplotlib is not installed."""
    with styled():
        pass


def check_figure(path: Path) -> None:
    """Refuse file names that `save` could not write."""
    by_suffix(path, _METADATA)
    if not path.parent.is_dir():
        raise SpecError(f"there is no folder {path.parent} for {path.name}")
    check_drawing()


def save(figure: Figure, path: str | Path) -> None:
    """Write a figure to a file, which appears under its name once it is complete."""
    path = Path(path)
    check_figure(path)
    with styled(), atomic(path) as beside:
        figure.savefig(beside, format=path.suffix[1:], metadata=by_suffix(path, _METADATA))


def figure_svg(draw: Callable[[Result], Figure], result: Result) -> str | None:
    """Draw a result as SVG for a notebook; None where matplotlib is missing, or nothing fits."""
    try:
        return svg_text(draw(result))
    except (MissingExtraError, SpecError):
        return None


def svg_text(figure: Figure) -> str:
    """Return a figure as SVG for embedding in a page."""
    stream = io.StringIO()
    with styled():
        figure.savefig(stream, format="svg", metadata=_METADATA[".svg"])
    text = stream.getvalue()
    return text[text.index("<svg") :]
