"""The table of `R`: struct info, values, constructs, and all Relax operators.

Loaded when a text first uses `R`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tvmscript.ir.core import Op, Span, WrongType
from tvmscript.ir.core.attrs import attributes
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Call, DataTypeImm, ExternFunc, PrimValue, ShapeExpr, StringImm, Tuple, TupleGetItem
from tvmscript.ir.relax.op import registry as all_operators
from tvmscript.ir.relax.op.script_functions import script_function_of
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.struct_info_lattice import BaseCheckResult, struct_info_base_check
from tvmscript.ir.tir import Expr, IntImm
from tvmscript.ir.tir.operators import const as tir_const
from tvmscript.parser.builtins.argument_checks import integer, merge_attributes, text
from tvmscript.parser.builtins.module import IR
from tvmscript.parser.builtins.table import F, register
from tvmscript.parser.diagnostics.errors import GivenTwice, NotInside
from tvmscript.parser.names.namespace import MACRO_OPTIONS, Builtin, Decorator, Namespace
from tvmscript.parser.names.unsupported import BUILDER, UnsupportedName
from tvmscript.parser.relax.builtins.constants import const
from tvmscript.parser.relax.builtins.distributed import DISTRIBUTED
from tvmscript.parser.relax.builtins.struct_info import STRUCT_INFOS, resolve_struct_info
from tvmscript.parser.relax.builtins.struct_info import device as device_named
from tvmscript.parser.relax.frames import Dataflow, MatchedCast
from tvmscript.parser.relax.function import RelaxParser
from tvmscript.parser.relax.reader import GraphReader
from tvmscript.parser.tir.builtins.constructors import as_dtype

#: Options of `@R.function`.
FUNCTION_OPTIONS = ("private", "pure", "check_well_formed", "source", "name")

RELAX: Final[dict[str, Any]] = dict(STRUCT_INFOS)
FUNCTION = Decorator("R.function", "function", FUNCTION_OPTIONS, parser=RelaxParser)
RELAX["function"] = FUNCTION
RELAX["macro"] = Decorator("R.macro", "macro", MACRO_OPTIONS)
RELAX["const"] = Builtin("R.const", const)
RELAX["Range"] = IR["Range"]


def _offer(*names: str, needs_kernel: bool = False) -> Callable[[F], F]:
    return register(RELAX, "R", names, needs_kernel)


# values


@_offer("str")
def string(value: str, span: Span | None = None) -> StringImm:
    """Return a string as a Relax value."""
    return StringImm(text("R.str", value), span=span)


@_offer("dtype")
def dtype_(value: object, span: Span | None = None) -> DataTypeImm:
    """Return a dtype as a Relax value."""
    return DataTypeImm(as_dtype(value), span=span)


@_offer("prim_value")
def prim_value(value: object, span: Span | None = None) -> PrimValue:
    """Return a scalar as a Relax value; Python integers become int64."""
    if isinstance(value, int):
        value = tir_const(int(value), "int64", span)
    if not isinstance(value, (Expr, float)):
        raise WrongType(where="R.prim_value", expected="a scalar", got=repr(value), span=span)
    return PrimValue(value, span=span)


@_offer("shape")
def shape(value: object, span: Span | None = None) -> ShapeExpr:
    """Return a shape as a Relax value."""
    if not isinstance(value, (tuple, list)):
        raise WrongType(where="R.shape", expected="a list of sizes", got=repr(value), span=span)
    return ShapeExpr(tuple([item.value if isinstance(item, PrimValue) else item for item in value]), span=span)


@_offer("ShapeExpr")
def shape_expr(values: object, span: Span | None = None) -> ShapeExpr:
    """Return a shape as a Relax value, the name of TVM's constructor."""
    return shape(values, span)


@_offer("tuple", needs_kernel=True)
def tuple_(parser: GraphReader, span: Span, *fields: object) -> Tuple:
    """Return a tuple of values."""
    return Tuple(tuple([parser.as_value(field, span) for field in fields]), span=span)


@_offer("TupleGetItem")
def tuple_get_item(tuple_value: object, index: object, span: Span | None = None) -> object:
    """Return a field of a tuple."""
    if not isinstance(tuple_value, RelaxExpr):
        raise WrongType(where="R.TupleGetItem", expected="a tuple", got=repr(tuple_value), span=span)
    return TupleGetItem(tuple_value, integer("R.TupleGetItem", index), span=span)


@_offer("ExternFunc", needs_kernel=True)
def extern_func(parser: GraphReader, span: Span, global_symbol: str, struct_info: object = None) -> ExternFunc:
    """Return an external function."""
    info = None if struct_info is None else resolve_struct_info(parser, struct_info, span)
    return ExternFunc(text("R.ExternFunc", global_symbol), struct_info=info, span=span)


RELAX["ExternFunc"].in_class = True


@_offer("call_packed", needs_kernel=True)
def call_packed(
    parser: GraphReader, span: Span, func: object, *args: object, sinfo_args: object = (), **attrs: object
) -> Call:
    """Call an external function; `sinfo_args` is the struct info of its result."""
    callee = func if isinstance(func, RelaxExpr) else ExternFunc(text("R.call_packed", func), span=span)
    given = sinfo_args if isinstance(sinfo_args, (tuple, list)) else (sinfo_args,)
    infos = [resolve_struct_info(parser, item, span) for item in given]
    present = [info for info in infos if info is not None]
    if len(present) != len(infos):
        raise WrongType(where="R.call_packed", expected="struct info such as R.Tensor", got=repr(sinfo_args), span=span)
    values = [parser.as_value(arg, span) for arg in args]
    return Call(callee, values, _call_attributes(attrs) if parser.flags_are_numbers else attrs, present, span=span)


def _call_attributes(attrs: Mapping[str, object]) -> dict[str, object]:
    """Return the attributes of a call in the form of 0.17: sorted, with numbers for True and False.

    Attributes of an operator (another `attrs_type_key` than DictAttrs) stay as they are.
    """
    if attrs.get("attrs_type_key", "DictAttrs") != "DictAttrs":
        return dict(attrs)
    return {name: _flag(attrs[name]) for name in sorted(attrs) if name != "attrs_type_key"}


def _flag(value: object) -> object:
    """Convert a bool constant of TIR to a Python bool, and a Python bool to a number."""
    return bool(value.value) if isinstance(value, IntImm) and value.dtype.is_bool else _with_numbers(value)


#: kind of device -> its number in TVM
_DEVICES: Final = {
    "cpu": 1, "cuda": 2, "gpu": 2, "opencl": 4, "vulkan": 7, "metal": 8, "vpi": 9, "rocm": 10, "ext_dev": 12,
    "hexagon": 14, "webgpu": 15,
}  # fmt: skip


@_offer("device")
def device(dev_type: object, dev_id: object = 0, span: Span | None = None) -> tuple[int, int]:
    """Return a device: its kind, given by name or number, and its index among the devices of that kind."""
    kind = _DEVICES.get(dev_type) if isinstance(dev_type, str) else integer("R.device", dev_type)
    if kind is None:
        raise WrongType(where="R.device", expected=", ".join(_DEVICES), got=dev_type, span=span)
    return kind, integer("R.device", dev_id)


def _device_of(name: str) -> Callable[..., tuple[int, int]]:
    def build(dev_id: object = 0, span: Span | None = None) -> tuple[int, int]:
        return device(name, dev_id, span)

    build.__doc__ = f"Return a device of the kind {name}."
    return build


for _name in _DEVICES:
    _offer(_name)(_device_of(_name))


# properties of the function


@_offer("func_attr", needs_kernel=True)
def func_attr(parser: GraphReader, span: Span, attrs: Mapping[str, object]) -> None:
    """Set the attributes of the function."""
    if not isinstance(attrs, Mapping):
        raise WrongType(where="R.func_attr", expected="a dict", got=repr(attrs), span=span)
    given = attributes(_with_numbers(attrs) if parser.flags_are_numbers else attrs)
    parser.attrs = merge_attributes("R.func_attr", parser.attrs, given, span)


def _with_numbers(value: object) -> Any:
    """Replace True and False in a value by numbers."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (tuple, list)):
        return [_with_numbers(item) for item in value]
    return {key: _with_numbers(item) for key, item in value.items()} if isinstance(value, Mapping) else value


@_offer("func_name", needs_kernel=True)
def func_name(parser: GraphReader, span: Span, name: str) -> None:
    """Set the name of the function."""
    parser.function_name = text("R.func_name", name)


@_offer("func_ret_struct_info", needs_kernel=True)
def func_ret_struct_info(parser: GraphReader, span: Span, ret_sinfo: object) -> None:
    """Set the struct info of the result."""
    parser.result_info = resolve_struct_info(parser, ret_sinfo, span)


@_offer("func_ret_value", needs_kernel=True)
def func_ret_value(parser: GraphReader, span: Span, value: object) -> None:
    """Set the result of the function."""
    parser.give_back(value, span)


# bindings


@_offer("dataflow", needs_kernel=True)
def dataflow(parser: GraphReader, span: Span) -> Dataflow:
    """Open a dataflow block: `with R.dataflow():`."""
    return Dataflow(span)


@_offer("output", needs_kernel=True)
def output(parser: GraphReader, span: Span, *variables: object) -> None:
    """Declare the outputs of the dataflow block."""
    outputs = parser.bindings.outputs
    if outputs is None:
        raise NotInside(what="R.output", place="a dataflow block", span=span, hint="write it under with R.dataflow():")
    if outputs.is_declared:
        raise GivenTwice(what="R.output", span=span)
    outputs.declare(variables, span)


@_offer("match_cast", needs_kernel=True)
def match_cast(parser: GraphReader, span: Span, value: object, struct_info: object) -> MatchedCast:
    """Cast a value to more precise struct info; the cast is checked at run time."""
    expr = parser.as_value(value, span)
    info = resolve_struct_info(parser, struct_info, span)
    if info is None:
        raise WrongType(where="R.match_cast", expected="struct info such as R.Tensor", got=repr(struct_info), span=span)
    value_info = expr.struct_info
    if value_info is not None and struct_info_base_check(value_info, info) is BaseCheckResult.FAIL_L0:
        raise WrongType(where="R.match_cast", expected=f"struct info compatible with {value_info}", got=info, span=span)
    return MatchedCast(expr, info)


@_offer("emit", needs_kernel=True)
def emit(parser: GraphReader, span: Span, value: object, annotate_struct_info: object = None) -> Any:
    """Bind a value to a new variable."""
    info = None if annotate_struct_info is None else resolve_struct_info(parser, annotate_struct_info, span)
    return parser.bindings.bind(parser.as_value(value, span), None, span, info)


@_offer("emit_match_cast", needs_kernel=True)
def emit_match_cast(parser: GraphReader, span: Span, value: object, struct_info: object) -> object:
    """Bind a new variable to a value with more precise struct info."""
    cast = match_cast(parser, span, value, struct_info)
    return parser.bindings.bind_cast(cast.value, cast.info, None, span)


@_offer("to_vdevice", needs_kernel=True)
def to_vdevice(parser: GraphReader, span: Span, data: Any, dst_vdevice: Any) -> Call:
    """Copy a tensor to another device of the module, given as `"cuda:1"` or as `R.vdevice`."""
    if isinstance(dst_vdevice, str):
        dst_vdevice = device_named(parser.session.global_infos, dst_vdevice, span)
    return Call(Op.get("relax.to_vdevice"), (data,), {"dst_vdevice": dst_vdevice}, span=span)


@_offer("linear", needs_kernel=True)
def linear(
    parser: GraphReader, span: Span, data: object, weight: object, bias: object = None, out_dtype: object = None
) -> RelaxExpr:
    """Compute `matmul(data, permute_dims(weight))`, plus `bias` if it is given."""
    transposed = _call("permute_dims", parser.as_value(weight, span), span=span)
    product = _call("matmul", parser.as_value(data, span), transposed, out_dtype=out_dtype, span=span)
    return product if bias is None else _call("add", product, parser.as_value(bias, span), span=span)


def _call(name: str, *args: object, **kwargs: object) -> Call:
    operator: Any = Op.get(f"relax.{name}")
    return script_function_of(operator)(*args, **kwargs)


#: unsupported name -> the part of TVM it belongs to
_REFUSED: Final = {
    **dict.fromkeys(("If", "Then", "Else", "SeqExpr", "arg", "emit_var_binding"), BUILDER),
    "emit_te": "kernels in Python code (a text holds programs)",
    "rewriter": "passes in Python code (a text holds programs)",
}
RELAX.update({name: UnsupportedName(f"R.{name}", place) for name, place in _REFUSED.items()})

#: alias -> operator
_ALIASES: Final = {"stop_lift_params": "builtin.stop_lift_params"}


def _fill() -> None:
    """Add every registered operator under its name: `relax.nn.relu` is `R.nn.relu`."""
    assert all_operators  # importing it registers the operators
    for name, builtin in DISTRIBUTED.items():
        _put(RELAX, name.split("."), "R", builtin)
    for name, operator in Op.registry.items():
        if isinstance(operator, Operator):
            _put(RELAX, name.removeprefix("relax.").split("."), "R", _builtin(operator.script_name, operator))
    RELAX["distributed"] = RELAX["dist"]  # both are names of it in TVM
    for alias, name in _ALIASES.items():
        operator = Op.get(f"relax.{name}")
        assert isinstance(operator, Operator)
        _put(RELAX, alias.split("."), "R", _builtin(f"R.{alias}", operator))


def _builtin(name: str, operator: Operator) -> Builtin:
    """Return the builtin of an operator, with the docstring of its function or of the operator."""
    builtin = Builtin(name, script_function_of(operator))
    builtin.__doc__ = builtin.__doc__ or operator.doc
    return builtin


def _put(table: dict[str, Any], path: list[str], owner: str, builtin: Builtin) -> None:
    *outer, last = path
    for part in outer:
        owner = f"{owner}.{part}"
        inner: Any = table.setdefault(part, Namespace(owner, {}))
        table = inner.table
    table.setdefault(last, builtin)


_fill()
