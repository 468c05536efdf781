"""TVM's IRBuilder: programs built by calls, `with IRBuilder() as ib: with T.prim_func(): ...`.

`from tvmscript.script.ir_builder import IRBuilder, tir as T, ir as I, relax as R`. Frames are context managers; what
is emitted inside becomes their body.
"""

from __future__ import annotations

from tvmscript.ir.core.lazy import lazy_names
from tvmscript.parser.frames import PythonContext as IRBuilderFrame
from tvmscript.script.ir_builder.frames import IRBuilder

__all__ = ["IRBuilder", "IRBuilderFrame"]

__getattr__, __dir__ = lazy_names(__name__, {})
