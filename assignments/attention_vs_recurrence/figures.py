"""Draws the figures of experiment.py; nothing in here computes. You need not read it."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Line = list[tuple[float, float]]  # of points

# Colours that differ in lightness too, and are told apart without red and green (Okabe and Ito);
# every line has a dash and a marker of its own besides.
STYLES = {
    "attention": {"color": "#0072B2", "linestyle": "-", "marker": "o"},
    "RNN": {"color": "#D55E00", "linestyle": "--", "marker": "s"},
    "LSTM, forget bias 0": {"color": "#CC79A7", "linestyle": ":", "marker": "^"},
    "LSTM, forget bias 3": {"color": "#009E73", "linestyle": "-.", "marker": "v"},
    "without scaling": {"color": "#D55E00", "linestyle": "--", "marker": "s"},
    "scaled by 1/√d_k": {"color": "#0072B2", "linestyle": "-", "marker": "o"},
}
LINE_OF_TEXT, HEIGHT = 148, 4.4  # characters at the width of a figure; inches without caption


class NoMatplotlib(Exception):
    """What to do where nothing can be drawn."""


@dataclass
class Panel:
    """One set of axes: lines by their name in STYLES, each of (x, y) points.

    Args:
        others: further draws of a line, drawn thin and without a name.
        guides: vertical lines, by what they mark.
    """

    title: str
    x_label: str
    y_label: str
    lines: dict[str, Line]
    logarithmic: tuple[bool, bool] = (False, False)
    others: dict[str, list[Line]] = field(default_factory=dict)
    guides: dict[str, float] = field(default_factory=dict)


@dataclass
class Picture:
    """What a PNG holds: its panels from left to right, and the caption beneath them."""

    file: str
    title: str
    panels: list[Panel]
    caption: str
    one_scale: bool = False  # the panels share their vertical axis

    @property
    def text(self) -> str:
        """The caption in lines, as it stands in the figure; no line ends before an equals sign."""
        kept_together = self.caption.replace(" = ", "\u00a0=\u00a0")
        return textwrap.fill(kept_together, LINE_OF_TEXT).replace("\u00a0", " ")


def draw(picture: Picture, folder: Path) -> Path:
    """Write the picture as a PNG; its title and caption are in the file's text as well.

    Raises:
        NoMatplotlib: it is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise NoMatplotlib(
            "The figures are drawn by matplotlib, which is not installed here. "
            "Run `python -m pip install matplotlib`, then `python experiment.py` again. "
            "The steps and their checks do without it."
        ) from None
    beneath = 0.2 + 0.17 * (picture.text.count("\n") + 1)  # inches
    part = beneath / (HEIGHT + beneath)
    figure = Figure(figsize=(10, HEIGHT + beneath), dpi=120, layout="constrained")
    figure.get_layout_engine().set(rect=(0, part, 1, 1 - part))
    figure.suptitle(picture.title)
    columns = len(picture.panels)
    axes = figure.subplots(1, columns, squeeze=False, sharey=picture.one_scale)[0]
    for one, panel in zip(axes, picture.panels, strict=True):
        _draw_panel(one, panel)
    figure.text(0.012, 0.015, picture.text, fontsize=9, verticalalignment="bottom")
    path = folder / picture.file
    words = {"Title": picture.title, "Description": picture.caption, "Software": None}
    figure.savefig(path, metadata=words)
    return path


def _draw_panel(axes: Any, panel: Panel) -> None:
    for name, points in panel.lines.items():
        style = STYLES[name]
        axes.plot(*zip(*points, strict=True), label=name, markersize=4, linewidth=1.6, **style)
        for other in panel.others.get(name, []):
            thin = style | {"marker": ""}
            axes.plot(*zip(*other, strict=True), linewidth=0.7, alpha=0.7, **thin)
    for name, at in panel.guides.items():
        axes.axvline(at, color="0.45", linewidth=0.8)
        place = axes.get_xaxis_transform()
        axes.text(at, 0.02, f" {name}", transform=place, fontsize=9, rotation=90)
    _scale(axes, panel)
    axes.set(title=panel.title, xlabel=panel.x_label, ylabel=panel.y_label)
    axes.grid(color="0.9")
    axes.legend(frameon=False)


def _scale(axes: Any, panel: Panel) -> None:
    """Logarithmic where asked, with the measured values as ticks; from zero where not."""
    x_is_logarithmic, y_is_logarithmic = panel.logarithmic
    if x_is_logarithmic:
        measured = [x for x, _ in next(iter(panel.lines.values()))]
        axes.set_xscale("log", base=2)
        axes.set_xticks(measured, [f"{x:g}" for x in measured], fontsize=8)
    if y_is_logarithmic:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
