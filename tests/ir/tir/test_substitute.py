"""Substitution and fresh copies: what is replaced, what follows, what stays the same object."""

from __future__ import annotations

import tvmscript
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.expr import Add, BufferLoad, Call, IntImm, Var
from tvmscript.ir.tir.rewrite import NOOP, is_noop
from tvmscript.ir.tir.side_effect import can_drop, effect_of
from tvmscript.ir.tir.stmt import Allocate, Block, DeclBuffer, Evaluate, For, LetStmt
from tvmscript.ir.tir.substitute import rename_definitions, substitute, uses

TEXT = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(4):
        with T.block("b"):
            vi = T.axis.spatial(4, i)
            T.reads(A[vi])
            T.writes(A[vi + n])
            L = T.alloc_buffer((4,), "float32")
            x: T.float32 = A[vi]
            L[0] = x
            A[vi + n] = L[0] + x
"""


def test_nothing_to_replace_is_the_same_object() -> None:
    func = tvmscript.from_source(TEXT)
    assert substitute(func.body, {}) is func.body
    assert substitute(func.body, {Var("other", "int32"): IntImm("int32", 1)}) is func.body


def test_variables_are_replaced_everywhere() -> None:
    func = tvmscript.from_source(TEXT)
    n = func.params[1]
    made = substitute(func.body, {n: IntImm("int32", 3)})
    assert n in uses(func.body)
    assert n not in uses(made)


def test_a_buffer_over_a_replaced_shape_follows() -> None:
    func = tvmscript.from_source(
        """
@T.prim_func
def main(n: T.int32, A: T.Buffer((16,), "float32")):
    L = T.decl_buffer((n,), "float32")
    L[0] = A[0]
"""
    )
    made = substitute(func.body, {func.params[0]: IntImm("int32", 8)})
    (declared,) = [node.buffer for node in nodes(made) if isinstance(node, DeclBuffer)]
    assert declared.shape[0].script() == "8"
    assert declared in uses(made)


def test_copies_share_no_definition() -> None:
    func = tvmscript.from_source(TEXT)
    copy = rename_definitions(func)
    assert structural_equal(func, copy)

    def defined(root: object) -> set[object]:
        found: set[object] = set()
        for node in nodes(root):  # type: ignore[arg-type]  # both are functions
            if isinstance(node, For):
                found.add(node.loop_var)
            elif isinstance(node, Block):
                found |= {axis.var for axis in node.iter_vars} | {buffer.data for buffer in node.alloc_buffers}
                found |= set(node.alloc_buffers)
            elif isinstance(node, LetStmt):
                found.add(node.var)
            elif isinstance(node, Allocate):
                found.add(node.buffer_var)
        return found

    assert len(defined(func)) == 5
    assert defined(func).isdisjoint(defined(copy))
    assert defined(func).isdisjoint(uses(copy.body))


def test_effects() -> None:
    func = tvmscript.from_source(
        """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    T.evaluate(A[n] + T.exp(A[0]))
    T.evaluate(T.call_extern("float32", "f", A[0]))
"""
    )
    pure, impure = [node.value for node in nodes(func) if isinstance(node, Evaluate)]
    assert can_drop(pure)
    assert not can_drop(impure)
    load, call = (next(n for n in nodes(pure) if isinstance(n, kind)) for kind in (BufferLoad, Call))
    assert effect_of(load) > effect_of(Add(IntImm("int32", 1), func.params[1]))
    assert effect_of(call) == effect_of(load)


def test_noop() -> None:
    assert is_noop(NOOP)
    assert not is_noop(Evaluate(Var("x", "int32")))
