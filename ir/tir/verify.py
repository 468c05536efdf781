"""Well-formedness of TIR: scopes of names, buffers, blocks and calls, checked in one walk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from tvmscript.ir.core import BaseFunc, DType, GlobalVar, IRModule, Node, Span, nodes, structural_equal
from tvmscript.ir.core.dispatch import Dispatch
from tvmscript.ir.core.errors import IRError, together
from tvmscript.ir.core.python_settings import deep_recursion
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.errors import (
    DefinedTwice,
    LoopVariableInBlock,
    SameSymbol,
    UndeclaredBuffer,
    UndefinedFunction,
    UndefinedVariable,
    WrongCall,
)
from tvmscript.ir.tir.expr import (
    BinaryOp,
    BufferLoad,
    BufferRegion,
    Call,
    FloatImm,
    IntImm,
    IterVar,
    Let,
    Ramp,
    Range,
    SizeVar,
    Var,
)
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.scopes import bodies, bound_vars, operands
from tvmscript.ir.tir.stmt import (
    LAUNCHES,
    Allocate,
    AttrStmt,
    Block,
    BlockRealize,
    BufferStore,
    DeclBuffer,
    For,
    ForKind,
)
from tvmscript.ir.tir.te_nodes import BufferRealize, CommReducer, Prefetch, Reduce


def verify(program: Node) -> None:
    """Check a PrimFunc or an IRModule; raise one error with all `errors`."""
    errors: list[IRError] = []
    if isinstance(program, IRModule):
        functions = {var.name_hint: func for var, func in program.items()}
        errors += _same_symbols(program)
        for func in program.values():
            if isinstance(func, PrimFunc):
                errors += _problems(func, functions, True)
    elif isinstance(program, PrimFunc):
        errors += _problems(program, {}, False)
    if errors:
        raise together(errors)


def verify_function(func: PrimFunc, functions: Mapping[str, BaseFunc]) -> None:
    """Check a function, given some of the functions that it calls."""
    errors = _problems(func, functions, False)
    if errors:
        raise together(errors)


def verify_symbols(module: IRModule) -> None:
    """Raise `SameSymbol` where two functions of a module have the same global symbol."""
    errors = _same_symbols(module)
    if errors:
        raise together(errors)


@deep_recursion
def _problems(func: PrimFunc, functions: Mapping[str, BaseFunc], closed: bool) -> list[IRError]:
    walk = Walk(functions, closed)
    walk.function(func)
    for name, error in walk.in_regions:
        if name not in walk.reported:
            walk.reported.add(name)
            walk.errors.append(error)
    return walk.errors


def _same_symbols(module: IRModule) -> list[IRError]:
    owners: dict[str, str] = {}
    errors: list[IRError] = []
    for var, func in module.items():
        symbol = getattr(func, "attrs", {}).get("global_symbol")
        if symbol is None:
            continue
        if symbol in owners:
            errors.append(SameSymbol(first=owners[symbol], second=var.name_hint, symbol=symbol, span=func.span))
        owners[symbol] = var.name_hint
    return errors


def _kind(dtype: DType) -> str:
    """Return the kind of a parameter; calls convert between widths of numbers."""
    if dtype.is_handle:
        return "a pointer"
    if dtype.is_floating:
        return "a float"
    return "an integer" if dtype.is_integer else str(dtype)


def _propose_argument(param: Var, arg: Expr) -> str | None:
    """Return what to pass for a parameter in place of an argument of another kind."""
    if param.dtype.is_handle and isinstance(arg, BufferLoad):
        first = ", ".join(
            str(index) if isinstance(index, (Var, IntImm)) else "..."
            for index in (item.base if isinstance(item, Ramp) else item for item in arg.indices)
        )
        return f"pass an address: T.address_of({arg.buffer.name}[{first}]), or {arg.buffer.name}.data for all elements"
    return "pass an element of a buffer: A[...]" if arg.dtype.is_handle else None


class Walk:
    """Walk of a function with the names in scope, definitions before uses."""

    def __init__(self, functions: Mapping[str, BaseFunc], closed: bool) -> None:
        #: functions of the module, all of them where it is `closed`
        self.functions = functions
        self.closed = closed
        self.errors: list[IRError] = []
        #: variables and buffers that were reported already
        self.reported: set[Node] = set()
        self.reported_loops: set[tuple[Node, Block]] = set()
        #: loop variables in regions of blocks that have no place of their own
        self.in_regions: list[tuple[Node, IRError]] = []
        #: name in scope -> where it is defined
        self.scope: dict[Node, Node] = {}
        #: name -> where it was defined before its scope ended
        self.gone: dict[Node, Node] = {}
        #: loop variable -> how many blocks with axes were around its loop
        self.loops: dict[Node, int] = {}
        self.blocks: list[Block] = []
        #: parameter -> the array that it stands for
        self.arrays: Mapping[Var, Buffer] = {}
        #: the statement that is looked at, for spans
        self.place: Node | None = None

    def function(self, func: PrimFunc) -> None:
        """Check a function."""
        self.place, self.arrays = func, func.buffer_map
        for param in func.params:
            self.define(param, func)
        buffers = list(func.buffer_map.values())
        for buffer in buffers:
            self.match(buffer, func)
        for buffer in buffers:
            self.layout(buffer)
        self.stmt(func.body)

    def stmt(self, node: Stmt) -> None:
        """Check a statement."""
        outer, self.place = self.place, node
        STMT_RULES[type(node)](self, node)
        self.place = outer

    def expr(self, node: Any) -> None:
        """Check an expression."""
        kind = type(node)
        if kind is IntImm or kind is FloatImm:
            return
        if kind is Var or kind is SizeVar:
            if node not in self.scope:
                self.undefined(node)
            if self.blocks and self.loops.get(node, len(self.blocks)) < len(self.blocks):
                self.loop_variable(node)
            return
        if isinstance(node, BinaryOp):
            self.expr(node.a)
            self.expr(node.b)
            return
        if node.span is None:
            _EXPRS[kind](self, node)
            return
        outer, self.place = self.place, node
        _EXPRS[kind](self, node)
        self.place = outer

    def exprs(self, nodes: Iterable[object]) -> None:
        for node in nodes:
            self.expr(node)

    # scopes

    def define(self, name: Node, where: Node) -> None:
        """Bring a variable into scope, in which it must not have been before."""
        first = self.scope.get(name) or self.gone.get(name)
        if first is not None:
            notes = [(_span(first), "it is defined here first")]
            self.errors.append(DefinedTwice(name=_name(name), span=_span(where), notes=notes))
        self.scope[name] = where

    def forget(self, name: Node) -> None:
        """End the scope of a variable."""
        where = self.scope.pop(name, None)
        if where is not None:
            self.gone[name] = where

    def match(self, buffer: Buffer, where: Node) -> list[Node]:
        """Bring what a buffer's declaration defines into scope: its data, and plain variables of its layout."""
        defined: list[Node] = []
        if buffer.data not in self.scope:
            self.define(buffer.data, where)
            defined.append(buffer.data)
        for part in (*buffer.shape, *buffer.strides, buffer.elem_offset):
            if isinstance(part, Var) and part not in self.scope:
                self.define(part, where)
                defined.append(part)
        return defined

    def layout(self, buffer: Buffer) -> None:
        """Check the expressions of a buffer's layout."""
        self.exprs(buffer.shape)
        self.exprs(buffer.strides)
        self.expr(buffer.elem_offset)

    # rules

    def undefined(self, name: Var) -> None:
        if name in self.reported:
            return
        self.reported.add(name)
        before = self.gone.get(name)
        notes = [] if before is None else [(_span(before), "it is defined here, but not outside of that scope")]
        hint, place = None, _span(self.place)
        if isinstance(self.place, PrimFunc):
            place = name.span or place
            hint = (
                "a size is read from an argument where it is a whole extent (or stride); otherwise make it a parameter"
            )
        self.errors.append(UndefinedVariable(name=_name(name), span=place, notes=notes, hint=hint))

    def loop_variable(self, name: Var) -> None:
        block = self.blocks[-1]
        if (name, block) in self.reported_loops:
            return
        error = LoopVariableInBlock(
            block=block.name_hint,
            name=_name(name),
            span=_span(self.place),
            notes=[(block.span, "the block begins here")],
            hint=f"bind it to an axis: v = T.axis.spatial(extent, {_name(name)})",
        )
        if self.place is block:  # regions that were found: the statement that they come from tells more
            self.in_regions.append((name, error))
        else:
            self.reported.add(name)
            self.reported_loops.add((name, block))
            self.errors.append(error)

    def use(self, buffer: Buffer) -> None:
        """Check that the memory of a buffer is known."""
        array = self.arrays.get(buffer.data)
        if array is not None and array.data is buffer.data:  # as texts of TVM have it
            array = None
        if (buffer.data not in self.scope or array is not None) and buffer not in self.reported:
            self.reported.add(buffer)
            hint = f"allocate it, or say what it is a view of: {buffer.name} = T.Buffer(..., data=A.data)"
            if array is not None:
                hint = f"its data is the parameter of {array.name}: its memory is data={array.name}.data"
            self.errors.append(UndeclaredBuffer(name=buffer.name, span=_span(self.place), hint=hint))

    # statements

    def scoped(self, node: Stmt) -> None:
        """Check a statement by its schema."""
        self.exprs(operands(node))
        bound = bound_vars(node)
        for var in bound:
            self.define(var, node)
        for _, body in bodies(node):
            self.stmt(body)
        for var in bound:
            self.forget(var)

    def store(self, node: BufferStore) -> None:
        self.use(node.buffer)
        self.expr(node.value)
        self.exprs(node.indices)
        if node.predicate is not None:
            self.expr(node.predicate)

    def for_(self, node: For) -> None:
        self.expr(node.min)
        self.expr(node.extent)
        self.define(node.loop_var, node)
        if node.kind is not ForKind.THREAD_BINDING:  # a thread is the same one everywhere
            self.loops[node.loop_var] = len(self.blocks)
        self.stmt(node.body)
        self.forget(node.loop_var)

    def attr(self, node: AttrStmt) -> None:
        self.expr(node.value)
        defined: list[Node] = []
        if node.attr_key in LAUNCHES and isinstance(node.node, IterVar) and node.node.var not in self.scope:
            # A thread index may be launched again in another part of the program.
            self.gone.pop(node.node.var, None)
            self.define(node.node.var, node)
            defined.append(node.node.var)
        elif node.attr_key == "buffer_bind_scope" and isinstance(node.node, (tuple, list)):
            defined += self.match(node.node[0], node)
        self.stmt(node.body)
        for name in defined:
            self.forget(name)

    def decl_buffer(self, node: DeclBuffer) -> None:
        # what splits programs into host and device declares buffers in front of the allocation
        if node.buffer.data not in self.scope and not _allocates(node.body, node.buffer.data):
            self.use(node.buffer)
        self.layout(node.buffer)
        self.stmt(node.body)

    def buffer_realize(self, node: BufferRealize) -> None:
        defined = [] if node.buffer.data in self.scope else [node.buffer.data]
        for name in defined:
            self.define(name, node)
        self.layout(node.buffer)
        self.ranges(node.bounds)
        self.expr(node.condition)
        self.stmt(node.body)
        for name in defined:
            self.forget(name)

    def prefetch(self, node: Prefetch) -> None:
        self.use(node.buffer)
        self.ranges(node.bounds)

    def ranges(self, given: tuple[Range, ...]) -> None:
        for part in given:
            self.expr(part.min)
            self.expr(part.extent)

    def realize(self, node: BlockRealize) -> None:
        self.exprs(node.iter_values)
        self.expr(node.predicate)
        self.block(node.block)

    def block(self, node: Block) -> None:
        outer, self.place = self.place, node
        defined: list[Node] = []
        for axis in node.iter_vars:
            if axis.dom is not None:
                self.expr(axis.dom.min)
                self.expr(axis.dom.extent)
        if node.iter_vars:
            self.blocks.append(node)
        for axis in node.iter_vars:
            self.define(axis.var, node)
            defined.append(axis.var)
        for buffer in node.alloc_buffers:
            defined += self.match_allocated(buffer, node)
        for match in node.match_buffers:
            self.region(match.source)
            defined += self.match(match.buffer, node)
            self.layout(match.buffer)
        for region in (*node.reads, *node.writes):
            self.region(region)
        if node.init is not None:
            self.stmt(node.init)
        self.stmt(node.body)
        for name in defined:
            self.forget(name)
        if node.iter_vars:
            self.blocks.pop()
        self.place = outer

    def match_allocated(self, buffer: Buffer, where: Node) -> list[Node]:
        defined: list[Node] = [buffer.data]
        if isinstance(buffer.elem_offset, Var) and buffer.elem_offset not in self.scope:
            # what an offset factor brings: the allocation says where it lies
            self.define(buffer.elem_offset, where)
            defined.append(buffer.elem_offset)
        self.layout(buffer)
        self.define(buffer.data, where)
        return defined

    def region(self, node: BufferRegion) -> None:
        self.use(node.buffer)
        self.ranges(node.region)

    # expressions

    def load(self, node: BufferLoad) -> None:
        self.use(node.buffer)
        self.exprs(node.indices)
        if node.predicate is not None:
            self.expr(node.predicate)

    def call(self, node: Call) -> None:
        if type(node.op) is GlobalVar:
            self.call_function(node, node.op.name_hint)
        self.exprs(node.args)

    def call_function(self, node: Call, name: str) -> None:
        func = self.functions.get(name)
        span = node.span or _span(self.place)
        if func is None:
            if self.closed:
                self.errors.append(UndefinedFunction(name=name, span=span))
        elif isinstance(func, PrimFunc):
            if len(func.params) != len(node.args):
                count = f"{len(func.params)} arguments"
                self.errors.append(WrongCall(name=name, expected=count, got=len(node.args), span=span))
                return
            for param, arg in zip(func.params, node.args, strict=True):
                if _kind(param.dtype) != _kind(arg.dtype):
                    expected = f"{_kind(param.dtype)} for {_name(func.buffer_map.get(param, param))}"
                    hint = _propose_argument(param, arg)
                    self.errors.append(
                        WrongCall(name=name, expected=expected, got=arg.dtype, span=arg.span or span, hint=hint)
                    )

    def let(self, node: Let) -> None:
        self.expr(node.value)
        before = self.gone.get(node.var)
        # copies of one expression are well-formed, as in TVM: a pass may use an operand twice
        if isinstance(before, Let) and structural_equal(before.value, node.value):
            del self.gone[node.var]
        self.define(node.var, node)
        self.expr(node.body)
        self.forget(node.var)

    def reduce(self, node: Reduce) -> None:
        for axis in node.axis:
            if axis.dom is not None:
                self.ranges((axis.dom,))
        self.combiner(node.combiner)
        self.exprs(node.init)
        for axis in node.axis:
            self.gone.pop(axis.var, None)  # several reductions may run over one axis
            self.define(axis.var, axis)
        self.exprs(node.source)
        self.expr(node.condition)
        for axis in node.axis:
            self.forget(axis.var)

    def combiner(self, node: CommReducer) -> None:
        self.exprs(node.identity_element)
        for var in (*node.lhs, *node.rhs):
            self.gone.pop(var, None)  # one combiner may serve several reductions
            self.define(var, node)
        self.exprs(node.result)
        for var in (*node.lhs, *node.rhs):
            self.forget(var)


def _allocates(body: Stmt, data: Var) -> bool:
    return any(isinstance(item, Allocate) and item.buffer_var is data for item in nodes(body))


def _name(name: Any) -> str:
    return name.name or "without a name"


def _span(node: Node | None) -> Span | None:
    return None if node is None else node.span


def _operands(walk: Walk, node: Expr) -> None:
    walk.exprs(operands(node))


STMT_RULES: Final = Dispatch[Callable[[Walk, Any], None]](
    {
        BufferStore: Walk.store,
        For: Walk.for_,
        AttrStmt: Walk.attr,
        DeclBuffer: Walk.decl_buffer,
        BlockRealize: Walk.realize,
        Block: Walk.block,
        BufferRealize: Walk.buffer_realize,
        Prefetch: Walk.prefetch,
    },
    default=Walk.scoped,
    families={"tvmscript.ir.tir.tile": "tvmscript.ir.tir.verify_tile"},
)
_EXPRS: Final = Dispatch[Callable[[Walk, Any], None]](
    {BufferLoad: Walk.load, Call: Walk.call, Let: Walk.let, Reduce: Walk.reduce}, default=_operands
)
