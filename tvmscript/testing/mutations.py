"""Change a random program at one place into another program, or rename it, which keeps it equal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from tvmscript.ir.core import IRModule, Node, Rewriter, nodes
from tvmscript.ir.tir import Add, Buffer, FloatImm, IntImm, Max, Min, Mul, PrimFunc, Stmt, Sub, Var
from tvmscript.ir.tir.stmt import Block, BufferStore, Evaluate, For, ForKind, IfThenElse, LetStmt, SeqStmt, seq
from tvmscript.testing.strategies.choice import one_of

_OTHER_OP = {Add: Sub, Sub: Add, Mul: Max, Max: Min, Min: Max}
_OTHER_KIND = {ForKind.SERIAL: ForKind.PARALLEL, ForKind.PARALLEL: ForKind.UNROLLED, ForKind.UNROLLED: ForKind.SERIAL}


def _constant(node: Any) -> Node:
    if isinstance(node, FloatImm):
        return node.replace(value=1.0 if node.value == 0.5 else 0.5)
    low, high = node.dtype.min_value, node.dtype.max_value
    return IntImm(node.dtype, node.value + 1 if node.value < high else low)


def _marker(body: Stmt) -> Stmt:
    return seq(Evaluate(IntImm("int64", 4242)), body)


#: mutation -> (test for applicable nodes, function that changes a node)
MUTATIONS: dict[str, tuple[Callable[[Any], bool], Callable[[Any], Node]]] = {
    "constant": (lambda n: isinstance(n, (IntImm, FloatImm)), _constant),
    "operator": (lambda n: type(n) in _OTHER_OP, lambda n: _OTHER_OP[type(n)](n.a, n.b)),
    "kind": (lambda n: isinstance(n, For), lambda n: n.replace(kind=_OTHER_KIND.get(n.kind, ForKind.SERIAL))),
    "annotation": (lambda n: isinstance(n, For), lambda n: n.replace(annotations={**n.annotations, "new": "x"})),
    "remove": (lambda n: isinstance(n, SeqStmt), lambda n: seq(*n.seq[1:])),
    "insert": (
        lambda n: isinstance(n, SeqStmt),
        lambda n: SeqStmt((n.seq[0], Evaluate(IntImm("int64", 77)), *n.seq[1:])),
    ),
    "duplicate": (lambda n: isinstance(n, SeqStmt), lambda n: SeqStmt((*n.seq, n.seq[0]))),
    "wrap": (
        lambda n: isinstance(n, (BufferStore, IfThenElse, LetStmt)),
        lambda n: For(Var("new", "int32"), IntImm("int32", 0), IntImm("int32", 4), ForKind.SERIAL, n),
    ),
    "prepend": (lambda n: isinstance(n, (For, LetStmt)), lambda n: n.replace(body=_marker(n.body))),
    "unwrap": (lambda n: isinstance(n, IfThenElse) and n.else_case is None, lambda n: n.then_case),
    "drop else": (lambda n: isinstance(n, IfThenElse) and n.else_case is not None, lambda n: n.replace(else_case=None)),
    "swap branches": (
        lambda n: isinstance(n, IfThenElse) and n.else_case is not None,
        lambda n: n.replace(then_case=_marker(n.else_case), else_case=n.then_case),
    ),
    "attribute": (lambda n: isinstance(n, PrimFunc), lambda n: n.with_attr("new", 1)),
    "parameter": (lambda n: isinstance(n, PrimFunc), lambda n: n.replace(params=(*n.params, Var("new", "int32")))),
    "block": (lambda n: isinstance(n, Block), lambda n: n.replace(annotations={"new": IntImm("int32", 1)})),
}  # fmt: skip


class At(Rewriter):
    """Replaces one occurrence of a node."""

    def __init__(self, target: Node, replacement: Node) -> None:
        super().__init__()
        self.target = target
        self.made = replacement

    def _default(self, node: Any) -> Any:
        if node is self.target:
            return self.made
        return self.renamed.get(node, node) if node.is_name else self.descend(node)


@st.composite
def mutated(draw: st.DrawFn, program: Any) -> Any:
    """Draw the program with one change at a random place."""
    inside = list(nodes(program))
    usable = [name for name, (fits, _) in MUTATIONS.items() if any(fits(item) for item in inside)]
    fits, change = MUTATIONS[draw(st.sampled_from(usable))]
    target = one_of(draw, [item for item in inside if fits(item)])
    return At(target, change(target)).rewrite(program)


class _Renamer(Rewriter):
    """Gives every definition a new object with another name."""

    def define(self, name: Any) -> Any:
        new_name = self.descend(name)
        new_name = new_name.replace(name=f"{new_name.name}_new")
        self.renamed[name] = new_name
        return new_name

    def _default(self, node: Any) -> Any:
        if not node.is_name:
            return self.descend(node)
        return self.renamed.get(node, node)


def renamed(func: PrimFunc) -> PrimFunc:
    """Rename all definitions of a function; the result is structurally equal."""

    class Everything(_Renamer):
        def value(self, value: Any) -> Any:
            # fields of a buffer are defined at its first occurrence
            if isinstance(value, (Var, Buffer)) and value not in self.renamed:
                return self.define(value)
            return super().value(value)

    renamed_func: PrimFunc = Everything().rewrite(func)
    return renamed_func


def module_of(*funcs: PrimFunc) -> IRModule:
    """Construct a module of functions f0, f1, ..."""
    return IRModule({f"f{k}": func.with_attr("global_symbol", f"f{k}") for k, func in enumerate(funcs)})
