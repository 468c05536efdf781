"""The page of `tvmscript report`: a model's graph, the time and bytes of its kernels, roofline, memory over time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from tvmscript.benchmark.limits import Limits
from tvmscript.benchmark.model_profile import Call, ModelProfile
from tvmscript.benchmark.roofline import Point, roofline
from tvmscript.ir.analysis.cost.op_count import Work

_ROW: Final = 22
_ARCS: Final = 140
_WIDTH: Final = 1100
#: pixels of the height of the memory plan
_MEMORY_HEIGHT: Final = 320
_STYLE: Final = """
body { font: 14px sans-serif; margin: 24px auto; max-width: 1140px; padding: 0 16px; color: #222 }
div { overflow-x: auto }
h2 { margin: 32px 0 8px } table { border-collapse: collapse } th { text-align: left; font-weight: 600 }
th, td { padding: 2px 12px 2px 0; white-space: nowrap }
td.number { text-align: right; font-variant-numeric: tabular-nums }
.bar { fill: #2471a3 } .arc { fill: none; stroke: #999 } .arc:hover { stroke: #c0392b; stroke-width: 2 }
.block { fill: #7fb3d5; stroke: white } .block:hover { fill: #c0392b } .row:hover { fill: #c0392b }
svg text { font: 12px sans-serif } .note { color: #666 }
"""


@dataclass(frozen=True)
class Row:
    """All calls of one kernel."""

    name: str
    result: str
    count: int
    seconds: float
    work: Work

    @property
    def intensity(self) -> float:
        """Operations a byte."""
        return self.work.operations / max(self.work.bytes, 1)


def rows_of(calls: Iterable[Call]) -> list[Row]:
    """Return the kernels, the one that takes longest first."""
    groups: dict[tuple[str, str], list[Call]] = {}
    for call in calls:
        groups.setdefault((call.name, call.result), []).append(call)
    rows = [
        Row(
            name,
            result,
            len(group),
            sum(call.seconds for call in group),
            Work(sum(call.work.operations for call in group), sum(call.work.bytes for call in group)),
        )
        for (name, result), group in groups.items()
    ]
    return sorted(rows, key=lambda row: -row.seconds)


def model_page(profile: ModelProfile, limits: Limits, title: str, facts: Mapping[str, str]) -> str:
    """Return the page, one file without references to others. `facts` are shown at its top, besides the profile's."""
    rows = rows_of(profile.calls)
    points = [
        Point(row.name, "tvmscript", row.intensity, row.work.operations / row.seconds)
        for row in rows
        if row.work.operations and row.work.bytes and row.seconds
    ]
    sections = [
        ("Summary", _table([], [(name, value) for name, value in {**facts, **_summary(profile, limits)}.items()])),
        ("Kernels", _kernels(rows, limits)),
        ("Roofline", roofline(points, limits, title) if points else _note("no kernel does arithmetic")),
        ("Graph", _graph(profile.calls)),
        ("Memory", _memory(profile)),
    ]
    body = "\n".join(f"<h2>{heading}</h2>\n<div>{text}</div>" for heading, text in sections)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n"
        f"<body><h1>{escape(title)}</h1>\n{body}\n</body></html>\n"
    )


def _summary(profile: ModelProfile, limits: Limits) -> dict[str, str]:
    """Return what is said about the whole model."""
    work, count = profile.work, len(profile.calls)
    kernels = _milliseconds(sum(call.seconds for call in profile.calls))
    least = sum(limits.seconds("float32", call.work.operations, call.work.bytes) for call in profile.calls)
    facts = {
        "time of a call": f"{_milliseconds(profile.seconds)}, of its {count} kernels one by one {kernels}",
        "limit of the machine": f"{_milliseconds(least)} for kernels whose data no cache has",
        "operations": f"{work.operations / 1e9:.3f} G, {work.operations / profile.seconds / 1e9:.1f} GFLOP/s",
        "bytes that kernels take": f"{_bytes(work.bytes)}, {work.bytes / profile.seconds / 1e9:.1f} GB/s",
        "constants": _bytes(profile.constant_bytes),
        "compiled in": f"{profile.build_seconds:.2f} s",
    }
    if profile.reason is not None:
        return {**facts, "main is interpreted": profile.reason}
    ratio = profile.planned_bytes / profile.live_bytes if profile.live_bytes else 1.0
    facts["memory between kernels"] = f"{_bytes(profile.planned_bytes)}, {ratio:.3f} of the most that lives at a time"
    return facts


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.3f} ms"


def _bytes(count: int) -> str:
    for limit, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= limit:
            return f"{count / limit:.2f} {unit}"
    return f"{count} bytes"


def _kernels(rows: Sequence[Row], limits: Limits) -> str:
    total = sum(row.seconds for row in rows) or 1.0
    heads = ["kernel", "result", "calls", "time", "of all", "", "GFLOP/s", "GB/s", "of the limit"]
    lines: list[Sequence[str]] = []
    for row in rows:
        seconds = max(row.seconds, 1e-12)
        least = limits.seconds("float32", row.work.operations, row.work.bytes)
        lines.append(
            [
                escape(row.name),
                escape(row.result),
                str(row.count),
                _milliseconds(row.seconds),
                f"{row.seconds / total:.1%}",
                _bar(row.seconds / total),
                f"{row.work.operations / seconds / 1e9:.1f}",
                f"{row.work.bytes / seconds / 1e9:.1f}",
                f"{least / seconds:.2f}",
            ]
        )
    return _table(heads, lines)


def _bar(share: float) -> str:
    return f'<svg width="120" height="10"><rect class="bar" width="{share * 120:.1f}" height="10"/></svg>'


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; with heads, cells that are numbers stand at the right."""
    head = "".join(f"<th>{name}</th>" for name in heads)
    lines = ["".join(_cell(cell, bool(heads)) for cell in row) for row in rows]
    body = "\n".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table>{f'<tr>{head}</tr>' if heads else ''}\n{body}</table>"


def _cell(text: str, has_heads: bool) -> str:
    is_number = has_heads and text[:1].isdigit() and " " not in text[:-3]
    return f'<td class="number">{text}</td>' if is_number else f"<td>{text}</td>"


def _note(text: str) -> str:
    return f'<p class="note">{escape(text)}</p>'


def _graph(calls: Sequence[Call]) -> str:
    """Return a picture of the calls in order, one a line, with arcs from those whose results a call takes."""
    longest = max((call.seconds for call in calls), default=0.0) or 1.0
    parts: list[str] = []
    for number, call in enumerate(calls):
        middle = number * _ROW + _ROW // 2
        for source in call.sources:
            begin = source * _ROW + _ROW // 2
            reach = min(12 + 4 * (number - source), _ARCS - 10)
            path = f"M {_ARCS} {begin} C {_ARCS - reach} {begin}, {_ARCS - reach} {middle}, {_ARCS} {middle}"
            title = f"{escape(calls[source].name)} to {escape(call.name)}"
            parts.append(f'<path class="arc" d="{path}"><title>{title}</title></path>')
        width = call.seconds / longest * 160
        parts.append(f'<rect class="bar" x="{_ARCS + 6}" y="{middle - 6}" width="{width:.1f}" height="12"/>')
        label = f"{number}  {call.name}  {call.result}"
        tip = f"{_milliseconds(call.seconds)}, {call.work.operations} operations, {call.work.bytes} bytes"
        parts.append(
            f'<text class="row" x="{_ARCS + 174}" y="{middle + 4}">{escape(label)}<title>{escape(tip)}</title></text>'
        )
    picture = f'<svg width="{_WIDTH}" height="{max(len(calls), 1) * _ROW}">{"".join(parts)}</svg>'
    return _note("kernels in the order of their calls; bars are times, arcs lead to where a result is used") + picture


def _memory(profile: ModelProfile) -> str:
    """Return a picture of the planned memory: calls from left to right, addresses upwards."""
    if profile.reason is not None:
        return _note(f"the function is interpreted, and allocates each tensor: {profile.reason}")
    if not profile.temporaries:
        return _note("no tensor lives between kernels")
    step = (_WIDTH - 80) / max(len(profile.calls), 1)
    scale = _MEMORY_HEIGHT / profile.planned_bytes
    parts = [f'<text x="0" y="12">{_bytes(profile.planned_bytes)}</text>']
    for temporary in profile.temporaries:
        first, last = temporary.lifetime.first, temporary.lifetime.last
        top = _MEMORY_HEIGHT - (temporary.offset + temporary.bytes) * scale
        tip = (
            f"{temporary.bytes} bytes at {temporary.offset}, from {profile.calls[first].name} ({first}) to call {last}"
        )
        parts.append(
            f'<rect class="block" x="{80 + first * step:.1f}" y="{top:.1f}" width="{(last - first + 1) * step:.1f}" '
            f'height="{max(temporary.bytes * scale, 1):.1f}"><title>{escape(tip)}</title></rect>'
        )
    parts.append(f'<text x="80" y="{_MEMORY_HEIGHT + 18}">calls 0 to {len(profile.calls) - 1}</text>')
    return f'<svg width="{_WIDTH}" height="{_MEMORY_HEIGHT + 24}">{"".join(parts)}</svg>'
