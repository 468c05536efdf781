"""The tile level of 0.27: ids of scopes, tile primitives, hints, tensor maps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tvmscript.ir.core import BOOL, Span, WrongType, closest
from tvmscript.ir.core.attrs import attributes
from tvmscript.ir.core.errors import UnknownName, WrongArgumentCount
from tvmscript.ir.tir import AttrStmt, Buffer, BufferRegion, Expr, IntImm, Range, Stmt, Var, operators
from tvmscript.ir.tir.tile import SCOPE_IDS, ScopeIdDef, TensorMapType, TileCall, TileLambda, TileOp
from tvmscript.parser.builtins.argument_checks import extent_of, text, value_of
from tvmscript.parser.frames import KernelReader, Wrapper
from tvmscript.parser.names.namespace import Builtin, Namespace
from tvmscript.parser.names.parameters import Lambda
from tvmscript.parser.names.unsupported import UnsupportedName
from tvmscript.parser.tir.builtins.constructors import as_dtype
from tvmscript.parser.v0_27.fragments import FRAGMENTS
from tvmscript.parser.v0_27.layouts import LAYOUTS
from tvmscript.parser.v0_27.tensor_memory_pool import POOLS
from tvmscript.parser.v0_27.unsupported_names import PYTHON

# ids


def _scope_ids(
    name: str, parser: KernelReader, span: Span, extents: object, preferred: object, dtype: object
) -> Wrapper:
    sizes, wanted = _extents(name, extents, span), _extents(name, preferred, span)
    ids = tuple([Var("", as_dtype(dtype), None, span) for _ in sizes or (None,)])
    value: object = ids[0] if len(ids) == 1 else ids
    return Wrapper(value, span, lambda body: ScopeIdDef(ids, sizes, name, body, wanted, span=span))


def _extents(name: str, given: object, span: Span) -> tuple[Expr, ...]:
    if given is None:
        return ()
    items = given if isinstance(given, (tuple, list)) else (given,)
    return tuple([extent_of(f"T.{name}", item, span) for item in items])


def _id(name: str) -> Builtin:
    def define(
        parser: KernelReader,
        span: Span,
        extents: object = None,
        preferred: object = None,
        dtype: object = "int32",
    ) -> Wrapper:
        return _scope_ids(name, parser, span, extents, preferred, dtype)

    scope, around = SCOPE_IDS[name]
    define.__doc__ = f"Define the ids of this {scope} in its {around}, given how many there are."
    return Builtin(f"T.{name}", define, True)


def cta_id_in_pair(parser: KernelReader, span: Span, dtype: object = "int32") -> Wrapper:
    """Define the id of this cta in its pair."""
    return _scope_ids("cta_id_in_pair", parser, span, None, None, dtype)


def scope_id(
    parser: KernelReader, span: Span, extents: object, parent: str, cur: str, dtype: object = "int32"
) -> Wrapper:
    """Define the ids of a scope in another one."""
    for name, (scope, around) in SCOPE_IDS.items():
        if (scope, around) == (cur, parent):
            return _scope_ids(name, parser, span, extents, None, dtype)
    raise WrongType(where="T.scope_id", expected="two scopes", got=f"{parent!r} and {cur!r}", span=span)


def device_entry(parser: KernelReader, span: Span) -> Wrapper:
    """Begin the code of the device: the rest of the body."""
    zero, true = IntImm("int32", 0), IntImm(BOOL, 1)
    return Wrapper(None, span, lambda body: AttrStmt(zero, "tir.device_entry", true, body, span=span))


def hint(parser: KernelReader, span: Span, message: str = "", **attrs: object) -> Wrapper:
    """Hints of the tile level for the body."""
    facts = attributes({"message": text("T.hint", message), **attrs} if message else attrs)
    one = IntImm("int32", 1)
    return Wrapper(None, span, lambda body: AttrStmt(facts, "tirx_hint", one, body, span=span))


def tensor_map(span: Span | None = None) -> Var:
    """A new variable: the descriptor of a tensor in global memory."""
    return Var("", TensorMapType(), None, span)


def wg_reg_tile(parser: KernelReader, span: Span, elem_per_thread: object, dtype: object = "float32") -> Wrapper:
    """Allocate registers: so many elements for each of the 128 threads of a warpgroup."""
    from tvmscript.parser.v0_27.buffers import alloc_buffer
    from tvmscript.parser.v0_27.layouts import LayoutSpec, shard, tile_layout

    layout = tile_layout(shard(slice((128, elem_per_thread), (LayoutSpec(offset=(("tid_in_wg", 1),)), 1)), span), span)
    return alloc_buffer(parser, span, (128, elem_per_thread), dtype, scope="local", layout=layout)


# tile primitives

#: primitive -> its parameters; those with a default may be left out
_PRIMITIVES = """
add dst src1 src2
sub dst src1 src2
mul dst src1 src2
fdiv dst src1 src2
maximum dst src1 src2
minimum dst src1 src2
copy dst src=None
copy_async dst src=None
permute_layout dst src=None
cast dst src=None
silu dst src=None
reciprocal dst src=None
exp dst src=None bias=None scale=None
exp2 dst src=None bias=None scale=None
log2 dst src=None bias=None scale=None
sqrt dst src=None bias=None scale=None
zero dst src=None
fill dst value
memset dst value
fma dst src scale bias
sum dst src axes=-1 accum=False
max dst src axes=-1 accum=False
min dst src axes=-1 accum=False
gemm D A B C transpose_A=False transpose_B=False alpha=1.0 beta=0.0
gemm_async C A B SFA=None SFB=None transA=False transB=False accum=False
select dst true_value false_value pred
binary_reduce binary_output reduce_output binary_input1 binary_input2 binary_op reduce_op reduce_axes=-1
unary_reduce unary_output reduce_output unary_input unary_op reduce_op bias=None scale=None reduce_axes=-1
binary_chain output data operand0 operand1 op0 op1 reverse1=False
reduce_negate output input reduce_axes=-1 accum=False reduce_op=None
"""
_DEFAULTS: dict[str, object] = {"None": None, "False": False, "-1": -1, "0.0": 0.0, "1.0": 1.0}
PRIMITIVES: dict[str, dict[str, str | None]] = {
    name: {param: default or None for param, _, default in [part.partition("=") for part in params]}
    for name, *params in [line.split() for line in _PRIMITIVES.split("\n") if line]
}
#: parameters that are lists of axes, and those that are primitives
_AXES, _OPS = ("axes", "reduce_axes"), ("binary_op", "reduce_op", "unary_op", "op0", "op1")
#: name of the namespace -> execution scope
SCOPE_NAMES = {
    "thread": "thread",
    "warp": "warp",
    "warpgroup": "warpgroup",
    "wg": "warpgroup",
    "cta": "cta",
    "cluster": "cluster",
}


def _primitive(op: str, scope: str) -> Builtin:
    params = PRIMITIVES[op]

    def call(
        parser: KernelReader,
        span: Span,
        *args: object,
        dispatch: object = None,
        workspace: Mapping[str, object] | None = None,
        **named: Any,
    ) -> Stmt:
        values, hints = _bind(op, params, args, named, span)
        options: dict[str, object] = {} if not workspace else {"workspace": dict(workspace)}
        options.update({} if dispatch is None else {"dispatch": dispatch})
        return TileCall(op, scope, tuple(values), {**options, **hints}, span=span)

    call.__doc__ = f"Call the tile primitive {op} in the scope {scope}."
    return Builtin(f"T.{scope}.{op}", call, True)


def _bind(
    op: str, params: Mapping[str, str | None], args: tuple[Any, ...], named: Mapping[str, Any], span: Span
) -> tuple[list[object], dict[str, object]]:
    """Return the arguments by position, defaults included, and the hints. Raises `WrongArgumentCount`."""
    names = list(params)
    if op == "gemm_async" and not _has_scales(args, named):
        names = [name for name in names if name not in ("SFA", "SFB")]
    elif op == "reduce_negate" and ("reduce_op" in named or isinstance(next(iter(args[2:3]), None), (str, TileOp))):
        names = ["output", "input", "reduce_op", "reduce_axes", "accum"]
    if len(args) > len(names):
        raise WrongArgumentCount(where=f"T.tile.{op}", expected=", ".join(names), got=len(args), span=span)
    given = dict(zip(names, args, strict=False))
    hints = {name: value for name, value in named.items() if name not in params}
    given.update({name: value for name, value in named.items() if name in params})
    values: dict[str, object] = {}
    for name in names:
        default = params[name]
        if name not in given and default is None:
            raise WrongArgumentCount(where=f"T.tile.{op}", expected=", ".join(names), got=len(args), span=span)
        values[name] = _argument(name, given.get(name, _DEFAULTS.get(default or "None")), span)
    if op == "reduce_negate" and names[2] == "reduce_op":
        values = {name: values[name] for name in params}
    if "bias" in values and values.get("src", 0) is None and "src" not in given and len(given) > 1:
        values["src"] = values["dst"]
    arguments = list(values.values())
    while arguments and arguments[-1] is None:
        arguments.pop()
    return arguments, hints


def _has_scales(args: tuple[Any, ...], named: Mapping[str, Any]) -> bool:
    """Whether a product is given scale factors, which stand in front of its flags."""
    if len(args) > 3:
        return args[3] is None or isinstance(args[3], (Buffer, BufferRegion))
    return "SFA" in named or "SFB" in named


def _argument(name: str, value: Any, span: Span) -> object:
    if isinstance(value, Buffer):
        zero = [IntImm(extent.dtype, 0) for extent in value.shape]
        return BufferRegion(value, tuple(Range(z, extent) for z, extent in zip(zero, value.shape, strict=True)))
    if isinstance(value, BufferRegion) or value is None:
        return value
    if name in _AXES:
        items = value if isinstance(value, (tuple, list)) else (value,)
        return tuple([value_of(item, span) for item in items])
    if name in _OPS:
        op = value.name if isinstance(value, TileOp) else text("a primitive", value)
        if op not in PRIMITIVES:
            raise UnknownName(kind="tile primitive", name=op, span=span, hint=closest(op, PRIMITIVES))
        return TileOp(op)
    if isinstance(value, Lambda) or callable(value):
        return _lambda(value, span)
    return value_of(value, span)


def _lambda(function: Callable[..., Any], span: Span) -> TileLambda:
    import inspect

    ids = tuple([Var(name, "int32", None, span) for name in inspect.signature(function).parameters])
    return TileLambda(ids, operators.as_expr(function(*ids), None, span), span=span)


def op_of_name(name: str, span: Span | None = None) -> TileOp:
    """A tile primitive by its name: `I.Op("tirx.tile.add")`."""
    full = text("I.Op", name)
    short = full.removeprefix("tirx.tile.")
    if short == full or short not in PRIMITIVES:
        raise UnknownName(kind="tile primitive", name=full, span=span)
    return TileOp(short, span=span)


def _namespace(name: str, scope: str) -> Namespace:
    return Namespace(f"T.{name}", {op: _primitive(op, scope) for op in PRIMITIVES})


_SCOPES: dict[str, Namespace] = {name: _namespace(name, scope) for name, scope in SCOPE_NAMES.items()}
TILE_LEVEL: dict[str, object] = {
    **{name: _id(name) for name in SCOPE_IDS},
    "cta_id_in_pair": Builtin("T.cta_id_in_pair", cta_id_in_pair, True),
    "scope_id": Builtin("T.scope_id", scope_id, True),
    "device_entry": Builtin("T.device_entry", device_entry, True),
    "hint": Builtin("T.hint", hint, True),
    "Op": Builtin("I.Op", op_of_name),
    "TensorMap": Builtin("T.TensorMap", tensor_map),
    "wg_reg_tile": Builtin("T.wg_reg_tile", wg_reg_tile, True),
    **FRAGMENTS,
    **LAYOUTS,
    **POOLS,
    **_SCOPES,
    "tile": Namespace(
        "T.tile",
        {
            **_SCOPES,
            **{op: _primitive(op, "thread") for op in PRIMITIVES},
            "TensorRegion": UnsupportedName("T.tile.TensorRegion", PYTHON),
        },
    ),
}
