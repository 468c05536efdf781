"""The HTML index of snapshots: every pass with its time, its file, and its difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from tvmscript.differ import diff
from tvmscript.ir.core import TVMScriptError
from tvmscript.ir.transform.pass_record import PassRecord, PassRun

_STYLE = """
:root { color-scheme: light dark; --soft: #6e7781; --line: #d0d7de; --gone: #ffebe9; --came: #e6ffec; }
@media (prefers-color-scheme: dark) { :root { --soft: #8b949e; --line: #30363d; --gone: #3c1618; --came: #12361f; } }
body { margin: 16px; font: 14px/1.5 system-ui, sans-serif; } h1 { font-size: 16px; }
p, .soft { color: var(--soft); }
details, .same { border-top: 1px solid var(--line); padding: 4px 0 4px calc(var(--depth) * 20px); }
summary { cursor: pointer; } .time { float: right; font-variant-numeric: tabular-nums; }
pre { margin: 4px 0; overflow-x: auto; font: 12px/1.5 ui-monospace, monospace; }
pre span { display: block; } .gone { background: var(--gone); } .came { background: var(--came); }
.place { color: var(--soft); } .failed { background: var(--gone); padding: 4px 8px; }
""".strip()

#: first character of a line of a difference -> CSS class
_CSS_CLASSES = {"-": "gone", "+": "came", "@": "place", "!": "place"}


def render_index(record: PassRecord, files: Mapping[int, str]) -> str:
    """Return the index as a self-contained HTML page with links to `files`, by id of the pass."""
    changed = sum(ran.changed for _, ran in record if not ran.inside)
    facts = f"{len(files)} passes, {changed} of which changed the program, {record.seconds * 1000:.1f} ms"
    rows = "\n".join(_rows(record, files))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>passes</title>\n'
        f'<meta name="viewport" content="width=device-width"><style>\n{_STYLE}\n</style></head><body>\n'
        f'<h1>Passes</h1>\n<p>{facts} · <a href="000_input.py">input program</a></p>\n'
        f"{rows}\n</body></html>\n"
    )


def _rows(record: PassRecord, files: Mapping[int, str]) -> Iterator[str]:
    for depth, ran in record:
        head = _head(ran, files.get(id(ran)))
        style = f'style="--depth: {depth}"'
        if ran.error is not None and not ran.inside:
            yield f"<details open {style}><summary>{head}</summary>{_error(ran.error)}</details>"
        elif ran.changed and not ran.inside:
            yield f"<details {style}><summary>{head}</summary>{_difference(ran)}</details>"
        else:
            yield f'<div class="same" {style}>{head}</div>'


def _head(ran: PassRun, file: str | None) -> str:
    name = escape(ran.info.text or ran.info.name)
    link = f'<a href="{escape(file)}">{name}</a>' if file else name
    status = "failed" if ran.error is not None else "" if ran.changed else "unchanged"
    notes = " · ".join(escape(note) for note in (ran.info.summary, status) if note)
    return f'{link} <span class="soft">{notes}</span> <span class="time soft">{ran.seconds * 1000:.2f} ms</span>'


def _error(error: BaseException) -> str:
    return f'<pre class="failed">{escape(str(error))}</pre>'


def _difference(ran: PassRun) -> str:
    """Return the changed lines with context as HTML."""
    assert ran.after is not None
    try:
        lines = diff(ran.before, ran.after, names=("before", "after")).text().splitlines()
    except TVMScriptError as error:
        return _error(error)
    shown = "".join(
        f'<span class="{_CSS_CLASSES.get(line[:1], "same-line")}">{escape(line) or " "}</span>' for line in lines
    )
    return f"<pre>{shown}</pre>"
