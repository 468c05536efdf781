"""Relax expressions. Constructors infer the struct info of the new node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from tvmscript.ir.core import INT64, DType, Op, Span, WrongType
from tvmscript.ir.core.attrs import CallAttrs
from tvmscript.ir.core.module import GlobalVar, Member, call_global
from tvmscript.ir.core.node import Building, Node, binds, filled, matches, node, note
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.distributed_inference import infer_distributed
from tvmscript.ir.relax.errors import InvalidCall
from tvmscript.ir.relax.infer_call import BY_SINFO_ARGS, derive_call_ret_struct_info
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.struct_info import (
    FuncStructInfo,
    ObjectStructInfo,
    PrimStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.relax.struct_info import ShapeExpr as ShapeExpr
from tvmscript.ir.relax.struct_info_lattice import struct_info_lca
from tvmscript.ir.tir import Expr, as_expr

#: the callee of a call: an operator, a function of the module, or a function value
Callee = Op | GlobalVar | RelaxExpr


@node
class Var(RelaxExpr):
    """A variable, visible in its whole function."""

    # part of structural equality: equal variables have equal struct info
    struct_info: StructInfo | None = None
    name_hint: str = note(default="")

    is_name: ClassVar[bool] = True
    infers: ClassVar[bool] = False
    argument_order: ClassVar[tuple[str, ...]] = ("name_hint", "struct_info")

    def __init__(
        self: Building, name_hint: str, struct_info: StructInfo | None = None, span: Span | None = None
    ) -> None:
        self.name_hint = name_hint
        self.struct_info = struct_info
        self.span = span

    @property
    def name(self) -> str:
        return self.name_hint

    @property
    def vid(self) -> Var:
        """The variable itself. In TVM, variables are compared by their `vid`."""
        return self

    def __call__(self, *args: RelaxExpr) -> Call:
        """Return the call of a variable that holds a function."""
        return Call(self, args)


@node
class DataflowVar(Var):
    """A variable that is visible only inside its dataflow block."""

    def __init__(
        self: Building, name_hint: str, struct_info: StructInfo | None = None, span: Span | None = None
    ) -> None:
        Var.__init__(self, name_hint, struct_info, span)


@node
class Constant(RelaxExpr):
    """Constant data: a NumPy array or `constant_data.Data`. Narrow floats are stored as bits of `dtype`."""

    data: Any
    dtype: DType

    if TYPE_CHECKING:  # accepts names of dtypes

        def __init__(
            self, data: object, dtype: DType | str, *, struct_info: StructInfo | None = None, span: Span | None = None
        ) -> None: ...

    def __post_init__(self: Building) -> None:
        self.dtype = DType(self.dtype)
        if self.struct_info is None:
            self.struct_info = TensorStructInfo(ShapeExpr(self.data.shape), self.dtype)


@node
class PrimValue(RelaxExpr):
    """A TIR scalar as a value."""

    value: Expr

    if TYPE_CHECKING:  # accepts Python numbers

        def __init__(
            self, value: Expr | float, *, struct_info: StructInfo | None = None, span: Span | None = None
        ) -> None: ...

    def __post_init__(self: Building) -> None:
        self.value = as_expr(self.value, INT64 if type(self.value) is int else None)
        self.struct_info = PrimStructInfo(self.value.dtype, self.value)


@node
class StringImm(RelaxExpr):
    """A string as a value."""

    value: str

    def __post_init__(self: Building) -> None:
        self.struct_info = ObjectStructInfo()


@node
class DataTypeImm(RelaxExpr):
    """A data type as a value."""

    value: DType

    def __post_init__(self: Building) -> None:
        self.value = DType(self.value)
        self.struct_info = ObjectStructInfo()


@node
class ExternFunc(Member, RelaxExpr):
    """An external function, by name. It is a value, and may be a member of a module."""

    global_symbol: str

    infers: ClassVar[bool] = False

    def __post_init__(self: Building) -> None:
        if self.struct_info is None:
            self.struct_info = FuncStructInfo(None, ObjectStructInfo(), purity=False, derive_func=BY_SINFO_ARGS)


@node
class Tuple(RelaxExpr):
    """A tuple of values."""

    fields: tuple[RelaxExpr, ...] = ()

    def __post_init__(self: Building) -> None:
        self.fields = tuple(self.fields)
        infos = [field.struct_info for field in self.fields]
        if self.struct_info is None and None not in infos:
            self.struct_info = TupleStructInfo(tuple(infos))

    def __getitem__(self, index: int) -> RelaxExpr:
        return self.fields[index]

    def __len__(self) -> int:
        return len(self.fields)

    def __iter__(self) -> Iterator[RelaxExpr]:
        return iter(self.fields)


@node
class TupleGetItem(RelaxExpr):
    """An item of a tuple. Raises `WrongType` for an index out of range."""

    tuple_value: RelaxExpr
    index: int

    def __post_init__(self: Building) -> None:
        info = self.tuple_value.struct_info
        if not isinstance(info, TupleStructInfo):
            return  # unknown before run time
        if not 0 <= self.index < len(info.fields):
            raise WrongType(where="an index", expected=f"0 to {len(info.fields) - 1}", got=self.index, span=self.span)
        if self.struct_info is None:
            self.struct_info = info.fields[self.index]


@node
class Call(RelaxExpr):
    """A call of an operator or a function. The constructor infers `struct_info`; it raises `InvalidCall`.

    `attrs` are plain values (int, float, bool, str, None, tuples of them, nodes such as IndexMap) in the order in which
    the operator declares them.
    """

    op: Any
    args: tuple[RelaxExpr | GlobalVar, ...] = ()
    attrs: dict[str, Any] = filled(default=None)
    sinfo_args: tuple[StructInfo, ...] = ()

    def __init__(
        self: Building,
        op: Callee | str,
        args: Sequence[RelaxExpr | GlobalVar] = (),
        attrs: Mapping[str, object] | None = None,
        sinfo_args: Sequence[StructInfo] = (),
        struct_info: StructInfo | None = None,
        span: Span | None = None,
    ) -> None:
        self.op = Op.get(op) if isinstance(op, str) else op
        self.args = tuple(args)
        self.sinfo_args = tuple(sinfo_args)
        self.span = span
        self.struct_info = struct_info
        if not isinstance(self.op, Operator):
            self.attrs = CallAttrs(attrs or {})
            self.struct_info = struct_info or _result_of(self)
            return
        self.attrs = CallAttrs(self.op.complete_attrs(attrs or {}, span))
        if struct_info is None:
            try:
                self.struct_info = self.op.infer_struct_info(self)
            except InvalidCall as error:
                self.struct_info = infer_distributed(self, error)


call_global.fill(Call)


def _result_of(call: Call) -> StructInfo | None:
    func = getattr(call.op, "struct_info", None)
    if not isinstance(func, FuncStructInfo):
        return None
    name = getattr(call.op, "name_hint", None) or getattr(call.op, "global_symbol", "a function")
    return derive_call_ret_struct_info(str(name), func, call.args, call.sinfo_args, call.span)


@node
class If(RelaxExpr):
    """A conditional value; the branches are sequences."""

    has_lines: ClassVar[bool] = True

    cond: RelaxExpr
    true_branch: SeqExpr
    false_branch: SeqExpr

    def __post_init__(self: Building) -> None:
        left, right = self.true_branch.struct_info, self.false_branch.struct_info
        if self.struct_info is None and left is not None and right is not None:
            self.struct_info = struct_info_lca(left, right)


@node
class Binding(Node):
    """Base class of bindings."""

    has_lines: ClassVar[bool] = True


@node
class VarBinding(Binding):
    """Binds a variable to a value."""

    var: Var = binds()
    value: RelaxExpr


@node
class MatchCast(Binding):
    """Binds a variable to a value with more precise struct info, which is checked at run time.

    It defines the size variables of `struct_info` that are not yet in scope.
    """

    var: Var = binds()
    value: RelaxExpr
    struct_info: StructInfo = matches()


@node
class BindingBlock(Node):
    """Bindings in order."""

    has_lines: ClassVar[bool] = True

    bindings: tuple[Binding, ...] = ()


@node
class DataflowBlock(BindingBlock):
    """Bindings without side effects or control flow. Variables other than DataflowVar are its outputs."""


@node
class SeqExpr(RelaxExpr):
    """Blocks of bindings and the result. Empty blocks are dropped."""

    has_lines: ClassVar[bool] = True

    blocks: tuple[BindingBlock, ...]
    body: RelaxExpr

    def __post_init__(self: Building) -> None:
        if not all(block.bindings for block in self.blocks):
            self.blocks = tuple([block for block in self.blocks if block.bindings])
        if self.struct_info is None:
            self.struct_info = self.body.struct_info
