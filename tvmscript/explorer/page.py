"""Self-contained HTML page of a recording."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from string import Template

from tvmscript.differ.side_by_side import Row
from tvmscript.explorer.stages import Recording, Stage, Text


def page(recording: Recording) -> str:
    """Return the page."""
    parts = files("tvmscript.explorer")
    changed = sum(stage.changed for stage in recording.stages)
    facts = f"{recording.target} · {len(recording.stages)} stages, {changed} that change it"
    return Template((parts / "page.html").read_text("utf-8")).substitute(
        title=escape(recording.title),
        facts=escape(f"{facts} · {recording.seconds * 1000:.1f} ms"),
        style=(parts / "page.css").read_text("utf-8").strip(),
        script=(parts / "page.js").read_text("utf-8").strip(),
        data=_for_html(_data(recording)),
    )


def _data(recording: Recording) -> dict[str, object]:
    numbers: dict[Text, int] = {}
    stages = [_stage(stage, numbers.setdefault(stage.text, len(numbers))) for stage in recording.stages]
    texts = [
        {"language": text.language, "first": text.first_line, "lines": text.lines, "origins": text.origins}
        for text in numbers
    ]
    return {"texts": texts, "stages": stages}


def _stage(stage: Stage, text: int) -> dict[str, object]:
    return {
        "name": stage.name,
        "summary": stage.summary,
        "text": text,
        "seconds": round(stage.seconds, 7),
        "depth": stage.depth,
        "changed": stage.changed,
        "rows": [_row(row) for row in stage.rows] or None,
    }


def _row(row: Row) -> list[object]:
    return [row.kind, row.left, row.right, row.left_marks, row.right_marks]


def _for_html(data: dict[str, object]) -> str:
    """Encode JSON for a script element, with `<` escaped."""
    return (
        json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c").replace("\u2028", "\\u2028")
    )
