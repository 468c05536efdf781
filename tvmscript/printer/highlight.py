"""Syntax highlighting for terminals."""

from __future__ import annotations

import os
import sys

from pygments import highlight
from pygments.formatters import HtmlFormatter, Terminal256Formatter
from pygments.lexers import PythonLexer
from pygments.styles import get_style_by_name
from pygments.util import ClassNotFound

from tvmscript.ir.core.visible import visible
from tvmscript.printer.errors import InvalidOption

#: TVM's names of styles
_STYLES = {"light": "default", "dark": "monokai", "ansi": "default", None: "default"}


def show_text(text: str, style: str | None = None, black_format: bool = False) -> None:
    """Print a script, highlighted if standard output is a terminal and the environment has no NO_COLOR.

    `black_format` is accepted as in TVM and ignored. Raises `InvalidOption` for an unknown style.
    """
    name = _STYLES.get(style, style or "default")
    try:
        formatter_style = get_style_by_name(name)
    except ClassNotFound:
        raise InvalidOption(name="style", expected="light, dark or a pygments style", got=repr(style)) from None
    if sys.stdout.isatty():
        text = visible(text)
    if sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        text = highlight(text, PythonLexer(), Terminal256Formatter(style=formatter_style)).rstrip("\n")
    print(text)


def html_text(text: str) -> str:
    """Return a script as HTML for a notebook, on the background of the page."""
    formatter = HtmlFormatter(noclasses=True, nobackground=True, prestyles="line-height: 1.25")
    return str(highlight(text, PythonLexer(), formatter))
