"""VMShapeLower: compute sizes when the function runs, in a tensor that holds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from tvmscript.ir.core import HANDLE, INT64, VOID, GlobalVar, IRModule, Visitor, on, structural_equal
from tvmscript.ir.core.equality.hashing import structural_hash
from tvmscript.ir.relax.anf import is_leaf
from tvmscript.ir.relax.base import RelaxExpr, StructInfo, is_base_of
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import (
    Call,
    DataTypeImm,
    ExternFunc,
    MatchCast,
    PrimValue,
    StringImm,
    Tuple,
    TupleGetItem,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.call_packed import call_builtin_with_ctx
from tvmscript.ir.relax.op.value import null_value
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import (
    UNKNOWN_NDIM,
    FuncStructInfo,
    ObjectStructInfo,
    PrimStructInfo,
    ShapeExpr,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.relax.symbolic_shape import size_vars
from tvmscript.ir.relax.transform.errors import NotLoweredBefore
from tvmscript.ir.tir import BufferLoad, BufferStore, Expr, IntImm, PrimFunc, Stmt, cast, seq
from tvmscript.ir.tir import Var as SizeVar
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.functor import substitute
from tvmscript.ir.transform.base import Pass

#: struct info of a call without a result
_NOTHING = TupleStructInfo(())


class MatchCode(IntEnum):
    """What `vm.builtin.match_shape` does with an extent and the number behind the code."""

    EQUAL_TO_NUMBER = 0
    STORE = 1
    IGNORE = 2
    EQUAL_TO_LOAD = 3


class MakeCode(IntEnum):
    """Where `vm.builtin.make_shape` takes an extent from: the number behind the code, or the place of this number."""

    NUMBER = 0
    LOAD = 1


@dataclass(frozen=True)
class VMShapeLower(Pass):
    """Lower symbolic sizes to places of a tensor of int64, the shape heap.

    Builtins check the arguments, store the sizes that they define, and make shapes and scalars of stored sizes. Kernels
    `shape_func` compute the other sizes. `emit_err_ctx` gives the checks a text that names the value. Scalars of other
    dtypes than int64 stay. Raises `NotLoweredBefore` for local functions.

    rewrite:
        R.call_packed("f", R.shape([n, n * 2]))
          -->  gv = R.call_packed("vm.builtin.make_shape", shape_heap, ...)
               R.call_packed("f", gv)
    """

    name = "relax.VMShapeLower"
    emit_err_ctx: bool = field(default=True, kw_only=True)

    def run(self, mod: IRModule) -> IRModule:
        builder = BlockBuilder(mod)
        for var, func in mod.functions.items():
            if isinstance(func, Function):
                builder.update_func(var, _FunctionLowering(builder, var, func, self.emit_err_ctx).rewrite(func))
        return builder.finalize()


@dataclass(eq=False)
class _Slot:
    """A place of the shape heap, with the size that it holds."""

    index: int
    size: Expr
    is_stored: bool = False


class _Slots(Visitor):
    """The places of a function: one for each size that is no constant, in program order."""

    def __init__(self, func: Function) -> None:
        self.slots: list[_Slot] = []
        self._by_hash: dict[int, list[_Slot]] = {}
        for part in (*(param.struct_info for param in func.params), func.body, func.ret_struct_info):
            if part is not None:
                self.visit(part)

    @on(VarBinding)
    def var_binding(self, node: VarBinding) -> None:
        """Visit the value, then the struct info of the variable."""
        self.visit(node.value)
        if node.var.struct_info is not None:
            self.visit(node.var.struct_info)

    @on(Call)
    def call(self, node: Call) -> None:
        """Visit the struct info that a call states, then its arguments."""
        self._items((node.sinfo_args, node.args))

    @on(ShapeExpr, ShapeStructInfo)
    def shape(self, node: ShapeExpr | ShapeStructInfo) -> None:
        for size in node.values or ():
            if not isinstance(size, IntImm):
                self._add(size)

    @on(PrimValue, PrimStructInfo)
    def scalar(self, node: PrimValue | PrimStructInfo) -> None:
        if _is_lowered(node.value):
            assert node.value is not None
            self._add(node.value)

    @on(FuncStructInfo)
    def function(self, node: FuncStructInfo) -> None:
        """Leave out the sizes of a function: they are those of its calls."""

    def __getitem__(self, size: Expr) -> _Slot:
        slot = self._find(size)
        assert slot is not None
        return slot

    def _find(self, size: Expr) -> _Slot | None:
        candidates = self._by_hash.get(structural_hash(size), ())
        return next((slot for slot in candidates if structural_equal(slot.size, size)), None)

    def _add(self, size: Expr) -> None:
        if self._find(size) is not None:
            return
        slot = _Slot(len(self.slots), size)
        self.slots.append(slot)
        self._by_hash.setdefault(structural_hash(size), []).append(slot)


def _is_lowered(value: Expr | None) -> bool:
    """Whether a scalar is kept in the shape heap."""
    return value is not None and value.dtype is INT64 and not isinstance(value, IntImm)


@dataclass(frozen=True)
class _Match:
    """A value whose extents, or which itself, must equal sizes."""

    value: RelaxExpr
    sizes: tuple[Expr, ...]
    context: StringImm
    is_scalar: bool = False


class _FunctionLowering(RelaxRewriter):
    """Rewriter of one function."""

    def __init__(self, builder: BlockBuilder, var: GlobalVar, func: Function, emits_context: bool) -> None:
        super().__init__(builder)
        self.name = var.name_hint
        self.emits_context = emits_context
        self.slots = _Slots(func)
        self._allocation = Call(null_value)
        if self.slots.slots:
            args = [ExternFunc("vm.builtin.alloc_shape_heap"), Tuple((PrimValue(len(self.slots.slots)),))]
            self._allocation = Call(call_builtin_with_ctx, args, {}, [TensorStructInfo(dtype="int64", ndim=1)])
        self.heap = Var("shape_heap", self._allocation.struct_info)
        self._is_inside = False
        self._defined: set[SizeVar] = set()
        self._matches: list[_Match] = []

    @on(Function)
    def function(self, node: Function) -> Function:
        """Rewrite the body behind the checks of the parameters."""
        if self._is_inside:
            raise NotLoweredBefore(
                pass_name="relax.VMShapeLower", what="a local function", before="relax.LambdaLift", span=node.span
            )

        self._is_inside = True

        def fill() -> RelaxExpr:
            self.builder.begin_block(False)
            self._check_params(node.params, int(node.attrs.get("num_input", len(node.params))))
            for block in node.body.blocks:
                self.block(block)
            self.builder.begin_block(False)
            result: RelaxExpr = self.builder.normalize(self.value(node.body.body))
            if node.ret_struct_info is not None:
                context = self._context(f"fn={self.name}, loc=return, annotation={node.ret_struct_info}")
                self._check(result, node.ret_struct_info, context, is_known=True)
                self._match()
            return result

        self.builder.begin_scope(node.params)
        body = self.builder.sequence(fill)
        self.builder.end_scope()
        return node.replace(body=body)

    def _check_params(self, params: Sequence[Var], num_input: int) -> None:
        """Allocate the heap, and check the parameters against their struct info. Weights, which follow the inputs, are
        those of the build: their tensors of constant shapes are not checked.
        """
        self.builder.emit_normalized(VarBinding(self.heap, self._allocation))
        for number, param in enumerate(params):
            info = param.struct_info
            if info is not None:
                place = f"fn={self.name}, loc=param[{number}], param={param.name_hint}"
                is_weight = number >= num_input
                if not (is_weight and _is_static(info)):
                    self._check(param, info, self._context(f"{place}, annotation={info}"), False, is_weight)
        self._match()

    @on(MatchCast)
    def match_cast(self, node: MatchCast) -> None:
        value = self.value(node.value)
        if not is_leaf(value):
            value = self.builder.emit_argument(value)
        self._check(value, node.struct_info, self._context(f"match_cast, struct_info={node.struct_info}"), True)
        self._match()
        self.builder.emit_normalized(node if value is node.value else node.replace(value=value))

    # ---- sizes as values

    @on(StructInfo)
    def struct_info(self, node: StructInfo) -> StructInfo:
        """Leave struct info as it is: it is not computed."""
        return node

    @on(ShapeExpr)
    def shape(self, node: ShapeExpr) -> Any:
        symbolic = [size for size in node.values if not isinstance(size, IntImm)]
        if not symbolic or not all(self.slots[size].is_stored for size in symbolic):
            return node
        codes = [
            (MakeCode.NUMBER, size.value) if isinstance(size, IntImm) else (MakeCode.LOAD, self.slots[size].index)
            for size in node.values
        ]
        rank = len(node.values)
        return self._call("make_shape", [self.heap, PrimValue(rank), *_numbers(codes)], ShapeStructInfo(None, rank))

    @on(PrimValue)
    def prim_value(self, node: PrimValue) -> Any:
        if not _is_lowered(node.value) or not self.slots[node.value].is_stored:
            return node
        code = MakeCode.LOAD, self.slots[node.value].index
        return self._call("make_prim_value", [self.heap, *_numbers([code])], PrimStructInfo(value=node.value))

    # ---- checks

    def _context(self, text: str) -> StringImm:
        return StringImm(f"ErrorContext({text}) " if self.emits_context else "")

    def _call(self, name: str, args: Sequence[RelaxExpr], info: StructInfo) -> Any:
        """Return the variable of the call of a builtin; checks have no result."""
        return self.builder.emit(_builtin_call(name, args, info), "_" if info is _NOTHING else "")

    def _check(
        self, value: RelaxExpr, info: StructInfo, context: StringImm, is_known: bool, is_weight: bool = False
    ) -> None:
        """Emit the checks of a value, and note the sizes to match.

        `is_known` leaves out what the struct info of the value already says, `is_weight` tensors of constant shapes.
        """
        given = value.struct_info if is_known else None
        if given is not None and is_base_of(info, given):
            return
        if isinstance(info, TensorStructInfo):
            self._check_tensor(value, info, given, context)
        elif isinstance(info, ShapeStructInfo):
            if not (isinstance(given, ShapeStructInfo) and info.ndim in (UNKNOWN_NDIM, given.ndim)):
                self._call("check_shape_info", [value, PrimValue(info.ndim), context], _NOTHING)
            if info.values is not None:
                self._matches.append(_Match(value, info.values, context))
        elif isinstance(info, PrimStructInfo):
            if not (isinstance(given, PrimStructInfo) and given.dtype is info.dtype):
                self._call("check_prim_value_info", [value, DataTypeImm(info.dtype), context], _NOTHING)
            if info.value is not None and info.dtype is INT64:
                self._matches.append(_Match(value, (info.value,), context, is_scalar=True))
        elif isinstance(info, TupleStructInfo):
            if not isinstance(given, TupleStructInfo):
                self._call("check_tuple_info", [value, PrimValue(len(info.fields)), context], _NOTHING)
            for index, part in enumerate(info.fields):
                if not (is_weight and _is_static(part)):
                    self._check(self._item(value, index), part, context, is_known, is_weight)
        elif isinstance(info, FuncStructInfo) and not isinstance(given, FuncStructInfo):
            self._call("check_func_info", [value, context], _NOTHING)

    def _check_tensor(
        self, value: RelaxExpr, info: TensorStructInfo, given: StructInfo | None, context: StringImm
    ) -> None:
        is_of_kind = (
            isinstance(given, TensorStructInfo)
            and info.ndim in (UNKNOWN_NDIM, given.ndim)
            and info.dtype in (VOID, given.dtype)
        )
        if not is_of_kind:
            self._call("check_tensor_info", [value, PrimValue(info.ndim), DataTypeImm(info.dtype), context], _NOTHING)
        if info.extents is not None:
            self._matches.append(_Match(value, info.extents, context))

    def _item(self, value: RelaxExpr, index: int) -> RelaxExpr:
        """Return an item of a tuple, which is bound where a check needs it."""
        if isinstance(value, Tuple):
            return value.fields[index]
        if isinstance(value.struct_info, TupleStructInfo):
            return TupleGetItem(value, index)
        return _builtin_call("tuple_getitem", [value, PrimValue(index)], ObjectStructInfo())

    # ---- matches

    def _match(self) -> None:
        """Emit the noted matches; those of sizes that need others first follow the computation of these."""
        matches, self._matches = self._matches, []
        while matches:
            defined: list[SizeVar] = []
            later = [match for match in matches if not self._emit_match(match, defined)]
            self._compute(defined)
            if len(later) == len(matches) and not defined:
                return
            matches = later

    def _emit_match(self, match: _Match, defined: list[SizeVar]) -> bool:
        """Emit a match, and add the variables that it stores; return whether it compares all sizes."""
        codes: list[tuple[int, int]] = []
        for size in match.sizes:
            if isinstance(size, IntImm):
                codes.append((MatchCode.EQUAL_TO_NUMBER, size.value))
                continue
            slot = self.slots[size]
            if slot.is_stored:
                codes.append((MatchCode.EQUAL_TO_LOAD, slot.index))
            elif isinstance(size, SizeVar):
                codes.append((MatchCode.STORE, slot.index))
                slot.is_stored = True
                defined.append(size)
            else:
                codes.append((MatchCode.IGNORE, 0))
        if any(code is not MatchCode.IGNORE for code, _ in codes):
            name = "match_prim_value" if match.is_scalar else "match_shape"
            rank = [] if match.is_scalar else [PrimValue(len(codes))]
            self._call(name, [match.value, self.heap, *rank, *_numbers(codes), match.context], _NOTHING)
        return all(code is not MatchCode.IGNORE for code, _ in codes)

    def _compute(self, defined: Sequence[SizeVar]) -> None:
        """Call a kernel that computes the sizes of variables that are stored now."""
        heap = make_buffer((IntImm(INT64, len(self.slots.slots)),), INT64, "H")

        def load(slot: _Slot) -> BufferLoad:
            return BufferLoad(heap, (IntImm(INT64, slot.index),))

        stores: list[Stmt] = []
        for var in defined:
            self._defined.add(var)
            for slot in self.slots.slots:
                used = size_vars(slot.size)
                if not slot.is_stored and var in used and self._defined.issuperset(used):
                    slot.is_stored = True
                    value = substitute(slot.size, {each: load(self.slots[each]) for each in used})
                    stores.append(BufferStore(heap, cast(INT64, value), (IntImm(INT64, slot.index),)))
        if stores:
            handle = SizeVar(heap.name, HANDLE)
            attrs = {"tir.is_host_func": 1}
            kernel = PrimFunc((handle,), seq(*stores), buffer_map={handle: heap}, attrs=attrs)
            callee = self.builder.add_func(kernel, "shape_func")
            self.builder.emit(Call(callee, [self.heap], struct_info=_NOTHING), "_")


def _builtin_call(name: str, args: Sequence[RelaxExpr], info: StructInfo) -> Call:
    return Call(ExternFunc(f"vm.builtin.{name}"), args, {}, [info], info)


def _numbers(codes: Iterable[tuple[int, int]]) -> Iterator[PrimValue]:
    """Yield codes and numbers as arguments."""
    for code, number in codes:
        yield PrimValue(int(code))
        yield PrimValue(number)


def _is_static(info: StructInfo) -> bool:
    """Whether it is that of a tensor of constant shape."""
    extents = info.extents if isinstance(info, TensorStructInfo) else None
    return extents is not None and all(isinstance(extent, IntImm) for extent in extents)
