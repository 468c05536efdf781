"""Passes, one file each, and the pipelines that order them.

    base.py       what a pass is                     registry.py    passes by name
    context.py    what surrounds passes              options.py     what a context takes in `config`
    instruments.py what watches passes               record.py      what passes did
    decorators.py passes of users                    pass_text.py   passes as text
    sequential.py passes one after the other         pipeline.py    the passes of a compilation

The passes stand in folders by what they work on. The names of TVM's `tvm.ir.transform` are loaded when they are used.
"""

from __future__ import annotations

import importlib
from typing import Any

# public name -> module that has it
_EXPORTS: dict[str, str] = {
    "ApplyPassToFunction": "functions.apply_pass_to_function",
    "ModulePass": "decorators",
    "Pass": "base",
    "PassContext": "context",
    "PassInfo": "context",
    "PrintIR": "checks.print_ir",
    "Sequential": "sequential",
    "module_pass": "decorators",
}


def __getattr__(name: str) -> Any:
    home = _EXPORTS.get(name)
    if home is None:
        raise AttributeError(f"module 'tvmscript.ir.transform' has no attribute {name!r}")
    return getattr(importlib.import_module(f"tvmscript.ir.transform.{home}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_EXPORTS])
