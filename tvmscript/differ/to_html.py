"""Self-contained HTML view of a difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from tvmscript.differ.side_by_side import Marks, Row

#: visible equal lines at the ends of a folded part
_CONTEXT = 3

_STYLE = """
:root { color-scheme: light dark; --back: #fff; --text: #1f2328; --soft: #6e7781; --line: #d0d7de; --gone: #ffebe9;
  --gone-word: #ffc1ba; --came: #e6ffec; --came-word: #abf2bc; --moved: #f3e8ff; --here: #ddf4ff; }
@media (prefers-color-scheme: dark) { :root { --back: #0d1117; --text: #e6edf3; --soft: #8b949e; --line: #30363d;
  --gone: #3c1618; --gone-word: #8b2b30; --came: #12361f; --came-word: #1f6f37; --moved: #2d1f45; --here: #10304a; } }
body { margin: 0; background: var(--back); color: var(--text); font: 14px/1.5 system-ui, sans-serif; }
header { padding: 12px 16px; border-bottom: 1px solid var(--line); }
h1 { font-size: 16px; margin: 0; } header p, header ul { margin: 4px 0 0; color: var(--soft); }
table { width: 100%; border-collapse: collapse; table-layout: fixed; font: 12px/1.5 ui-monospace, monospace; }
td { padding: 0 8px; white-space: pre-wrap; overflow-wrap: anywhere; vertical-align: top; }
td.number { width: 44px; text-align: right; color: var(--soft); user-select: none; }
.gone { background: var(--gone); } .came { background: var(--came); } mark { color: inherit; border-radius: 2px; }
.gone mark { background: var(--gone-word); } .came mark { background: var(--came-word); }
.away { background: var(--moved); } .here { background: var(--here); } .note { color: var(--soft); font-style: italic; }
tr.fold td { color: var(--soft); cursor: pointer; text-align: center; border-block: 1px solid var(--line); }
tbody.folded { display: none; } tbody.current td.number { border-left: 3px solid var(--soft); }
tr.fold:focus-visible { outline: 2px solid var(--soft); }
""".strip()

_SCRIPT = """
const spots = [...document.querySelectorAll("tbody.change")]; let at = -1;
function go(step) { if (!spots.length) return; if (at >= 0) spots[at].classList.remove("current");
  at = (at + step + spots.length) % spots.length; spots[at].classList.add("current");
  spots[at].scrollIntoView({block: "center"}); }
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "n") go(1); else if (event.key === "p") go(at < 0 ? 0 : -1);
  else if ((event.key === "Enter" || event.key === " ") && event.target.matches("tr.fold")) {
    event.preventDefault(); event.target.click(); } });
document.querySelectorAll("tr.fold").forEach(row => row.addEventListener("click", () => {
  row.parentElement.nextElementSibling.classList.toggle("folded"); }));
""".strip()


def render_page(rows: Sequence[Row], names: tuple[str, str], notes: Sequence[str], summary: str) -> str:
    """Return the page: side by side, equal parts folded; `n` and `p` go to the next and previous change."""
    title = f"{names[0]} → {names[1]}"
    items = "".join(f"<li>{escape(note)}</li>" for note in notes)
    body = "\n".join(_render_groups(rows))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width"><style>\n{_STYLE}\n</style></head><body>\n'
        f"<header><h1>{escape(title)}</h1><p>{escape(summary)} · <kbd>n</kbd> next, <kbd>p</kbd> previous</p>"
        f"{f'<ul>{items}</ul>' if items else ''}</header>\n"
        f'<table><colgroup><col style="width:60px"><col><col style="width:60px"><col></colgroup>\n{body}\n</table>\n'
        f"<script>\n{_SCRIPT}\n</script></body></html>\n"
    )


def _render_groups(rows: Sequence[Row]) -> Iterator[str]:
    groups = [(same, list(group)) for same, group in groupby(rows, lambda row: row.kind == " ")]
    for number, (same, group) in enumerate(groups):
        if not same:
            yield _render_body("change", group)
            continue
        begin = 0 if number == 0 else _CONTEXT
        end = len(group) if number == len(groups) - 1 else _CONTEXT
        end = 0 if number == len(groups) - 1 else end
        folded = group[begin : len(group) - end]
        if len(folded) <= 1:
            yield _render_body("", group)
            continue
        yield _render_body("", group[:begin])
        yield (
            f'<tbody><tr class="fold" tabindex="0"><td colspan="4">{len(folded)} equal lines</td></tr></tbody>'
            f"{_render_body('folded', folded)}"
        )
        yield _render_body("", group[len(group) - end :])


def _render_body(name: str, rows: list[Row]) -> str:
    if not rows:
        return ""
    lines = "\n".join(_render_line(row) for row in rows)
    return f'<tbody class="{name}">\n{lines}\n</tbody>' if name else f"<tbody>\n{lines}\n</tbody>"


#: kind of row -> CSS classes of the left and right cell, None for an empty cell
_CELLS: dict[str, tuple[str | None, str | None]] = {
    " ": ("", ""),
    "~": ("gone", "came"),
    "-": ("gone", None),
    "+": (None, "came"),
    "<": ("away", None),
    ">": (None, "here"),
}


def _render_line(row: Row) -> str:
    left, right = _CELLS[row.kind]
    note = f'<span class="note">  moved to line {row.right}</span>' if row.kind == "<" else ""
    left_cells = _render_cells(left, row.left, row.left_text, row.left_marks, note)
    if row.kind == ">":
        if row.changed:
            left_cells = _render_cells("gone", row.left, row.left_text, row.left_marks, "")
            right = "came"
        note = f'<span class="note">  moved from line {row.left}</span>'
    right_cells = _render_cells(right, row.right, row.right_text, row.right_marks, note if row.kind == ">" else "")
    return f"<tr>{left_cells}{right_cells}</tr>"


def _render_cells(kind: str | None, number: int | None, text: str, marks: Marks, note: str) -> str:
    if kind is None:
        return "<td class=number></td><td></td>"
    cell = f'<td class="{kind}">' if kind else "<td>"
    return f"<td class=number>{number or ''}</td>{cell}{_mark_text(text, marks)}{note}</td>"


def _mark_text(text: str, marks: Marks) -> str:
    parts: list[str] = []
    last = 0
    for begin, end in marks:
        parts += [escape(text[last:begin]), f"<mark>{escape(text[begin:end])}</mark>"]
        last = end
    return "".join([*parts, escape(text[last:])])
