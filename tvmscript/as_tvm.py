"""Let `import tvm` mean this package in this process: `tvmscript.as_tvm()`, or `python -m tvmscript.as_tvm SCRIPT`.

Scripts and tests that were written for TVM 0.17 run unchanged:

    python -m tvmscript.as_tvm script.py args           python -m tvmscript.as_tvm -m pytest test_schedule.py
"""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Sequence
from types import ModuleType

from tvmscript.tvm_names import as_tvm


class _Module(ModuleType):
    """This module: `tvmscript.as_tvm()` calls it."""

    def __call__(self) -> ModuleType:
        return as_tvm()


sys.modules[__name__].__class__ = _Module


def main(args: Sequence[str]) -> None:
    """Run a script, or a module after `-m`, with `as_tvm` in effect."""
    if not args or args[0] in ("-h", "--help") or args == ["-m"]:
        sys.exit("usage: python -m tvmscript.as_tvm SCRIPT [ARGS ...] | -m MODULE [ARGS ...]")
    as_tvm()
    if args[0] == "-m":
        sys.argv = list(args[1:])
        sys.path.insert(0, os.getcwd())
        runpy.run_module(args[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = list(args)
        sys.path.insert(0, os.path.dirname(os.path.abspath(args[0])))
        runpy.run_path(args[0], run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
