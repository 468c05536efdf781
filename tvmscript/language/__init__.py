"""The namespaces of the language: `from tvmscript import I, R, T`.

For type checkers these are the stubs `T.pyi`, `I.pyi` and `R.pyi`, written out of the tables by
`python -m tools.reference`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tvmscript.ir.core.lazy import lazy_names

if TYPE_CHECKING:
    import tvmscript.language.I as I
    import tvmscript.language.R as R
    import tvmscript.language.T as T
    from tvmscript.language.I import ir_module
    from tvmscript.language.T import prim_func
else:
    from tvmscript.language.decorators import ir_module, prim_func
    from tvmscript.language.module import I
    from tvmscript.language.tir import T

__all__ = ["I", "R", "T", "ir_module", "prim_func"]

# the graph level is loaded on first use
__getattr__, __dir__ = lazy_names(__name__, {"R": "tvmscript.language.relax:R"})
