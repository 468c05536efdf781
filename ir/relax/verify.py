"""Verifier of graph functions: one walk in program order checks every rule (TS13xx of `ir.relax.errors`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tvmscript.ir.core import BaseFunc, GlobalVar, IRModule, Node, Span
from tvmscript.ir.core.errors import IRError, together
from tvmscript.ir.core.python_settings import deep_recursion
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
from tvmscript.ir.tir import Expr, IntImm
from tvmscript.ir.tir.expr import Var as SizeVar


def verify(program: Node, *, kernel_calls: bool = True, results: bool = True) -> None:
    """Check a graph function, or those of a module. Raises one error with all violations in its `errors`.

    `kernel_calls` checks `R.call_tir` against the kernels (TVM 0.17 does not), `results` checks result annotations
    against bodies (no TVM does). PrimFuncs are checked by `ir.tir.verify`.
    """
    errors = find_errors(program, kernel_calls=kernel_calls, results=results)
    if errors:
        raise together(errors)


@deep_recursion
def find_errors(program: Node, *, kernel_calls: bool = True, results: bool = True) -> list[IRError]:
    """Return all violations in a graph function, or in those of a module."""
    verifier = _Verifier(program if isinstance(program, IRModule) else None, kernel_calls, results)
    if isinstance(program, Function):
        verifier.check_function(program)
    elif isinstance(program, IRModule):
        for name, func in program.items():
            if isinstance(func, Function):
                verifier.check_member(name.name_hint, func)
    return verifier.errors


def _sizes_of(info: StructInfo | None) -> Iterable[Expr]:
    """Yield the sizes in struct info, except for FuncStructInfo, which binds its own size variables."""
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
    """Walks a program with the variables in scope, and collects violations."""

    def __init__(self, module: IRModule | None, kernel_calls: bool, results: bool) -> None:
        self.module = module
        #: the module whose kernel calls are checked
        self.kernels = module if kernel_calls else None
        #: whether result annotations are checked
        self.results = results
        self.errors: list[IRError] = []
        self.values: set[Var] = set()
        self.sizes: set[SizeVar] = set()
        #: variables bound anywhere so far
        self.bound: set[Var] = set()
        #: names that were reported already
        self.reported: set[Node] = set()
        self.in_dataflow = False
        self.is_pure = False
        #: the function of the module that is checked
        self.member_name = ""
        #: size -> the function of the module that defines it
        self.owners: dict[SizeVar, str] = {}

    def report(self, error: IRError, name: Node | None = None) -> None:
        """Collect an error, once for each `name`."""
        if name is not None:
            if name in self.reported:
                return
            self.reported.add(name)
        self.errors.append(error)

    # ---- scopes

    def check_member(self, name: str, func: Function) -> None:
        """Check a function of the module."""
        symbol = func.attrs.get("global_symbol")
        if symbol is not None and str(symbol) != name:
            self.report(GlobalSymbolMismatch(name=name, got=symbol, span=func.span))
        self.member_name = name
        self.check_function(func)

    def check_function(self, func: Function) -> None:
        """Check a function in the current scope."""
        outside = self.values, self.sizes, self.in_dataflow, self.is_pure
        self.values, self.sizes = set(self.values), set(self.sizes)
        self.in_dataflow = False
        forced = func.attrs.get("relax.force_pure", False)
        is_forced = bool(getattr(forced, "value", forced))
        if is_forced and not func.is_pure:
            self.report(ImpureForcePure(span=func.span))
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
        annotated, inferred = func.ret_struct_info, func.body.struct_info
        if self.results and annotated is not None and inferred is not None and _is_contradiction(annotated, inferred):
            name = str(func.attrs.get("global_symbol", "the function"))
            span = annotated.span or func.span
            self.report(ResultMismatch(name=name, expected=annotated, got=inferred, span=span))
        self.values, self.sizes, self.in_dataflow, self.is_pure = outside

    def _define(self, info: StructInfo) -> None:
        defined = definable_tir_vars_in_struct_info(info)
        self.sizes.update(defined)
        for var in defined:
            first = self.owners.setdefault(var, self.member_name)
            if first != self.member_name:
                self.report(SharedSizeVar(name=var.name, first=first, second=self.member_name, span=info.span), var)

    def _bind(self, var: Var, span: Span | None) -> None:
        if var in self.bound:
            self.report(DuplicateBinding(name=var.name_hint, span=var.span or span))
        self.bound.add(var)
        self.values.add(var)
        if var.struct_info is None:
            self.report(MissingStructInfo(name=var.name_hint, span=var.span or span))
        self._info(var.struct_info, var.span or span)

    def _branch(self, body: SeqExpr) -> None:
        outside = self.values, self.sizes
        self.values, self.sizes = set(self.values), set(self.sizes)
        self._sequence(body)
        self.values, self.sizes = outside

    def _sequence(self, body: RelaxExpr) -> None:
        if not isinstance(body, SeqExpr):
            self.report(NotInNormalForm(what=_describe_value(body), owner="a function or a branch", span=body.span))
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
                if isinstance(binding.value, (Call, TupleGetItem)):
                    self._value(binding.value)
                else:
                    self._argument(binding.value, "R.match_cast")
                self._define(binding.struct_info)
                self._info(binding.struct_info, binding.span)
                self._bind(binding.var, binding.span)
                self._check_annotation(binding.var, binding.struct_info, binding.value.struct_info, binding.span)
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
            self._bind(var, binding.span)  # in scope of its own body
            self.check_function(value)
            return
        if isinstance(value, BaseFunc):
            self.report(NestedKernel(name=var.name_hint, span=binding.span))
            self._bind(var, binding.span)
            return
        if isinstance(value, If) and self.in_dataflow:
            self.report(ControlFlowInDataflow(name=var.name_hint, span=value.span or binding.span))
        self._value(value)
        self._bind(var, binding.span)
        self._check_annotation(var, var.struct_info, value.struct_info, binding.span)

    def _check_annotation(
        self, var: Var, annotated: StructInfo | None, inferred: StructInfo | None, span: Span | None
    ) -> None:
        """Check the struct info of a variable against that of its value."""
        if annotated is None or inferred is None or annotated is inferred:
            return
        if _is_contradiction(annotated, inferred):
            self.report(StructInfoMismatch(name=var.name_hint, expected=annotated, got=inferred, span=var.span or span))

    # ---- values

    def _value(self, value: object) -> None:
        """Check a bound value, whose parts must be leaves."""
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
            self.check_function(value)
        else:
            self._argument(value, "a binding")

    def _arguments(self, values: Sequence[object], owner: str) -> None:
        for value in values:
            self._argument(value, owner)

    def _argument(self, value: object, owner: str) -> None:
        if isinstance(value, Var):
            self._use(value)
        elif isinstance(value, GlobalVar):
            if self.module is not None and value not in self.module:
                self.report(UndefinedGlobal(name=value.name_hint, span=value.span), value)
        elif isinstance(value, ShapeExpr):
            self._used_sizes(value.values, value.span)
        elif isinstance(value, PrimValue):
            self._used_sizes((value.value,), value.span)
        elif isinstance(value, Tuple):
            self._arguments(value.fields, owner)
        elif not isinstance(value, LEAVES):
            if not is_leaf(value) and isinstance(value, RelaxExpr):
                self.report(NotInNormalForm(what=_describe_value(value), owner=owner, span=value.span))
            self._value_inside(value)

    def _value_inside(self, value: object) -> None:
        if isinstance(value, (Call, TupleGetItem, If, SeqExpr, Function)):
            self._value(value)

    def _use(self, var: Var) -> None:
        if var in self.values:
            return
        if isinstance(var, DataflowVar) and var in self.bound:
            self.report(DataflowVarOutside(name=var.name_hint, span=var.span), var)
        else:
            self.report(UndefinedValue(name=var.name_hint, span=var.span), var)

    def _call(self, call: Call) -> None:
        self._arguments([call.op] if isinstance(call.op, Node) else [], "a call")
        self._arguments(call.args, _describe_value(call))
        for info in call.sinfo_args:
            self._info(info, call.span)
        error = None if self.kernels is None else check_kernel_call(call, self.kernels)
        if error is not None:
            self.report(error)
        if not (self.in_dataflow or self.is_pure) or not is_impure_call(call):
            return
        where = "a pure function" if self.is_pure else "a dataflow block"
        self.report(ImpureCall(what=_describe_value(call), where=where, span=call.span))

    def _if(self, value: If) -> None:
        self._argument(value.cond, "an if")
        info = value.cond.struct_info
        if isinstance(info, (ShapeStructInfo, TupleStructInfo, FuncStructInfo)) or _is_not_scalar(info):
            self.report(WrongCondition(got=info, span=value.cond.span or value.span))
        self._branch(value.true_branch)
        self._branch(value.false_branch)

    # ---- sizes

    def _info(self, info: StructInfo | None, span: Span | None) -> None:
        if isinstance(info, TensorStructInfo) and isinstance(info.shape, Var):
            self._use(info.shape)
        self._used_sizes(_sizes_of(info), span)

    def _used_sizes(self, values: Iterable[Expr], span: Span | None) -> None:
        for value in values:
            for var in size_vars(value):
                if var not in self.sizes:
                    self.report(UndefinedSizeVar(name=var.name, span=value.span or span), var)


def _is_contradiction(annotated: StructInfo, inferred: StructInfo) -> bool:
    return struct_info_base_check(annotated, inferred) is BaseCheckResult.FAIL_L0


def _is_not_scalar(info: StructInfo | None) -> bool:
    """Whether a value is a tensor with an extent known to differ from 1."""
    extents = info.shape.values if isinstance(info, TensorStructInfo) and isinstance(info.shape, ShapeExpr) else ()
    return any(isinstance(extent, IntImm) and extent.value != 1 for extent in extents)


def _describe_value(value: RelaxExpr) -> str:
    if isinstance(value, Call):
        name = getattr(value.op, "name", None) or getattr(value.op, "name_hint", None)
        return f"the call of {name or getattr(value.op, 'global_symbol', 'a function')}"
    names: dict[type[RelaxExpr], str] = {TupleGetItem: "an item of a tuple", If: "an if", Function: "a function"}
    return names.get(type(value), "a sequence")
