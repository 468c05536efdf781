"""`T`, the tensor level of the script. Its names have the same meaning inside of kernels and, for values, outside."""

from __future__ import annotations

from tvmscript.language.decorators import prim_func
from tvmscript.language.macro import macro
from tvmscript.parser.builtins.table import LayeredTable
from tvmscript.parser.global_names import TIR
from tvmscript.parser.names.namespace import Namespace

#: Any: what `T.<name>` means depends on its context, which Python types cannot express.
T: object = Namespace("T", LayeredTable({"prim_func": prim_func, "macro": macro}, TIR))
