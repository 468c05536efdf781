"""Traversal and rewriting."""

from __future__ import annotations

import pytest

from tests.ir.core.equality.test_equal import scale
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.visit import Rewriter, Visitor, has_nodes, nodes, on, on_every
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import Buffer, make_buffer
from tvmscript.ir.tir.expr import BinaryOp, FloatImm, IntImm, Mul, SizeVar, Var
from tvmscript.ir.tir.operators import const
from tvmscript.ir.tir.rewrite import NOOP, TirRewriter
from tvmscript.ir.tir.stmt import Block, BlockRealize, BufferStore, Evaluate, For, ForKind


class _Identity(Rewriter):
    pass


class _Factor(Rewriter):
    @on(FloatImm)
    def constant(self, node: FloatImm) -> FloatImm:
        return FloatImm(node.dtype, node.value + 1)


class _Shape(Rewriter):
    """16 becomes 32, also in buffer shapes."""

    @on(IntImm)
    def constant(self, node: IntImm) -> IntImm:
        return IntImm(node.dtype, 32) if node.value == 16 else node


def test_nothing_changed_is_the_same_object() -> None:
    func = scale()
    assert _Identity().rewrite(func) is func


def test_change_shares_what_did_not_change() -> None:
    func = scale()
    made = _Factor().rewrite(func)
    assert structural_equal(made, scale(factor=3.0))
    assert made.params is func.params
    assert made.buffer_map is func.buffer_map
    assert structural_equal(func, scale())  # the input is as it was


def test_uses_follow_a_rebuilt_definition() -> None:
    func = scale()
    made = _Shape().rewrite(func)
    assert structural_equal(made, scale(extent=32))
    (buffer,) = made.buffer_map.values()
    assert made.body.body.buffer is buffer
    assert made.body.body.value.a.buffer is buffer


def test_block_buffers_are_defined_before_the_body() -> None:
    buffer = make_buffer((const(16),), "float32", "B")
    store = BufferStore(buffer, const(0.0), (const(0),))
    root = BlockRealize((), const(True), Block((), (), (), "root", store, alloc_buffers=(buffer,)))
    made = _Shape().rewrite(root)
    assert made.block.alloc_buffers[0].shape[0].value == 32
    assert made.block.body.buffer is made.block.alloc_buffers[0]


def test_rule_on_a_base_class_and_the_most_derived_one() -> None:
    seen: list[str] = []

    class Names(Visitor):
        @on(BinaryOp)
        def binary(self, node: BinaryOp) -> None:
            seen.append("binary")
            self.walk(node)

        @on(Mul)
        def mul(self, node: Mul) -> None:
            seen.append("mul")
            self.walk(node)

    class More(Names):
        @on(For)
        def loop(self, node: For) -> None:
            seen.append("for")
            self.walk(node)

    i = Var("i", "int32")
    More().visit(i + 1)
    More().visit(scale())
    assert seen == ["binary", "for", "mul"]


def test_used_names_are_not_entered() -> None:
    func = scale()
    count = sum(isinstance(node, Buffer) for node in nodes(func))
    assert count == 3  # the definition, the load and the store

    class Names(Visitor):
        found: list[Node]

        @on(Var)
        def var(self, node: Var) -> None:
            self.found.append(node)

    names = Names()
    names.found = []
    names.visit(func.body)
    assert [node.name for node in names.found if isinstance(node, Var)] == ["i", "i"]


def test_a_rule_for_variables_holds_for_sizes() -> None:
    class Used(Visitor):
        def __init__(self) -> None:
            self.found: list[str] = []

        @on(Var)
        def var(self, node: Var) -> None:
            self.found.append(node.name)

    used = Used()
    used.visit(Evaluate(Mul(SizeVar("n", "int32"), Var("m", "int32"))))
    assert used.found == ["n", "m"]


def test_a_leaf_has_the_rule_of_the_class_at_hand() -> None:
    class Doubled(TirRewriter):
        @on(IntImm)
        def constant(self, node: IntImm) -> IntImm:
            return IntImm(node.dtype, 2 * node.value)

    product = Mul(Var("m", "int32"), const(3, "int32"))
    stmt = Evaluate(product)
    assert TirRewriter().rewrite(stmt) is stmt
    doubled = Doubled().descend(stmt).value
    assert isinstance(doubled, Mul)
    assert isinstance(doubled.b, IntImm)
    assert doubled.b.value == 6
    assert doubled.a is product.a


def test_a_rule_for_every_expression_replaces_inherited_rules_except_leaves() -> None:
    class Zeros(TirRewriter):
        @on_every(Expr)
        def expression(self, node: Expr) -> Expr:
            return const(0, node.dtype)

    class Doubled(Zeros):
        @on(Mul)
        def product(self, node: Mul) -> Mul:
            return Mul(node, const(2, "int32"))

    n, three = Var("n", "int32"), const(3, "int32")
    assert Zeros().descend(Evaluate(three)).value is three
    for expr in (n, Mul(n, n)):
        zero = Zeros().descend(Evaluate(expr)).value
        assert isinstance(zero, IntImm)
        assert zero.value == 0
    assert isinstance(Doubled().descend(Evaluate(Mul(n, n))).value, Mul)
    assert isinstance(Doubled().descend(Evaluate(n)).value, IntImm)


def test_fields_are_replaced_by_name() -> None:
    n = Var("n", "int32")
    loop = For(n, const(0, "int32"), const(4, "int32"), ForKind.SERIAL, Evaluate(n), annotations={"a": 1})
    made = loop.replace(body=NOOP, kind=ForKind.PARALLEL)
    assert (made.body, made.kind) == (NOOP, ForKind.PARALLEL)
    assert (made.extent, made.annotations) == (loop.extent, loop.annotations)
    with pytest.raises(TypeError, match="extend"):
        loop.replace(extend=const(8, "int32"))


def test_rules_follow_the_order_of_bases() -> None:
    """What stands first among the bases of a class wins; what it inherits does not hide rules of those behind it."""

    class Plain(Rewriter):
        @on(IntImm)
        def number(self, node: IntImm) -> IntImm:
            return IntImm(node.dtype, node.value + 1)

        @on(FloatImm)
        def float_number(self, node: FloatImm) -> FloatImm:
            return FloatImm(node.dtype, node.value + 1)

    class Changed(Plain):
        @on(IntImm)
        def number(self, node: IntImm) -> IntImm:
            return IntImm(node.dtype, node.value + 10)

    class MixedIn(Plain):
        @on(FloatImm)
        def float_number(self, node: FloatImm) -> FloatImm:
            return FloatImm(node.dtype, node.value + 100)

    class Both(MixedIn, Changed):
        pass

    assert Both().rewrite(IntImm("int32", 1)).value == 11
    assert Both().rewrite(FloatImm("float32", 1.0)).value == 101.0


def test_has_nodes_agrees_with_nodes() -> None:
    """Parts in tuples and mappings are found, the root itself too."""
    func = scale()
    for types in ((type(func),), (Mul,), (Buffer,), (FloatImm, SizeVar), (SizeVar,), (BufferStore,), (Evaluate,)):
        assert has_nodes(func, types) is any(isinstance(node, types) for node in nodes(func))
    assert has_nodes(
        For(Var("i", "int32"), const(0), const(4), ForKind.SERIAL, NOOP, None, {"a": const(1.5)}), (FloatImm,)
    )
