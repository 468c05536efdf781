"""Syntax highlighting for terminals."""

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
    """Print a script, highlighted if standard output is a terminal.

    `black_format` is accepted as in TVM and ignored. Raises `InvalidOption` for an unknown style.
    """
    name = _STYLES.get(style, style or "default")
    try:
        formatter_style = get_style_by_name(name)
    except ClassNotFound:
        raise InvalidOption(name="style", expected="light, dark or a pygments style", got=repr(style)) from None
    if sys.stdout.isatty():
        text = highlight(text, PythonLexer(), Terminal256Formatter(style=formatter_style)).rstrip("\n")
    print(text)
