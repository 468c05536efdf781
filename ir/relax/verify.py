"""Well-formedness of the graph level: one walk in the order of the text, which checks every one of the `rules`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tvmscript.ir.core.errors import IRError, together
from tvmscript.ir.core.module import BaseFunc, GlobalVar, IRModule
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.recursion import deep_recursion
from tvmscript.ir.core.span import Span
from tvmscript.ir.relax.anf import LEAVES, is_leaf
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.distributed import DTensorStructInfo
from tvmscript.ir.relax.errors import (
    ControlFlowInDataflow,
    DataflowVarOutside,
    DuplicateBinding,
    GlobalSymbolMismatch,
    ImpureCall,
    ImpureForcePure,
    MissingStructInfo,
    NestedKernel,
    NotInNormalForm,
    ResultMismatch,
    SharedSizeVar,
    StructInfoMismatch,
    UndefinedGlobal,
    UndefinedSizeVar,
    UndefinedValue,
    WrongCondition,
)
from tvmscript.ir.relax.expr import (
    BindingBlock,
    Call,
    DataflowBlock,
    DataflowVar,
    If,
    MatchCast,
    PrimValue,
    SeqExpr,
    ShapeExpr,
    Tuple,
    TupleGetItem,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.kernel_calls import check_kernel_call
from tvmscript.ir.relax.struct_info import (
    FuncStructInfo,
    PrimStructInfo,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.relax.struct_info_lattice import BaseCheckResult, struct_info_base_check
from tvmscript.ir.relax.symbolic_shape import definable_tir_vars_in_struct_info, size_vars
from tvmscript.ir.relax.variables import is_impure_call
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.expr import Var as SizeVar


def verify(program: Node, *, kernel_calls: bool = True, results: bool = True) -> None:
    """Raise what is wrong with a function of the graph level, or with those of a module: an error with all of its
    `errors`. Functions of the tensor level are not looked at (`ir.tir.verify`). Without `kernel_calls`, as in TVM 0.17,
    calls of kernels may give what these do not take; without `results`, as in every TVM, functions may say of their
    results what is not so.
    """
    errors = find_errors(program, kernel_calls=kernel_calls, results=results)
    if errors:
        raise together(errors)


def find_errors(program: Node, *, kernel_calls: bool = True, results: bool = True) -> list[IRError]:
    """Everything that is wrong with a function, or with those of a module."""
    walk = _Verifier(program if isinstance(program, IRModule) else None, kernel_calls, results)
    with deep_recursion():
        if isinstance(program, Function):
            walk.function(program)
        elif isinstance(program, IRModule):
            for name, func in program.items():
                if isinstance(func, Function):
                    walk.member(name.name_hint, func)
    return walk.errors


def _sizes_of(info: StructInfo | None) -> Iterable[Any]:
    """The sizes in struct info, those of functions in it not counted, which are variables of their own."""
    if isinstance(info, TensorStructInfo):
        yield from info.extents or ()
    elif isinstance(info, ShapeStructInfo):
        yield from info.values or ()
    elif isinstance(info, DTensorStructInfo):
        yield from info.tensor_sinfo.extents or ()
    elif isinstance(info, PrimStructInfo):
        yield from () if info.value is None else (info.value,)
    elif isinstance(info, TupleStructInfo):
        for field in info.fields:
            yield from _sizes_of(field)


class _Verifier:
    """What is seen at a place, while a program is walked."""

    def __init__(self, module: IRModule | None, kernel_calls: bool, results: bool) -> None:
        self.module = module
        #: the module whose kernels are looked at
        self.kernels = module if kernel_calls else None
        #: whether results are compared with what functions say of them
        self.results = results
        self.errors: list[IRError] = []
        self.values: set[Var] = set()
        self.sizes: set[Any] = set()
        #: everything that was bound anywhere
        self.bound: set[Var] = set()
        #: names that were told already
        self.told: set[Node] = set()
        self.in_dataflow = False
        self.is_pure = False
        #: the function of the module that is walked
        self.member_name = ""
        #: size -> the function of the module that defines it
        self.owners: dict[SizeVar, str] = {}

    def tell(self, error: IRError, name: Node | None = None) -> None:
        if name is not None:
            if name in self.told:
                return
            self.told.add(name)
        self.errors.append(error)

    # ---- scopes

    def member(self, name: str, func: Function) -> None:
        """A function of the module."""
        symbol = func.attrs.get("global_symbol")
        if symbol is not None and str(symbol) != name:
            self.tell(GlobalSymbolMismatch(name=name, got=symbol, span=func.span))
        self.member_name = name
        self.function(func)

    def function(self, func: Function) -> None:
        """A function: it sees what is bound around it, and its parameters."""
        outside = self.values, self.sizes, self.in_dataflow, self.is_pure
        self.values, self.sizes = set(self.values), set(self.sizes)
        self.in_dataflow = False
        forced = func.attrs.get("relax.force_pure", False)
        is_forced = bool(getattr(forced, "value", forced))
        if is_forced and not func.is_pure:
            self.tell(ImpureForcePure(span=func.span))
        self.is_pure = func.is_pure and not is_forced
        for param in func.params:
            if param.struct_info is not None:
                self._define(param.struct_info)
                if isinstance(param.struct_info, PrimStructInfo):
                    self.sizes.update(size_vars(param.struct_info.value) if param.struct_info.value is not None else ())
        for param in func.params:
            self._bind(param, func.span)
        self._info(func.ret_struct_info, func.span)
        self._sequence(func.body)
        said, found = func.ret_struct_info, func.body.struct_info
        if self.results and said is not None and found is not None and _is_contradiction(said, found):
            name = str(func.attrs.get("global_symbol", "the function"))
            self.tell(ResultMismatch(name=name, expected=said, got=found, span=said.span or func.span))
        self.values, self.sizes, self.in_dataflow, self.is_pure = outside

    def _define(self, info: StructInfo) -> None:
        found = definable_tir_vars_in_struct_info(info)
        self.sizes.update(found)
        for var in found:
            first = self.owners.setdefault(var, self.member_name)
            if first != self.member_name:
                self.tell(SharedSizeVar(name=var.name, first=first, second=self.member_name, span=info.span), var)

    def _bind(self, var: Var, span: Span | None) -> None:
        if var in self.bound:
            self.tell(DuplicateBinding(name=var.name_hint, span=var.span or span))
        self.bound.add(var)
        self.values.add(var)
        if var.struct_info is None:
            self.tell(MissingStructInfo(name=var.name_hint, span=var.span or span))
        self._info(var.struct_info, var.span or span)

    def _branch(self, body: SeqExpr) -> None:
        outside = self.values, self.sizes
        self.values, self.sizes = set(self.values), set(self.sizes)
        self._sequence(body)
        self.values, self.sizes = outside

    def _sequence(self, body: RelaxExpr) -> None:
        if not isinstance(body, SeqExpr):
            self.tell(NotInNormalForm(what=_describe_value(body), owner="a function or a branch", span=body.span))
            self._value(body)
            return
        for block in body.blocks:
            self._block(block)
        self._argument(body.body, "a sequence")

    def _block(self, block: BindingBlock) -> None:
        outside = self.in_dataflow
        self.in_dataflow = isinstance(block, DataflowBlock)
        inner: list[Var] = []
        for binding in block.bindings:
            if isinstance(binding, MatchCast):
                if isinstance(binding.value, Call | TupleGetItem):
                    self._value(binding.value)
                else:
                    self._argument(binding.value, "R.match_cast")
                self._define(binding.struct_info)
                self._info(binding.struct_info, binding.span)
                self._bind(binding.var, binding.span)
                self._fits(binding.var, binding.struct_info, binding.value.struct_info, binding.span)
            elif isinstance(binding, VarBinding):
                self._var_binding(binding)
            else:
                continue
            if isinstance(binding.var, DataflowVar):
                inner.append(binding.var)
        self.values.difference_update(inner)
        self.in_dataflow = outside

    def _var_binding(self, binding: VarBinding) -> None:
        var, value = binding.var, binding.value
        if isinstance(value, Function):
            self._bind(var, binding.span)  # it may call itself
            self.function(value)
            return
        if isinstance(value, BaseFunc):
            self.tell(NestedKernel(name=var.name_hint, span=binding.span))
            self._bind(var, binding.span)
            return
        if isinstance(value, If) and self.in_dataflow:
            self.tell(ControlFlowInDataflow(name=var.name_hint, span=value.span or binding.span))
        self._value(value)
        self._bind(var, binding.span)
        self._fits(var, var.struct_info, value.struct_info, binding.span)

    def _fits(self, var: Var, said: StructInfo | None, known: StructInfo | None, span: Span | None) -> None:
        """What is said of a variable may be true of its value."""
        if said is None or known is None or said is known:
            return
        if _is_contradiction(said, known):
            self.tell(StructInfoMismatch(name=var.name_hint, expected=said, got=known, span=var.span or span))

    # ---- values

    def _value(self, value: Any) -> None:
        """A value that a variable is bound to: its parts are leaves."""
        if isinstance(value, Call):
            self._call(value)
        elif isinstance(value, Tuple):
            self._arguments(value.fields, "a tuple")
        elif isinstance(value, TupleGetItem):
            self._argument(value.tuple_value, "an item of a tuple")
        elif isinstance(value, If):
            self._if(value)
        elif isinstance(value, SeqExpr):
            self._branch(value)
        elif isinstance(value, Function):
            self.function(value)
        else:
            self._argument(value, "a binding")

    def _arguments(self, values: Sequence[Any], owner: str) -> None:
        for value in values:
            self._argument(value, owner)

    def _argument(self, value: Any, owner: str) -> None:
        if isinstance(value, Var):
            self._use(value)
        elif isinstance(value, GlobalVar):
            if self.module is not None and value not in self.module:
                self.tell(UndefinedGlobal(name=value.name_hint, span=value.span), value)
        elif isinstance(value, ShapeExpr):
            self._used_sizes(value.values, value.span)
        elif isinstance(value, PrimValue):
            self._used_sizes((value.value,), value.span)
        elif isinstance(value, Tuple):
            self._arguments(value.fields, owner)
        elif not isinstance(value, LEAVES):
            if not is_leaf(value) and isinstance(value, RelaxExpr):
                self.tell(NotInNormalForm(what=_describe_value(value), owner=owner, span=value.span))
            self._value_inside(value)

    def _value_inside(self, value: Any) -> None:
        if isinstance(value, Call | TupleGetItem | If | SeqExpr | Function):
            self._value(value)

    def _use(self, var: Var) -> None:
        if var in self.values:
            return
        if isinstance(var, DataflowVar) and var in self.bound:
            self.tell(DataflowVarOutside(name=var.name_hint, span=var.span), var)
        else:
            self.tell(UndefinedValue(name=var.name_hint, span=var.span), var)

    def _call(self, call: Call) -> None:
        self._arguments([call.op] if isinstance(call.op, Node) else [], "a call")
        self._arguments(call.args, _describe_value(call))
        for info in call.sinfo_args:
            self._info(info, call.span)
        wrong = None if self.kernels is None else check_kernel_call(call, self.kernels)
        if wrong is not None:
            self.tell(wrong)
        if not (self.in_dataflow or self.is_pure) or not is_impure_call(call):
            return
        where = "a pure function" if self.is_pure else "a dataflow block"
        self.tell(ImpureCall(what=_describe_value(call), where=where, span=call.span))

    def _if(self, value: If) -> None:
        self._argument(value.cond, "an if")
        known = value.cond.struct_info
        is_other = isinstance(known, ShapeStructInfo | TupleStructInfo | FuncStructInfo)
        if is_other or _is_not_scalar(known):
            self.tell(WrongCondition(got=known, span=value.cond.span or value.span))
        self._branch(value.true_branch)
        self._branch(value.false_branch)

    # ---- sizes

    def _info(self, info: StructInfo | None, span: Span | None) -> None:
        if isinstance(info, TensorStructInfo) and isinstance(info.shape, Var):
            self._use(info.shape)
        self._used_sizes(_sizes_of(info), span)

    def _used_sizes(self, values: Iterable[Any], span: Span | None) -> None:
        for value in values:
            for var in size_vars(value):
                if var not in self.sizes:
                    self.tell(UndefinedSizeVar(name=var.name, span=value.span or span), var)


def _is_contradiction(said: StructInfo, known: StructInfo) -> bool:
    return struct_info_base_check(said, known) is BaseCheckResult.FAIL_L0


def _is_not_scalar(info: StructInfo | None) -> bool:
    """Whether a value is known to be a tensor of more elements than one, or of none."""
    extents = info.shape.values if isinstance(info, TensorStructInfo) and isinstance(info.shape, ShapeExpr) else ()
    return any(isinstance(extent, IntImm) and extent.value != 1 for extent in extents)


def _describe_value(value: Any) -> str:
    if isinstance(value, Call):
        name = getattr(value.op, "name", None) or getattr(value.op, "name_hint", None)
        return f"the call of {name or getattr(value.op, 'global_symbol', 'a function')}"
    return {TupleGetItem: "an item of a tuple", If: "an if", Function: "a function"}.get(type(value), "a sequence")
