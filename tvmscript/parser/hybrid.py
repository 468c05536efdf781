"""Parser of hybrid functions: Python that computes tensors by loops and stores, as an operation of `te`.

    @te.hybrid.script
    def outer(a, b):
        c = output_tensor((a.shape[0], b.shape[0]), "float32")
        for i in range(a.shape[0]):
            for j in parallel(b.shape[0]):
                c[i, j] = a[i] * b[j]
        return c

The body is that of a kernel, with names of its own (`HYBRID_NAMES`) and two differences: a name that is assigned an
expression, or assigned again, is memory of one element; `a if c else b` computes both sides.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final

from tvmscript.ir.arith.fold import TRUE
from tvmscript.ir.arith.python_operators import FUNCTIONS
from tvmscript.ir.core import DType, PointerType, PrimType, Span, TVMScriptError, on
from tvmscript.ir.core.targets.target import Target
from tvmscript.ir.te.tensor import HybridOp, Tensor, as_shape
from tvmscript.ir.tir import (
    AttrStmt,
    Buffer,
    BufferLoad,
    BufferRealize,
    Expr,
    FloatImm,
    For,
    ForKind,
    IntImm,
    IterKind,
    IterVar,
    Range,
    Select,
    Stmt,
    StringImm,
    TirRewriter,
    Var,
    make_buffer,
    substitute,
)
from tvmscript.ir.tir.base import fold
from tvmscript.ir.tir.intrin.derived import max_value, min_value
from tvmscript.ir.tir.operators import match_types
from tvmscript.parser.diagnostics import errors
from tvmscript.parser.diagnostics.describe import describe
from tvmscript.parser.diagnostics.report import Reported
from tvmscript.parser.entry import run_parser
from tvmscript.parser.frames import KernelReader, Loops, Wrapper
from tvmscript.parser.global_names import ROOTS
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.python.annotations import parameters_of
from tvmscript.parser.python.evaluator import EXPRESSIONS
from tvmscript.parser.python.operators import binary, compare, unary
from tvmscript.parser.reader import Session
from tvmscript.parser.source.closure import Closure
from tvmscript.parser.source.header import Header
from tvmscript.parser.source.tree import SourceTree
from tvmscript.parser.tir.body import STATEMENTS
from tvmscript.parser.tir.builtins import TIR
from tvmscript.parser.tir.builtins.loops import thread_binding
from tvmscript.parser.tir.function import FunctionParser

_KINDS: Final = {
    ForKind.SERIAL: IterKind.DATA_PAR,
    ForKind.PARALLEL: IterKind.PARALLELIZED,
    ForKind.VECTORIZED: IterKind.VECTORIZED,
    ForKind.UNROLLED: IterKind.UNROLLED,
}
_CONSTANTS = (int, float, IntImm, FloatImm)


@dataclass(frozen=True, eq=False)
class _Memory:
    """What `output_tensor` and `allocate` return: memory that gets its name when it is assigned."""

    shape: tuple[Expr, ...]
    dtype: DType
    scope: str
    is_output: bool


def parse_hybrid(tree: SourceTree, closure: Closure, args: Sequence[object]) -> HybridOp:
    """Return the operation of a hybrid function for its arguments: tensors, expressions, numbers, tuples of these.

    Raises `DiagnosticError`.
    """
    session = Session(tree, Header(), ROOTS, closure)
    return run_parser(session, lambda: HybridParser(session).operation(tree.definition, args))


class HybridParser(FunctionParser):
    """Parses one hybrid function."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.names.update(HYBRID_NAMES)
        #: memory of names that are assigned expressions
        self.scalars: set[Buffer] = set()
        self.outputs: list[Buffer] = []
        self.returned: list[Buffer] = []
        #: name -> how often it is assigned
        self.stores: Counter[str] = Counter()

    def operation(self, node: ast.stmt, args: Sequence[object]) -> HybridOp:
        """Parse the function with arguments. Raises `Reported`."""
        if not isinstance(node, ast.FunctionDef):
            raise errors.UnsupportedSyntax(what="a hybrid function without def", span=self.span(node))
        heading = self.tree.heading(node)
        params = parameters_of(self, node)
        if len(params) != len(args):
            reason = f"it takes {len(params)} arguments, not {len(args)}"
            raise errors.InvalidArguments(function=node.name, reason=reason, span=heading)
        nodes = [item for item in ast.walk(node) if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)]
        self.stores = Counter(item.id for item in nodes)
        inputs: dict[Tensor, Buffer] = {}
        for param, arg in zip(params, args, strict=True):
            value = arg
            if isinstance(arg, Tensor):
                value = inputs.setdefault(arg, make_buffer(arg.shape, arg.dtype, param.arg))
            self.define(param.arg, value, param)
        body = self.body(node.body)
        if self.session.report.errors:
            raise Reported
        if not isinstance(node.body[-1], ast.Return):
            hint = "end it with: return b"
            raise errors.InvalidOperation(what=node.name, reason="it returns nothing", span=heading, hint=hint)
        if set(self.returned) != set(self.outputs) or len(self.returned) != len(self.outputs):
            reason = "it returns other tensors than those of output_tensor"
            raise errors.InvalidOperation(what=node.name, reason=reason, span=self.span(node.body[-1]))
        body = _Threads().rewrite(body)
        axes = tuple(
            [
                IterVar(Range.from_min_extent(loop.min, loop.extent), loop.loop_var, _KINDS[loop.kind])
                for loop in reversed(_loops(body))
            ]
        )
        buffers = tuple(inputs.values())
        return HybridOp(node.name, "HybridOp", {}, tuple(inputs), buffers, tuple(self.returned), body, axes)

    # names

    def name(self, node: Any) -> object:
        value = super().name(node)
        if not isinstance(value, Buffer) or value not in self.scalars:
            return value
        return BufferLoad(value, (IntImm("int32", 0),), span=self.span(node))

    def assign(self, target: Any, value: object) -> None:
        if not isinstance(target, ast.Name):
            super().assign(target, value)
            return
        memory = self.names.get(target.id)
        if isinstance(memory, Buffer):
            if memory not in self.scalars:
                raise errors.AlreadyDefined(name=target.id, span=self.span(target), hint="assign its elements")
            self.store_value(memory, [0], value, target)
        elif isinstance(value, _Memory):
            self.define(target.id, self.memory(target.id, value, target), target)
        elif isinstance(value, (Expr, int, float)) and not (
            isinstance(value, _CONSTANTS) and self.stores[target.id] == 1
        ):
            expr = self.as_expr(value, target)
            scalar = self.memory(target.id, _Memory((IntImm("int32", 1),), expr.dtype, "global", False), target)
            self.scalars.add(scalar)
            self.define(target.id, scalar, target)
            self.store_value(scalar, [0], expr, target)
        else:
            self.define(target.id, value, target)

    def memory(self, name: str, memory: _Memory, node: ast.AST) -> Buffer:
        """Return a buffer of a name: of an output, or one that the rest of the body may access."""
        scope = "" if memory.scope == "global" else memory.scope
        data = Var(name, PointerType(PrimType(memory.dtype), scope))
        buffer = make_buffer(memory.shape, memory.dtype, name, data)
        if memory.is_output:
            self.outputs.append(buffer)
            return buffer
        bounds = tuple([Range.from_extent(extent) for extent in memory.shape])

        def realized(body: Stmt) -> Stmt:
            body = BufferRealize(buffer, bounds, TRUE, body)
            return AttrStmt(buffer, "realize_scope", StringImm(scope), body) if scope else body

        self.open(Wrapper(buffer, self.span(node), realized))
        return buffer

    # statements and expressions

    def store_value(self, buffer: Buffer, indices: list[object], value: object, node: ast.AST) -> None:
        super().store_value(buffer, indices, _folded(value), node)

    def result(self, node: Any) -> None:
        """Parse `return c` or `return c, d`."""
        items = node.value.elts if isinstance(node.value, (ast.Tuple, ast.List)) else [node.value]
        for item in items:
            value = None if item is None else self.value(item)
            if not isinstance(value, Buffer) or value not in self.outputs:
                hint = "return what output_tensor has made"
                raise errors.InvalidOperation(
                    what="return", reason=f"{describe(value)} is no output", span=self.span(item or node), hint=hint
                )
            self.returned.append(value)

    def choice(self, node: ast.IfExp) -> object:
        """Evaluate `a if condition else b`: both are computed."""
        test = self.value(node.test)
        if not isinstance(test, Expr):
            return self.value(node.body if self.is_true(test, node) else node.orelse)
        span = self.span(node)
        try:
            first, second = match_types(self.expr(node.body), self.expr(node.orelse), "a choice", span)
        except TVMScriptError as error:
            raise errors.refused(error, span) from error
        return self.make(span, Select, self.condition(test, node.test), first, second)


HybridParser.handlers = {
    **{kind: handler for kind, handler in STATEMENTS.items() if kind not in (ast.With, ast.FunctionDef, ast.AnnAssign)},
    ast.Return: HybridParser.result,
}
HybridParser.expressions = {
    **EXPRESSIONS,
    ast.BinOp: lambda parser, node: _folded(binary(parser, node)),
    ast.UnaryOp: lambda parser, node: _folded(unary(parser, node)),
    ast.Compare: lambda parser, node: _folded(compare(parser, node)),
    ast.IfExp: HybridParser.choice,
}


def _folded(value: object) -> object:
    return fold(value) if isinstance(value, Expr) else value


def _loops(body: Stmt) -> list[For]:
    """Return the loops of a statement, inner ones before those around them."""
    gathering = _Gathering()
    gathering.rewrite(body)
    return gathering.loops


class _Gathering(TirRewriter):
    """Visitor of loops."""

    def __init__(self) -> None:
        super().__init__()
        self.loops: list[For] = []

    @on(For)
    def loop(self, node: For) -> Stmt:
        self.rewrite(node.body)
        self.loops.append(node)
        return node

    def rewrite(self, node: Any) -> Any:
        return node if isinstance(node, Expr) else super().rewrite(node)


class _Threads(TirRewriter):
    """Rewriter of loops over threads to launches."""

    def __init__(self) -> None:
        super().__init__()
        self.threads: dict[str, IterVar] = {}

    @on(For)
    def loop(self, node: For) -> Stmt:
        if node.thread_binding is None:
            return self.descend(node)
        tag, dtype = node.thread_binding.thread_tag, node.loop_var.dtype
        domain = Range.from_min_extent(node.min, node.extent)
        thread = self.threads.setdefault(tag, IterVar(domain, Var(tag, dtype), IterKind.THREAD_INDEX, tag))
        body = substitute(self.rewrite(node.body), {node.loop_var: thread.var})
        return AttrStmt(thread, "thread_extent", node.extent, body, span=node.span)


# the names of hybrid functions


def _output_tensor(parser: KernelReader, span: Span, shape: Any, dtype: str = "float32") -> _Memory:
    """A tensor that the function returns."""
    return _Memory(as_shape(shape, "output_tensor"), DType(dtype), "global", True)


def _allocate(parser: KernelReader, span: Span, shape: Any, dtype: str = "float32", scope: str = "global") -> _Memory:
    """Memory of the function."""
    return _Memory(as_shape(shape, "allocate"), DType(dtype), scope, False)


def _bind(parser: KernelReader, span: Span, thread: str, extent: object) -> Loops:
    """A loop over threads: `for tx in bind("threadIdx.x", 32):`."""
    return thread_binding(parser, span, extent, thread=thread)


def _const_range(*bounds: Any, span: Span | None = None) -> range:
    """A range whose iterations are written one after the other."""
    return range(*[bound.value if isinstance(bound, IntImm) else bound for bound in bounds])


def _extreme(name: str) -> Builtin:
    def choose(*values: Any, span: Span | None = None) -> Any:
        return reduce(FUNCTIONS[name], values)

    return Builtin(name, choose)


def _max_num_threads(allow_none: bool = True, span: Span | None = None) -> int:
    """Return the most threads of a block of the current target, 1 without one."""
    target = Target.current(bool(allow_none))
    return 1 if target is None else int(target.attrs.get("max_num_threads", 1))


_OF_KERNELS: Final = {
    **{name: name for name in ("parallel", "unroll", "likely", "sqrt", "rsqrt", "log", "tanh", "exp", "sigmoid")},
    **{name: name for name in ("popcount", "round")},
    **{f"{kind}{bits}": f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)},
    **{f"float{bits}": f"float{bits}" for bits in (16, 32, 64)},
    "vectorize": "vectorized",
    "power": "pow",
    "ceil_div": "ceildiv",
}
#: names that hybrid functions use without defining them
HYBRID_NAMES: Final[dict[str, object]] = {
    **{name: TIR[kernel_name] for name, kernel_name in _OF_KERNELS.items()},
    "range": ROOTS["range"],
    "const_range": Builtin("const_range", _const_range),
    "bind": Builtin("bind", _bind, True),
    "output_tensor": Builtin("output_tensor", _output_tensor, True),
    "allocate": Builtin("allocate", _allocate, True),
    "min": _extreme("min"),
    "max": _extreme("max"),
    "max_num_threads": Builtin("max_num_threads", _max_num_threads),
    "inf": Builtin("inf", lambda dtype, span=None: max_value(dtype)),
    "ninf": Builtin("ninf", lambda dtype, span=None: min_value(dtype)),
}
