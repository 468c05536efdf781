"""The names of `tvm.script.highlight`: programs in colours."""

from __future__ import annotations

from tvmscript.ir.core import Node
from tvmscript.printer import show
from tvmscript.printer.highlight import show_text

__all__ = ["cprint"]


def cprint(printable: Node | str, style: str | None = None, black_format: bool = False) -> None:
    """Print a program or a text, in colours if standard output is a terminal."""
    if isinstance(printable, str):
        show_text(printable, style, black_format)
    else:
        show(printable, style, black_format)
