"""Scripts with colours, for terminals."""

from __future__ import annotations

import sys

from pygments import highlight
from pygments.formatters import Terminal256Formatter
from pygments.lexers import PythonLexer
from pygments.styles import get_style_by_name
from pygments.util import ClassNotFound

from tvmscript.printer.errors import InvalidOption

#: TVM's names of styles
_STYLES = {"light": "default", "dark": "monokai", "ansi": "default", None: "default"}


def show_text(text: str, style: str | None = None, black_format: bool = False) -> None:
    """Print a script: coloured if standard output is a terminal. Raises `InvalidOption` for an unknown style.

    `black_format` is accepted as in TVM; the text is laid out by the printer already.
    """
    name = _STYLES.get(style, style or "default")
    try:
        chosen = get_style_by_name(name)
    except ClassNotFound:
        raise InvalidOption(name="style", expected="light, dark or a pygments style", got=repr(style)) from None
    if sys.stdout.isatty():
        text = highlight(text, PythonLexer(), Terminal256Formatter(style=chosen)).rstrip("\n")
    print(text)
