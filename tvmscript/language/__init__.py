"""What programs are written with: `from tvmscript import I, T`.

For type checkers `T` and `I` are the stubs `T.pyi` and `I.pyi`, written out of the tables by
`python -m tvmscript.reference`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tvmscript.language.I as I
    import tvmscript.language.T as T
    from tvmscript.language.I import ir_module
    from tvmscript.language.T import prim_func
else:
    from tvmscript.language.decorators import ir_module, prim_func
    from tvmscript.language.module import I
    from tvmscript.language.tir import T

__all__ = ["I", "T", "ir_module", "prim_func"]
