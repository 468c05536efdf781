"""BlockBuilder: build Relax functions and modules binding by binding.

bb = BlockBuilder()
with bb.function("main", [x, y]):
    with bb.dataflow():
        lv = bb.emit(add(x, y))
        gv = bb.emit_output(lv)
    bb.emit_func_output(gv)
module = bb.get()
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, ClassVar, cast

from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.core import BaseFunc, GlobalVar, IRModule, WrongType, structural_equal
from tvmscript.ir.core.equality.hashing import structural_hash
from tvmscript.ir.core.name_supply import NameSupply
from tvmscript.ir.core.op import Op
from tvmscript.ir.relax.anf import Normalizer, is_leaf
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.errors import (
    BuilderMisuse,
    NoFunctionOutput,
    StructInfoMismatch,
    UnknownStructInfo,
)
from tvmscript.ir.relax.expr import (
    BindingBlock,
    Call,
    DataflowBlock,
    DataflowVar,
    MatchCast,
    SeqExpr,
    Tuple,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.infer_call import erase_variables
from tvmscript.ir.relax.kernel_from_te import Kernel, kernel_from_te
from tvmscript.ir.relax.op.call_tir import call_tir, call_tir_with_grad
from tvmscript.ir.relax.op.script_functions import script_function_of
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.sequence import SequenceBuilder as Body
from tvmscript.ir.relax.struct_info import ShapeStructInfo
from tvmscript.ir.relax.struct_info_lattice import BaseCheckResult, struct_info_base_check
from tvmscript.ir.relax.symbolic_shape import definable_tir_vars_in_struct_info
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import BufferStore
from tvmscript.ir.tir.var import Var as SizeVar


class FunctionScope:
    """`with bb.function(...)`: the function under construction."""

    def __init__(
        self, builder: BlockBuilder, name: str, params: tuple[Var, ...] | None, attrs: dict[str, Any], is_pure: bool
    ) -> None:
        self._builder = builder
        self.name = name
        self.params = params
        self.attrs = attrs
        self.is_pure = is_pure
        self.has_output = False

    def __enter__(self) -> FunctionScope:
        self._builder.enter_function(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._builder.leave_function(self)
        if kind is None and not self.has_output:
            raise NoFunctionOutput(name=self.name)


class DataflowScope:
    """`with bb.dataflow():` a dataflow block."""

    def __init__(self, builder: BlockBuilder) -> None:
        self._builder = builder

    def __enter__(self) -> DataflowScope:
        self._builder.begin_block(True)
        return self

    def __exit__(self, *_: object) -> None:
        self._builder.begin_block(False)


class TestingScope:
    """`with bb.testing_scope([n, m]):` a scope without a function, with size variables defined."""

    __test__ = False  # pytest must not collect it

    def __init__(self, builder: BlockBuilder, def_vars: Sequence[SizeVar]) -> None:
        self._builder = builder
        for var in def_vars:
            if not isinstance(cast(object, var), SizeVar):
                raise WrongType(where="testing_scope", expected="variables of sizes", got=var)
        self._params = (Var("sparam", ShapeStructInfo(tuple(def_vars))),)

    def __enter__(self) -> TestingScope:
        self._builder.begin_scope(self._params)
        self._builder.push_sequence(True)
        return self

    def __exit__(self, *_: object) -> None:
        self._builder.pop_sequence()
        self._builder.end_scope()


class BlockBuilder:
    """Builds functions and a module of them, with TVM's methods."""

    _stack: ClassVar[list[BlockBuilder]] = []

    @staticmethod
    def current() -> BlockBuilder | None:
        """Return the builder of the innermost open function, None outside of functions."""
        return BlockBuilder._stack[-1] if BlockBuilder._stack else None

    def __init__(self, mod: IRModule | None = None) -> None:
        self._module = IRModule() if mod is None else mod.clone()
        self._names = NameSupply()
        for var in self._module:
            self._names.fresh(var.name_hint)
        self._functions: list[FunctionScope] = []
        self._sequences: list[Body] = []
        #: size variables that each scope defines
        self._scopes: list[set[SizeVar]] = []
        self._bound: dict[Var, RelaxExpr] = {}
        #: outline -> functions of the module, for deduplication
        self._outlined: dict[Hashable, list[GlobalVar]] = {}
        self._without_outline: list[GlobalVar] = list(self._module)
        self._normalizer = Normalizer(self)

    # ---- scopes

    def function(
        self,
        name: str,
        params: Var | Iterable[Var] | None = None,
        attrs: Mapping[str, Any] | None = None,
        pure: bool = True,
        private: bool = False,
    ) -> FunctionScope:
        """Return a scope that builds a function of the module: `with bb.function("main", [x, y]):`.

        A private function has no global symbol. Parameters may be passed to `emit_func_output` instead.
        """
        param_vars = (params,) if isinstance(params, Var) else None if params is None else tuple(params)
        for param in param_vars or ():
            if not isinstance(cast(object, param), Var):
                raise WrongType(where="bb.function", expected="variables as parameters", got=param)
        func_attrs = dict(attrs or {})
        if not private:
            func_attrs["global_symbol"] = name
        return FunctionScope(self, name, param_vars, func_attrs, pure)

    def dataflow(self) -> DataflowScope:
        """Return a scope that builds a dataflow block; `emit_output` binds its outputs."""
        return DataflowScope(self)

    def testing_scope(self, def_vars: Sequence[SizeVar]) -> TestingScope:
        """Return a scope to emit bindings without a function."""
        return TestingScope(self, def_vars)

    def enter_function(self, scope: FunctionScope) -> None:
        """Begin a function. Called by its scope."""
        BlockBuilder._stack.append(self)
        self._functions.append(scope)
        self.begin_scope(scope.params)
        self.push_sequence(False)

    def leave_function(self, scope: FunctionScope) -> None:
        """End a function, with or without an output. Called by its scope."""
        if not scope.has_output:
            self.pop_sequence()
            self.end_scope()
        self._functions.pop()
        BlockBuilder._stack.pop()

    def begin_scope(self, params: Iterable[Var] | None = None) -> None:
        """Define the size variables of the parameters until `end_scope`."""
        self._scopes.append(set())
        for param in params or ():
            if param.struct_info is not None:
                self._define(param.struct_info)

    def end_scope(self) -> None:
        """End the innermost scope. Raises `BuilderMisuse` where there is none."""
        if not self._scopes:
            raise BuilderMisuse(method="end_scope", where="is called without begin_scope")
        self._scopes.pop()

    def _define(self, info: StructInfo) -> None:
        if self._scopes:
            self._scopes[-1].update(definable_tir_vars_in_struct_info(info))

    def push_sequence(self, is_dataflow: bool) -> None:
        """Begin a new body, which receives all bindings until `pop_sequence`."""
        self._sequences.append(Body(is_dataflow))

    def pop_sequence(self) -> tuple[BindingBlock, ...]:
        """End the innermost body, and return its blocks."""
        sequence = self._sequences.pop()
        sequence.close()
        return tuple(sequence.blocks)

    def begin_block(self, is_dataflow: bool) -> None:
        """Finish the open block, and open one of the given kind. A plain block continues an open plain block."""
        self._sequence("dataflow").begin(is_dataflow)

    # TVM's names for blocks outside of functions

    def _begin_binding_block(self) -> None:
        self.push_sequence(False)

    def _begin_dataflow_block(self) -> None:
        self.push_sequence(True)

    def _end_block(self) -> BindingBlock:
        """Return the innermost block, empty where nothing was emitted."""
        is_dataflow = self._sequence("_end_block").is_dataflow
        blocks = self.pop_sequence()
        return blocks[0] if blocks else (DataflowBlock if is_dataflow else BindingBlock)(())

    def sequence(self, fill: Callable[[], RelaxExpr], params: tuple[Var, ...] = ()) -> SeqExpr:
        """Return a sequence of the bindings that `fill` emits and the value that it returns. Sizes defined by its casts
        are erased from its struct info.
        """
        self.begin_scope(params)
        self.push_sequence(False)
        try:
            value = fill()
            self.begin_block(False)
            body = self._leaf(value)
        finally:
            blocks = self.pop_sequence()
            inside = self._scopes.pop()
        return self._sequence_of(blocks, body, inside)

    def _sequence_of(self, blocks: tuple[BindingBlock, ...], body: RelaxExpr, inside: set[SizeVar]) -> SeqExpr:
        unseen = inside.difference(*self._scopes) if inside else inside
        if not unseen or body.struct_info is None:
            return SeqExpr(blocks, body)
        return SeqExpr(blocks, body, struct_info=erase_variables(body.struct_info, unseen))

    def _sequence(self, method: str) -> Body:
        if not self._sequences:
            raise BuilderMisuse(method=method, where="needs a function: no block is being built")
        return self._sequences[-1]

    def current_block_is_dataflow(self) -> bool:
        """Whether the open block is a dataflow block."""
        return self._sequence("current_block_is_dataflow").is_dataflow

    # ---- bindings

    def emit(self, expr: RelaxExpr | Sequence[Any], name_hint: str = "") -> Var:
        """Bind a value to a new variable, and return the variable. Nested calls are bound first.

        The default name is `lv` in dataflow blocks, `gv` elsewhere. Raises `UnknownStructInfo`.
        """
        sequence = self._sequence("emit")
        value = self._normalizer.value(_tuples_from_lists(expr))
        return self._bind(sequence.is_dataflow, value, name_hint)

    def emit_argument(self, expr: RelaxExpr) -> Var:
        """Bind a nested value; in one block, an object that occurs several times is bound once."""
        var = self._sequence("emit").arguments.get(expr)
        if var is None:
            var = self.emit(expr)
            self._sequences[-1].arguments[expr] = var
        return var

    def emit_output(self, output: RelaxExpr | Sequence[Any], name_hint: str = "") -> Var:
        """Bind an output of the dataflow block. Raises `BuilderMisuse` outside of a dataflow block."""
        if not self._sequence("emit_output").is_dataflow:
            raise BuilderMisuse(method="emit_output", where="is called outside of a dataflow block")
        return self._bind(False, self._normalizer.value(_tuples_from_lists(output)), name_hint)

    def _bind(self, is_dataflow: bool, value: RelaxExpr, name_hint: str) -> Var:
        info = value.struct_info
        if info is None:
            raise UnknownStructInfo(what=_describe_value(value), span=value.span)
        cls = DataflowVar if is_dataflow else Var
        var = cls(self._names.fresh(name_hint or ("lv" if is_dataflow else "gv")), info, value.span)
        self._sequences[-1].bindings.append(VarBinding(var, value))
        self._bound[var] = value
        return var

    def match_cast(self, value: RelaxExpr | Sequence[Any], struct_info: StructInfo, name_hint: str = "") -> Var:
        """Bind a value with more precise struct info to a new variable, which defines new size variables.

        Raises `StructInfoMismatch` where no value can have both struct infos.
        """
        is_dataflow = self._sequence("match_cast").is_dataflow
        cls = DataflowVar if is_dataflow else Var
        cast_value = self._normalizer.cast_value(_tuples_from_lists(value))
        info, span = cast_value.struct_info, cast_value.span
        if info is not None and struct_info_base_check(struct_info, info) is BaseCheckResult.FAIL_L0:
            raise StructInfoMismatch(name=name_hint or "the cast", expected=struct_info, got=info, span=span)
        var = cls(self._names.fresh(name_hint or ("lv" if is_dataflow else "gv")), struct_info)
        self.emit_normalized(MatchCast(var, cast_value, struct_info))
        return var

    def emit_normalized(self, binding: VarBinding | MatchCast) -> None:
        """Emit a binding that is in A-normal form. Raises `UnknownStructInfo`."""
        sequence = self._sequence("emit_normalized")
        if binding.var.struct_info is None:
            raise UnknownStructInfo(what=f"the variable {binding.var.name_hint}", span=binding.span)
        sequence.bindings.append(binding)
        self._bound[binding.var] = binding.value
        if isinstance(binding, MatchCast):
            self._define(binding.struct_info)

    def emit_te(self, func: Callable[..., Any], *args: object, **kwargs: Any) -> Var:
        """Emit a call of the kernel that a function of tensors defines, and return its variable. See `call_te`."""
        name_hint = kwargs.pop("name_hint", "")
        return self.emit(self.call_te(func, *args, **kwargs), name_hint)

    def call_te(
        self,
        func: Callable[..., Any],
        *args: object,
        primfunc_name_hint: str | None = None,
        primfunc_attrs: Mapping[str, object] | None = None,
        **kwargs: object,
    ) -> Call:
        """Add the kernel that a function of tensors defines, and return its call.

        Tensors of the graph are tensors of `te` in the function; shapes are lists of sizes. The kernel has the name of
        the function. Raises `NoKernel` for an argument that no kernel takes, `WrongType` for other results.
        """
        return self._call_kernel(call_tir, kernel_from_te(func, args, kwargs), func, primfunc_name_hint, primfunc_attrs)

    def call_te_with_grad(
        self,
        func: Callable[..., Any],
        *args: object,
        te_grad_name: str,
        te_grad_kwargs: Mapping[str, object] | None = None,
        primfunc_name_hint: str | None = None,
        primfunc_attrs: Mapping[str, object] | None = None,
        **kwargs: object,
    ) -> Call:
        """Return a call as `call_te` does, with the name of a registered gradient function."""
        kernel = kernel_from_te(func, args, kwargs)
        gradient = {"te_grad_name": te_grad_name, "te_grad_kwargs": te_grad_kwargs}
        return self._call_kernel(call_tir_with_grad, kernel, func, primfunc_name_hint, primfunc_attrs, **gradient)

    def _call_kernel(
        self,
        operator: Operator,
        kernel: Kernel,
        func: Callable[..., Any],
        name: str | None,
        attrs: Mapping[str, object] | None,
        **options: object,
    ) -> Call:
        prim_func = kernel.func.with_attrs(attrs) if attrs else kernel.func
        global_var = self.add_func(prim_func, name or str(getattr(func, "__name__", "kernel")))
        call = script_function_of(operator)
        return call(global_var, Tuple(kernel.args), list(kernel.results), tir_vars=kernel.sizes, **options)

    def normalize(self, expr: RelaxExpr) -> RelaxExpr:
        """Return the value in A-normal form, and emit the bindings that this needs. A sequence stays a sequence."""
        return self._normalizer.sequence(expr) if isinstance(expr, SeqExpr) else self._normalizer.value(expr)

    def _leaf(self, value: RelaxExpr | Sequence[Any]) -> RelaxExpr:
        normalized = self._normalizer.value(_tuples_from_lists(value))
        return normalized if is_leaf(normalized) else self._bind(False, normalized, "")

    def lookup_binding(self, var: Var) -> RelaxExpr | None:
        """Return the value that a variable is bound to, None for parameters."""
        return self._bound.get(var)

    def get_unique_name(self, name_prefix: str) -> str:
        """Return a name that is unique in this builder."""
        return self._names.fresh(name_prefix)

    # ---- functions

    def emit_func_output(
        self, output: RelaxExpr | Sequence[Any], params: Var | Sequence[Var] | None = None
    ) -> GlobalVar:
        """Set the result of the open function, add the function to the module, and return its GlobalVar."""
        if not self._functions:
            raise BuilderMisuse(method="emit_func_output", where="is called outside of a function")
        scope = self._functions[-1]
        if scope.has_output:
            raise BuilderMisuse(method="emit_func_output", where="is called twice in one function")
        if params is not None:
            if scope.params is not None:
                raise BuilderMisuse(
                    method="emit_func_output", where="is given parameters that the function has already"
                )
            scope.params = (params,) if isinstance(params, Var) else tuple(params)
        if scope.params is None:
            raise BuilderMisuse(method="emit_func_output", where="needs the parameters of the function")
        self.begin_block(False)
        body = self._leaf(output)
        blocks = self.pop_sequence()
        inside = self._scopes.pop()
        for param in scope.params:
            inside -= set(definable_tir_vars_in_struct_info(param.struct_info) if param.struct_info else ())
        sequence = self._sequence_of(blocks, body, inside)
        scope.has_output = True
        return self.add_func(Function(scope.params, sequence, None, scope.is_pure, scope.attrs), scope.name)

    def add_func(self, func: BaseFunc, func_name: str) -> GlobalVar:
        """Add a function to the module, and return its GlobalVar: that of an equal function where there is one."""
        for var in self._without_outline:
            self._outlined.setdefault(_outline(self._module[var]), []).append(var)
        self._without_outline = []
        alike = self._outlined.setdefault(_outline(func), [])
        for var in alike:
            if structural_equal(self._module[var], func):
                return var
        global_var = GlobalVar(self._names.fresh(func_name), struct_info=getattr(func, "struct_info", None))
        self._module[global_var] = func
        alike.append(global_var)
        return global_var

    def update_func(self, gv: GlobalVar, updated_func: BaseFunc) -> None:
        """Replace a function of the module, and update the struct info of its GlobalVar."""
        self._module.update_func(gv, updated_func)
        cast(Any, gv).struct_info = getattr(updated_func, "struct_info", None)
        for global_vars in self._outlined.values():
            if gv in global_vars:
                global_vars.remove(gv)
        if gv not in self._without_outline:
            self._without_outline.append(gv)

    def get(self) -> IRModule:
        """Return a copy of the module as built so far."""
        return self._module.clone()

    def finalize(self) -> IRModule:
        """Return a copy of the finished module."""
        return self._module.clone()


def _outline(func: BaseFunc) -> Hashable:
    """Return what equal functions have in common: less than a hash, in a tenth of its time."""
    if isinstance(func, Function) and isinstance(func.body, SeqExpr):
        # a hash reads all of the constants
        values = [getattr(binding, "value", None) for block in func.body.blocks for binding in block.bindings]
        return len(func.params), tuple([_callee(value) for value in (*values, func.body.body)])
    if not isinstance(func, PrimFunc):
        return structural_hash(func)
    buffers = [func.buffer_map.get(param) for param in func.params]
    shapes = [
        None if buffer is None else (buffer.dtype, *[getattr(extent, "value", None) for extent in buffer.shape])
        for buffer in buffers
    ]
    stmts = [*statements(func.body)]
    stored = [stmt.value.__class__ for stmt in stmts if isinstance(stmt, BufferStore)]
    return tuple(shapes), tuple([stmt.__class__ for stmt in stmts]), tuple(stored)


def _callee(value: object) -> str:
    """The name of the operator or of the function of the module that a call names."""
    callee = value.op if isinstance(value, Call) else None
    return callee.name if isinstance(callee, Op) else callee.name_hint if isinstance(callee, GlobalVar) else ""


def _tuples_from_lists(value: object) -> Any:
    """Convert Python lists and tuples to `Tuple`."""
    if isinstance(value, (list, tuple)):
        return Tuple(tuple(_tuples_from_lists(item) for item in cast(Sequence[Any], value)))
    return value


def _describe_value(value: RelaxExpr) -> str:
    op = getattr(value, "op", None)
    name = getattr(op, "name", None) or getattr(op, "name_hint", None)
    return f"the call of {name}" if name else f"a {type(value).__name__}"
