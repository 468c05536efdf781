"""Parser of Relax functions of TVM 0.27.

TIR scalars are values there: `n: T.int64` is both a parameter and a size, `m = n + 1` is a binding. Here the struct
info of a scalar value holds its expression, from which sizes are computed. A size of the signature is quoted, as in
0.17, or is a `TypeVar`.
"""

from __future__ import annotations

import ast
from functools import partial
from typing import Any, ClassVar, Final, TypeGuard

from tvmscript.ir.core import Span
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call, PrimValue, TupleGetItem, Var
from tvmscript.ir.relax.struct_info import PrimStructInfo, TupleStructInfo
from tvmscript.ir.relax.symbolic_shape import scalar_of
from tvmscript.ir.relax.verify import verify
from tvmscript.ir.tir import Expr, IntImm, const
from tvmscript.ir.tir.expr import Var as SizeVar
from tvmscript.parser.names.name_hints import is_unnamed
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.relax.builtins.struct_info import resolve_struct_info
from tvmscript.parser.relax.frames import MatchedCast
from tvmscript.parser.relax.function import RelaxParser
from tvmscript.parser.tir.builtins.constructors import as_dtype
from tvmscript.parser.v0_27.type_variable import TypeVariable

#: keyword of 0.27 for the struct info of a call -> that of 0.17
_RESULTS: Final = {"out_ty": "out_sinfo", "ty_args": "sinfo_args"}
#: function -> keyword of 0.27 -> that of 0.17
_KEYWORDS: Final = {
    "R.device": {"device_type": "dev_type", "index": "dev_id"},
    "R.match_cast": {"ty": "struct_info"},
    "R.emit": {"annotate_ty": "annotate_struct_info"},
    "R.emit_match_cast": {"ty": "struct_info"},
    "R.ExternFunc": {"ty": "struct_info"},
    "R.dist.const": {"ty": "struct_info"},
    "R.func_ret_struct_info": {"ret_ty": "ret_sinfo"},
}
#: functions that take a list of sizes
_SIZED: Final = ("R.shape", "R.ShapeExpr")
#: functions whose fifth argument, the index of the device, 0.17 does not have
_ON_DEVICES: Final = ("R.memory.alloc_tensor", "R.vm.alloc_tensor")
#: function -> parameter with another default than in 0.17 -> its position and that default
_DEFAULTS: Final[dict[str, dict[str, tuple[int, object]]]] = {
    "R.image.resize2d": {"cubic_alpha": (7, -0.75)},
    "R.nn.avg_pool1d": {"count_include_pad": (6, True)},
    "R.nn.avg_pool3d": {"count_include_pad": (6, True)},
}
#: the last parameters of R.nn.pad, which 0.17 has in another order
_OF_PAD: Final = ("pad_mode", "pad_value")
#: functions whose flag `exclusive` has another default
_SCANS: Final = ("R.cumsum", "R.cumprod")
#: Python type -> dtype
_PLAIN: Final = {bool: "bool", float: "float64"}
#: attribute of external calls that only the printer of 0.27 writes
_KIND_OF_ATTRIBUTES: Final = "attrs_type_key"


class V027RelaxParser(RelaxParser):
    """Parses one Relax function of TVM 0.27."""

    scalars_are_values: ClassVar[bool] = True
    flags_are_numbers: ClassVar[bool] = False
    verify = staticmethod(partial(verify, results=False))

    # parameters and results

    def parameters(self, node: ast.FunctionDef) -> tuple[Var, ...]:
        """Parse the parameters of a function; a `TypeVar` defines a size."""
        declared = {arg.arg for arg in node.args.args}
        for name, value in list(self.names.items()):
            if isinstance(value, TypeVariable) and name not in declared:
                self.scope.replace(name, SizeVar(name, "int64", None, self.span(node)))
        return super().parameters(node)

    def parameter(self, function: str, arg: ast.arg) -> Var:
        """Parse one parameter; `n: T.int64` is also a size."""
        var = super().parameter(function, arg)
        info = var.struct_info
        if not isinstance(info, PrimStructInfo) or info.value is not None or info.dtype.is_handle:
            return var
        annotation = arg.annotation
        if isinstance(annotation, ast.Attribute) and not self.is_of_graph(self.value(annotation)):
            size = SizeVar(arg.arg, info.dtype, None, var.span)
            var = Var(arg.arg, PrimStructInfo(info.dtype, size, info.span), var.span)
            self.scope.replace(arg.arg, var)
        return var

    @staticmethod
    def is_of_graph(value: object) -> bool:
        """Whether a function of the script is in `R`."""
        return isinstance(value, Builtin) and value.name.startswith("R.")

    def refine_result(self, inferred: StructInfo | None) -> StructInfo | None:
        """Return the struct info of the result, with the values of its scalars."""
        result = super().refine_result(inferred)
        return None if result is None else add_scalar_values(result, inferred)

    # bindings

    def bound(self, name: str, value: object, target: object, written: object, info: StructInfo | None) -> object:
        """Return the value of a name after `name = value`; scalars other than size declarations are values."""
        span = self.span(written)
        if isinstance(value, tuple) and len(value) == 1 and _is_only_section(value[0]):
            value = value[0].tuple_value
        if isinstance(value, MatchedCast) and isinstance(value.info, PrimStructInfo) and value.info.value is None:
            size = SizeVar(name, value.info.dtype, None, span)
            value, info = MatchedCast(value.value, PrimStructInfo(size.dtype, size, span=value.info.span)), None
        if isinstance(info, PrimStructInfo) and isinstance(value, (bool, int, float)):
            value = const(value, info.dtype, span)
        if isinstance(value, Expr) and not is_unnamed(value):
            value = PrimValue(value, span=span)
        return super().bound(name, value, target, written, None if isinstance(value, PrimValue) else info)

    def returned(self, node: ast.Return) -> None:
        """Parse `return value`; a number is a scalar, not a tensor."""
        if node.value is not None:
            value = self.value(node.value)
            self.give_back(value, self.span(node.value))
            return
        super().returned(node)

    # values

    def as_value(self, value: object, span: Span) -> object:
        """Convert a value to a Relax expression. Raises `NotAnExpression`."""
        return super().as_value(_scalars(value) if isinstance(value, (bool, float)) else value, span)

    def operand(self, value: object) -> object:
        """Convert an operand: a scalar value becomes its expression."""
        scalar = scalar_of(value)
        return value if scalar is None else scalar

    def call_builtin(self, node: object, function: Builtin, args: list[Any], kwargs: dict[str, object]) -> object:
        """Call a name of the script with the keywords of 0.27."""
        name = function.name
        if not name.startswith("R."):
            args = [self.operand(arg) for arg in args]
            kwargs = {key: self.operand(item) for key, item in kwargs.items()}
            return super().call_builtin(node, function, args, kwargs)
        if name == "R.call_py_func" and "ty_args" in kwargs:
            # as 0.27's printer writes it, though its parser does not read that: the arguments are a tuple
            kwargs["out_ty"] = kwargs.pop("ty_args")
            if len(args) == 2 and isinstance(args[1], tuple):
                args = [args[0], *args[1]]
        kwargs = self.rename_keywords(node, name, kwargs)
        if name == "R.memory.view":
            args = [as_dtype(arg) if isinstance(arg, Builtin) else arg for arg in args]
            kwargs = {key: as_dtype(item) if isinstance(item, Builtin) else item for key, item in kwargs.items()}
        if name in _SIZED and args and isinstance(args[0], (tuple, list)):
            args[0] = [self.operand(item) for item in args[0]]
        for key, (position, item) in _DEFAULTS.get(name, {}).items():
            if len(args) <= position:
                kwargs.setdefault(key, item)
        if name == "R.nn.pad" and len(args) > 2:
            kwargs |= dict(zip(_OF_PAD, args[2:], strict=False))
            del args[2:]
        if name in _SCANS and kwargs.get("exclusive") is False:
            kwargs["exclusive"] = None
        if name.startswith("R.call_"):
            args = [_scalars(arg) for arg in args]
        if name in _ON_DEVICES and len(args) == 5 and _is_zero(args[4]):
            args.pop()
        value = super().call_builtin(node, function, args, kwargs)
        return _first_section(value) if name == "R.split" else value

    def call_value(self, node: object, function: object, args: list[object], kwargs: dict[str, object]) -> Call:
        """Call a function with its struct info arguments."""
        return super().call_value(node, function, args, self.rename_keywords(node, "", kwargs))

    def rename_keywords(self, node: object, name: str, kwargs: dict[str, object]) -> dict[str, object]:
        """Rename keyword arguments to those of 0.17."""
        names = _KEYWORDS.get(name, {})
        renamed: dict[str, object] = {}
        for key, item in kwargs.items():
            if key in _RESULTS:
                renamed[_RESULTS[key]] = self.types(node, item)
            elif key != _KIND_OF_ATTRIBUTES or name != "R.call_packed":
                renamed[names.get(key, key)] = item
        return renamed

    def types(self, node: object, given: object) -> object:
        """Convert result types to struct info; `T.int64` is a scalar."""
        if isinstance(given, (tuple, list)):
            return [self.types(node, item) for item in given]
        return resolve_struct_info(self, given, self.span(node)) or given


def _scalars(value: Any) -> object:
    """Convert flags and floats to PrimValues; floats are float64."""
    if isinstance(value, (tuple, list)):
        return type(value)([_scalars(item) for item in value])
    dtype = _PLAIN.get(type(value))
    return value if dtype is None else PrimValue(const(value, dtype))


def _first_section(call: object) -> object:
    """Return the only section of a tensor, which is no tuple in 0.27, or the tuple of several ones."""
    if not isinstance(call, Call):
        return call
    info = call.struct_info
    is_only = isinstance(info, TupleStructInfo) and len(info.fields) == 1
    return TupleGetItem(call, 0, span=call.span) if is_only else call


def _is_only_section(value: object) -> TypeGuard[TupleGetItem]:
    """Whether a value is what `_first_section` makes of one section: a tuple of it is the call itself."""
    call = value.tuple_value if isinstance(value, TupleGetItem) else None
    return isinstance(call, Call) and getattr(call.op, "name", "") == "relax.split"


def _is_zero(value: object) -> bool:
    scalar = scalar_of(value)
    value = value if scalar is None else scalar
    return value.value == 0 if isinstance(value, IntImm) else value == 0


def add_scalar_values(said: StructInfo, known: StructInfo | None) -> StructInfo:
    """Add the known values of scalars to struct info: annotations of 0.27 cannot express them."""
    if isinstance(said, PrimStructInfo) and isinstance(known, PrimStructInfo) and said.dtype is known.dtype:
        return known if said.value is None else said
    if not isinstance(said, TupleStructInfo) or not isinstance(known, TupleStructInfo):
        return said
    if len(said.fields) != len(known.fields):
        return said
    fields = tuple([add_scalar_values(a, b) for a, b in zip(said.fields, known.fields, strict=True)])
    return said if all(a is b for a, b in zip(fields, said.fields, strict=True)) else said.replace(fields=fields)
