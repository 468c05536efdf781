"""Table of the code of a file that each command executes, and the option that permits more.

Files are text. Where a command runs the kernels of a file, in the interpreter or as native code, calls of anything but
the kernels' own operators need `--run`: C functions, packed functions, LLVM intrinsics that reach memory.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Final

from tvmscript.cli.errors import Trouble
from tvmscript.ir.core import IRModule, Node, nodes
from tvmscript.ir.tir import Buffer, Call, PrimFunc

_KERNELS: Final = "kernels, compiled and in the interpreter; calls of other code only with --run"
_PYTHON: Final = "Python files, with --run"
_IMPORTED: Final = "the modules of --import"
NOTHING: Final = "nothing"

#: subcommand -> what it executes of files
EXECUTES: Final = {
    "bisect": f"{_KERNELS}; the file of --script; {_IMPORTED}",
    "check": NOTHING,
    "race": "kernels in the interpreter; calls of other code only with --run",
    "print": _PYTHON,
    "fuzz": _IMPORTED,
    "fmt": NOTHING,
    "convert": NOTHING,
    "diff": _PYTHON,
    "explain": NOTHING,
    "reduce": "the command of --fails",
    "schedule": f"the file of --script; with --check, {_KERNELS}",
    "lower": "with --check values, kernels in the interpreter",
    "opt": f"with --check values, kernels in the interpreter; {_IMPORTED}",
    "passes": NOTHING,
    "explore": NOTHING,
    "cache": NOTHING,
    "bench": "Python files, models of torch, and kernels with all that they call",
    "report": "Python files, models of torch, and kernels with all that they call",
    "run": "Python files, models of torch, and kernels with all that they call",
}


class NeedsRun(Trouble, code="TS7023"):
    """A command would run kernels of a file that call code outside of the program: a C function, a packed function, an
    LLVM intrinsic that reaches memory. `--run` permits it, for files that you trust.
    """

    message = "{function} calls {callee}, which is code outside of the program"
    advice = "--run executes it"


def epilog() -> str:
    """Return the table as the help shows it."""
    rows = [f"  {name:<9} {text}" for name, text in EXECUTES.items() if text != NOTHING]
    return "\n".join(["Files are read as text. What is executed of them:", *rows, "  others    nothing"])


def add_run(parser: argparse.ArgumentParser) -> None:
    """Add the option that permits calls of other code."""
    parser.add_argument("--run", action="store_true", help="permit calls of code outside of the program")


def require_run(options: argparse.Namespace, program: IRModule) -> None:
    """Raise `NeedsRun` for a module whose functions call other code, unless the options permit it."""
    if options.run:
        return
    from tvmscript.backends.interp.calls import callee_text, is_available  # loads NumPy

    for var, func in program.items():
        if not isinstance(func, PrimFunc):
            continue
        for call in _calls(func):
            if not is_available(call):
                raise NeedsRun(function=var.name_hint, callee=callee_text(call), span=call.span)


def _calls(func: PrimFunc) -> Iterator[Call]:
    """Yield the calls of a function, also those in shapes, strides and offsets of its buffers."""
    buffers: set[Buffer] = set()
    pending: list[Node] = [func]
    while pending:
        for node in nodes(pending.pop()):
            if isinstance(node, Call):
                yield node
            elif isinstance(node, Buffer) and node not in buffers:
                buffers.add(node)
                pending.append(node)
