"""`T` as TVM 0.27 understands it: `from tvmscript.script import tirx as T`."""

from __future__ import annotations

from tvmscript.language.decorators import prim_func
from tvmscript.language.macro import macro
from tvmscript.parser.builtins.table import LayeredTable
from tvmscript.parser.names.lazy_table import LazyTable
from tvmscript.parser.names.namespace import MACRO_OPTIONS, PRIM_FUNC_OPTIONS_V0_27, Decorator, Namespace


def _prim_func(func: object, around: object, persistent: bool = False, **options: object) -> object:
    """A PrimFunc of a Python function in the spelling of TVM 0.27."""
    assert prim_func.apply is not None
    return prim_func.apply(func, around, **options)


_DECORATORS = {
    "prim_func": Decorator("T.prim_func", "prim_func", PRIM_FUNC_OPTIONS_V0_27, _prim_func, dialect="0.27"),
    "macro": macro,
    "inline": Decorator("T.inline", "macro", MACRO_OPTIONS, macro.apply),
}
#: Any: what `T.<name>` means depends on its context, which Python types cannot express.
T: object = Namespace("T", LayeredTable(_DECORATORS, LazyTable("T of 0.27")))
