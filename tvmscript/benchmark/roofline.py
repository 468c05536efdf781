"""A roofline picture: rates of kernels over their operations a byte, under the limits of the machine; SVG."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from tvmscript.benchmark.limits import Limits

_WIDTH, _HEIGHT = 860, 520
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 230, 40, 60
#: height of a line of the legend, and letters that fit in one
_LEGEND_STEP, _LEGEND_LETTERS = 16, 28
_COLOURS: Final = {"tvmscript": "#c0392b", "numpy": "#2471a3", "torch": "#e67e22", "numba": "#27ae60", "tvm": "#7d3c98"}
_STYLE: Final = (
    "text { font: 12px sans-serif } .grid { stroke: #ddd } .roof { stroke: #333; stroke-width: 2; fill: none }"
)


@dataclass(frozen=True)
class Point:
    """A kernel of a library: operations a byte, operations a second."""

    kernel: str
    library: str
    intensity: float
    rate: float


def roofline(points: Sequence[Point], limits: Limits, title: str) -> str:
    """Return the picture of points under the limits."""
    peaks = limits.operations
    intensities = [point.intensity for point in points] + [peak / limits.bytes for peak in peaks.values()]
    rates = [point.rate for point in points] + list(peaks.values())
    x, x_decades = _axis(intensities, _LEFT, _WIDTH - _RIGHT)
    y, y_decades = _axis(rates, _HEIGHT - _BOTTOM, _TOP)
    lines = [_line("grid", [(x(10.0**d), _TOP), (x(10.0**d), _HEIGHT - _BOTTOM)]) for d in x_decades]
    lines += [_line("grid", [(_LEFT, y(10.0**d)), (_WIDTH - _RIGHT, y(10.0**d))]) for d in y_decades]
    labels = [_text(x(10.0**d), _HEIGHT - _BOTTOM + 18, f"{10.0**d:g}", "middle") for d in x_decades]
    labels += [_text(_LEFT - 6, y(10.0**d) + 4, f"{10.0 ** (d - 9):g}", "end") for d in y_decades]
    labels += [
        _text(_LEFT, 24, title),
        _text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 16, "operations a byte", "middle"),
        _text(8, _TOP - 10, "GFLOP/s"),
    ]
    low, high = 10.0 ** x_decades[0], 10.0 ** x_decades[-1]
    for dtype, peak in peaks.items():
        ridge = peak / limits.bytes
        corner = [(low, max(low * limits.bytes, 10.0 ** y_decades[0])), (ridge, peak), (high, peak)]
        lines.append(_line("roof", [(x(a), y(b)) for a, b in corner]))
        labels.append(_text(x(high) - 4, y(peak) - 6, f"{dtype}: {peak / 1e9:.0f} GFLOP/s", "end"))
    labels.append(_text(x(low) + 8, y(10.0 ** y_decades[-1]) + 16, f"copy: {limits.bytes / 1e9:.1f} GB/s"))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}">',
            f'<style>{_STYLE}</style><rect width="100%" height="100%" fill="white"/>',
            *lines,
            *labels,
            *_marks(points, x, y),
            *_legend(points),
            "</svg>",
            "",
        ]
    )


def _axis(values: Sequence[float], begin: float, end: float) -> tuple[Callable[[float], float], list[int]]:
    """Return the place of a value on a logarithmic axis, and the powers of ten that it shows."""
    exponents = [math.log10(value) for value in values if value > 0]
    low, high = math.floor(min(exponents)), math.ceil(max(exponents))
    high = max(high, low + 1)

    def place(value: float) -> float:
        return begin + (math.log10(max(value, 10.0**low)) - low) / (high - low) * (end - begin)

    return place, list(range(low, high + 1))


def _marks(points: Sequence[Point], x: Callable[[float], float], y: Callable[[float], float]) -> list[str]:
    marks: list[str] = []
    numbers: Mapping[str, int] = _numbers(points)
    for point in points:
        colour = _COLOURS.get(point.library, "#555")
        text = (
            f"{point.kernel}, {point.library}: {point.rate / 1e9:.2f} GFLOP/s, {point.intensity:.3g} operations a byte"
        )
        across, up = x(point.intensity), y(point.rate)
        marks.append(
            f'<circle cx="{across:.1f}" cy="{up:.1f}" r="5" fill="{colour}" fill-opacity="0.8">'
            f"<title>{escape(text)}</title></circle>"
        )
        marks.append(_text(across + 7, up + 4, str(numbers[point.kernel])))
    return marks


def _legend(points: Sequence[Point]) -> list[str]:
    left, top = _WIDTH - _RIGHT + 14, _TOP + 6
    lines: list[str] = []
    for library in dict.fromkeys(point.library for point in points):
        lines.append(f'<circle cx="{left + 5}" cy="{top - 4}" r="5" fill="{_COLOURS.get(library, "#555")}"/>')
        lines.append(_text(left + 16, top, library))
        top += 18
    top += 8
    names = [f"{number}  {kernel}" for kernel, number in _numbers(points).items()]
    room = (_HEIGHT - top) // _LEGEND_STEP
    if len(names) > room:
        names[room - 1 :] = [f"and {len(names) - room + 1} others"]
    for name in names:
        is_long = len(name) > _LEGEND_LETTERS
        lines.append(_text(left, top, f"{name[:_LEGEND_LETTERS]}\N{HORIZONTAL ELLIPSIS}" if is_long else name))
        top += _LEGEND_STEP
    return lines


def _numbers(points: Sequence[Point]) -> dict[str, int]:
    return {kernel: number for number, kernel in enumerate(dict.fromkeys(point.kernel for point in points), 1)}


def _line(kind: str, places: Sequence[tuple[float, float]]) -> str:
    path = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
    return f'<polyline class="{kind}" points="{path}"/>'


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
