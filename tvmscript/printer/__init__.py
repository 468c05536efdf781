"""Print programs: `script(node)` returns text that reads back to the same program.

The text is that of TVM 0.17 or 0.27; grammar_docs/printing.md lists where it differs.
"""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core import node as node_hooks
from tvmscript.printer.entry import script as script
from tvmscript.printer.entry import script_with_ranges as script_with_ranges
from tvmscript.printer.errors import InvalidOption as InvalidOption
from tvmscript.printer.errors import NoText as NoText
from tvmscript.printer.errors import UnknownOption as UnknownOption


def show(node: Any, style: str | None = None, black_format: bool = False, **options: object) -> None:
    """Print the script, highlighted if standard output is a terminal."""
    # imported here: pygments is needed for nothing else
    from tvmscript.printer.highlight import show_text

    show_text(script(node, **options), style, black_format)


def html(node: Any) -> str:
    """Return the script as highlighted HTML."""
    from tvmscript.printer.highlight import html_text

    return html_text(script(node))


node_hooks.show.fill(show)
node_hooks.html.fill(html)
