"""Names that a text may use without defining them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Annotated

from tvmscript.ir.core import Span, WrongType
from tvmscript.ir.tir import Buffer, Expr
from tvmscript.parser.builtins.module import IR, IR_V0_27, module_attrs
from tvmscript.parser.builtins.table import LayeredTable
from tvmscript.parser.names.lazy_table import LazyTable
from tvmscript.parser.names.namespace import (
    IR_MODULE_OPTIONS,
    MACRO_OPTIONS,
    PRIM_FUNC_OPTIONS,
    PRIM_FUNC_V0_27,
    Builtin,
    Decorator,
    Namespace,
)
from tvmscript.parser.python.annotations import TYPING
from tvmscript.parser.python.literals import python_value
from tvmscript.parser.python.operations import MAX_LENGTH, too_large
from tvmscript.parser.tir.builtins import TIR as TIR
from tvmscript.parser.tir.builtins.debugging import DEBUGGING
from tvmscript.parser.tir.builtins.loops import python_range
from tvmscript.parser.tir.builtins.printed_text import PRINTED
from tvmscript.parser.tir.builtins.python_names import IR_NAMES, TARGET_NAMES, TIR_NAMES
from tvmscript.parser.v0_27.attribute_names import with_attributes
from tvmscript.parser.v0_27.type_variable import TypeVariable
from tvmscript.parser.v0_27.unsupported_names import REFUSED_OF_MODULES

T = Namespace("T", TIR)
T_V0_27 = Namespace("T", LazyTable("T of 0.27"))
R = Namespace("R", LazyTable("R"))
_TILE_LEVEL = LazyTable("tile level of 0.27")


def _tile_op(name: str, span: Span | None = None) -> object:
    """A tile primitive by its name: `I.Op("tirx.tile.add")`."""
    return _TILE_LEVEL["Op"].function(name, span=span)


_IR_V0_27: dict[str, object] = {
    **IR_V0_27,
    "module_attrs": with_attributes("I.module_attrs", module_attrs, True),
    "Op": Builtin("I.Op", _tile_op),
}
I_V0_27 = Namespace("I", LayeredTable(_IR_V0_27, IR))
R_V0_27 = Namespace("R", LazyTable("R of 0.27"))
I = Namespace("I", IR)  # noqa: E741  # its name in TVM

PRIM_FUNC = Decorator("T.prim_func", "prim_func", PRIM_FUNC_OPTIONS)
MACRO = Decorator("T.macro", "macro", MACRO_OPTIONS)
IR_MODULE = Decorator("I.ir_module", "ir_module", IR_MODULE_OPTIONS)
TIR.update({"prim_func": PRIM_FUNC, "macro": MACRO})
IR.update({"ir_module": IR_MODULE, "StringImm": TIR["StringImm"], "meta_var": TIR["meta_var"], **REFUSED_OF_MODULES})


#: function of Python -> hint for an expression
_HINTS = {
    "int": "write T.int32(...)",
    "float": "write T.float32(...)",
    "bool": "write != 0 after it",
    "sum": "add in a loop: A[0] = A[0] + B[i]",
}


#: digits of a decimal number that `round` keeps
_MOST_DIGITS = 400


def _round(number: float, digits: int | None = None) -> float:
    """Return a number rounded to `digits` after the point. Raises `WrongType` if these are more than a number has."""
    if digits is not None and abs(digits) > _MOST_DIGITS:
        raise WrongType(where="round", expected=f"at most {_MOST_DIGITS} digits", got=digits)
    return round(number, digits)


def _pow(base: int, exponent: int, modulus: int | None = None) -> float:
    """Return a power. Raises `WrongType` if it has too many digits."""
    if modulus is None and too_large(ast.Pow, base, exponent):
        raise WrongType(where="pow", expected="a power of fewer digits", got=f"{base} ** {exponent}")
    power: float = pow(base, exponent, modulus)
    return power


def _sum(numbers: Iterable[int]) -> int:
    """Return a sum of numbers or expressions; without a start, which would join sequences."""
    return sum(numbers)


def _python(function: Callable[..., object], name: str = "") -> Builtin:
    """Return the builtin of a Python function that takes at most linear time in the size of its arguments."""
    name = name or function.__name__

    def run(*args: object, span: Span | None = None) -> object:
        values = [python_value(arg) for arg in args]
        for value in values:
            if isinstance(value, Expr | Buffer) and not (name == "len" and isinstance(value, Buffer)):
                hint = f"write T.{name}" if name in TIR else _HINTS.get(name)
                raise WrongType(where=name, expected="Python values", got=value, span=span, hint=hint)
            if isinstance(value, range) and len(value) > MAX_LENGTH:
                raise WrongType(where=name, expected=f"at most {MAX_LENGTH} elements", got=len(value), span=span)
        return function(*values)

    return Builtin(name, run)


_IR = Namespace("tvm.ir", LayeredTable(IR_NAMES, LayeredTable(LazyTable("functions of tvm.ir"), IR)))
_TIR = Namespace("T", LayeredTable(TIR_NAMES, TIR))
_TARGET = Namespace("tvm.target", TARGET_NAMES)


def _with_operators(relax: Namespace) -> Namespace:
    """Return `tvm.relax`: the names of `R`, which `tvm.relax.op` has too."""
    return Namespace("R", LayeredTable({"op": relax}, relax.table))


def _package(ir: Namespace, relax: Namespace) -> Namespace:
    """Return the namespace `tvm` of a dialect."""
    names = {"ir_module": IR_MODULE, "prim_func": PRIM_FUNC}
    script = Namespace("tvm.script", {"ir": ir, "tir": T, "tirx": T_V0_27, "relax": relax, **names})
    short = {"T": T, "I": ir, "R": relax, "DataType": TIR["Cast"]}
    modules = {"tir": _TIR, "tirx": T_V0_27, "ir": _IR, "relax": _with_operators(relax), "target": _TARGET}
    return Namespace("tvm", {"script": script, **modules, **short, **names})


TVM = _package(I, R)
TVM_V0_27 = _package(I_V0_27, R_V0_27)

#: names for every program; `range` is a serial loop
ROOTS: dict[str, object] = {
    "T": T, "I": I, "R": R, "tvm": TVM, "tvmscript": TVM, "range": Builtin("range", python_range, True),
    "ir_module": IR_MODULE, "prim_func": PRIM_FUNC, "Annotated": Annotated, "typing": TYPING,
    **DEBUGGING,
}  # fmt: skip

#: names for texts: in addition Python functions and the long names of `T` and `I`; decorated functions use Python's
TEXT_ROOTS: dict[str, object] = {
    **ROOTS,
    "tir": T,
    "ir": I,
    "relax": TVM.table["relax"],
    **{f.__name__: _python(f) for f in (len, min, max, abs, int, float, bool, tuple, list)},
    "sum": _python(_sum, "sum"),
    "round": _python(_round, "round"),
    "pow": _python(_pow, "pow"),
    "TypeVar": Builtin("TypeVar", TypeVariable),
}
#: names for texts that a printer wrote
PRINTED_ROOTS: dict[str, object] = {**TEXT_ROOTS, "T": Namespace("T", PRINTED)}
#: names for texts of TVM 0.27
ROOTS_V0_27: dict[str, object] = {
    **TEXT_ROOTS, "T": T_V0_27, "tir": T_V0_27, "tirx": T_V0_27, "R": R_V0_27, "I": I_V0_27, "ir": I_V0_27,
    "tvm": TVM_V0_27, "tvmscript": TVM_V0_27, "prim_func": PRIM_FUNC_V0_27, "relax": TVM_V0_27.table["relax"],
    "Axis": Namespace("Axis", LazyTable("axes of layouts")),
}  # fmt: skip
