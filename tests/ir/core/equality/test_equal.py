"""Structural equality: laws, and the path of the first difference."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable

import pytest

from tvmscript import from_source
from tvmscript.ir.core.equality.equal import (
    NotEqual,
    assert_structural_equal,
    first_difference,
    structural_equal,
)
from tvmscript.ir.core.equality.hashing import structural_hash
from tvmscript.ir.core.module import GlobalVar, IRModule
from tvmscript.ir.core.node import Node
from tvmscript.ir.tir.buffer import Buffer, make_buffer
from tvmscript.ir.tir.expr import Add, Call, FloatImm, IntImm, Mul, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.operators import as_expr, const
from tvmscript.ir.tir.stmt import BufferStore, Evaluate, For, ForKind, SeqStmt


def scale(names: str = "aAi", extent: int = 16, factor: float = 2.0) -> PrimFunc:
    """B[i] = A[i] * factor, with the given names of parameter, buffer and loop."""
    param, buffer, loop = list(names)
    a = Var(param, "handle")
    n = as_expr(extent)
    made: Buffer = make_buffer((n,), "float32", buffer)
    i = Var(loop, "int32")
    store = BufferStore(made, Mul(made[i], FloatImm("float32", factor)), (i,))
    return PrimFunc((a,), For(i, const(0), n, ForKind.SERIAL, store), None, {a: made}, {"global_symbol": "scale"})


def test_names_do_not_matter() -> None:
    left, right = scale("aAi"), scale("xyz")
    assert_structural_equal(left, right)
    assert structural_hash(left) == structural_hash(right)


@pytest.mark.parametrize("copier", [copy.deepcopy, copy.copy, lambda x: pickle.loads(pickle.dumps(x))])
def test_survives_copies(copier: Callable[[PrimFunc], PrimFunc]) -> None:
    func = scale()
    made = copier(func)
    assert made is not func
    assert_structural_equal(func, made)
    assert structural_hash(func) == structural_hash(made)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (lambda f: f.with_attr("x", 1), "<root>.attrs"),
        (lambda f: f.replace(body=f.body.replace(kind=ForKind.PARALLEL)), "<root>.body.kind"),
        (lambda f: f.replace(body=f.body.replace(extent=const(15))), "<root>.body.extent.value"),
        (lambda f: f.replace(body=SeqStmt((f.body, f.body))), "<root>.body"),
        (lambda f: f.replace(params=(*f.params, Var("b", "handle"))), "<root>.params"),
    ],
)
def test_path_of_the_first_difference(change: Callable[[PrimFunc], PrimFunc], path: str) -> None:
    func = scale()
    found = first_difference(func, change(func))
    assert found is not None
    assert found.path == path
    back = first_difference(change(func), func)
    assert back is not None
    assert back.path == path
    with pytest.raises(NotEqual, match="the programs differ at <root>"):
        assert_structural_equal(func, change(func))


def test_free_variables_are_themselves_unless_mapped() -> None:
    x, y = Var("x", "int32"), Var("x", "int32")
    left, right = Add(x, x), Add(y, y)
    assert not structural_equal(left, right)
    assert structural_equal(left, left)
    assert structural_equal(left, right, map_free_vars=True)
    assert structural_hash(left, map_free_vars=True) == structural_hash(right, map_free_vars=True)


def test_mapping_is_a_bijection() -> None:
    x, y, z = (Var("v", "int32") for _ in range(3))
    assert not structural_equal(Add(x, y), Add(z, z), map_free_vars=True)
    assert not structural_equal(Add(z, z), Add(x, y), map_free_vars=True)


def test_floats_are_compared_by_bits() -> None:
    assert structural_equal(FloatImm("float32", math.nan), FloatImm("float32", math.nan))
    assert not structural_equal(FloatImm("float32", 0.0), FloatImm("float32", -0.0))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (IntImm("int32", 1), IntImm("int64", 1)),
        (IntImm("int32", 1), FloatImm("float32", 1)),
        (IntImm("bool", 1), IntImm("int32", 1)),
    ],
)
def test_kinds_are_told_apart(left: Node, right: Node) -> None:
    assert not structural_equal(left, right)
    assert structural_hash(left) != structural_hash(right)


def test_modules_are_compared_by_function_name() -> None:
    left = IRModule({GlobalVar("f"): scale(), GlobalVar("g"): scale(factor=3)})
    right = IRModule({GlobalVar("g"): scale("xyz", factor=3), GlobalVar("f"): scale("xyz")})
    assert_structural_equal(left, right)
    assert structural_hash(left) == structural_hash(right)
    found = first_difference(left, IRModule({GlobalVar("f"): scale(), GlobalVar("h"): scale(factor=3)}))
    assert found is not None
    assert found.reason == "'g' is on the left side alone"


def test_calls_of_functions_are_compared_by_name() -> None:
    def caller(name: str) -> PrimFunc:
        return PrimFunc((), Evaluate(Call("int32", GlobalVar(name), ())))

    assert structural_equal(caller("f"), caller("f"))
    assert not structural_equal(caller("f"), caller("g"))


def test_symbolic_shape_binds_its_variable() -> None:
    def symbolic(name: str, twice: bool) -> PrimFunc:
        n, m = Var(name, "int32"), Var("m", "int32")
        a, b = Var("a", "handle"), Var("b", "handle")
        first, second = make_buffer((n,), "float32", "A"), make_buffer((n if twice else m,), "float32", "B")
        return PrimFunc((a, b), Evaluate(const(0)), None, {a: first, b: second})

    assert structural_equal(symbolic("n", True), symbolic("k", True))
    assert not structural_equal(symbolic("n", True), symbolic("n", False))


def aliased(name: str, size: int, source: str = "A") -> PrimFunc:
    """A function that stores through a view of its parameter's memory, which no statement declares."""
    a = Var("a", "handle")
    made = make_buffer((const(16),), "float32", source)
    view = make_buffer((const(size),), "float32", name, data=made.data)
    return PrimFunc((a,), BufferStore(view, FloatImm("float32", 0), (const(0),)), None, {a: made})


def test_views_that_nothing_declares_are_compared_by_what_they_are() -> None:
    assert structural_equal(aliased("x", 8), aliased("y", 8))
    assert structural_hash(aliased("x", 8)) == structural_hash(aliased("y", 8))
    assert not structural_equal(aliased("x", 8), aliased("x", 4))


def test_free_buffers_over_other_memory_differ() -> None:
    def free() -> BufferStore:
        return BufferStore(make_buffer((const(8),), "float32", "x"), FloatImm("float32", 0), (const(0),))

    one = free()
    assert structural_equal(one, one)
    assert not structural_equal(free(), free())
    assert structural_equal(free(), free(), map_free_vars=True)


@pytest.mark.parametrize(("called", "is_equal"), [("b", True), ("c", False)])
def test_functions_that_are_called_before_they_stand_there(called: str, is_equal: bool) -> None:
    text = """@I.ir_module
class Module:
    @T.prim_func
    def a():
        Module.NAME()

    @T.prim_func
    def NAME():
        T.evaluate(0)
"""
    left, right = (from_source(text.replace("NAME", name)) for name in ("b", called))
    assert structural_equal(left, right) == is_equal


def test_names_that_are_used_before_their_definition() -> None:
    """In a function they belong to it, as in TVM; of statements alone they are free."""

    def uses() -> SeqStmt:
        var = Var("i", "int32")
        return SeqStmt((Evaluate(var), For(var, const(0), const(4), ForKind.SERIAL, Evaluate(var))))

    left, right = uses(), uses()
    assert not structural_equal(left, right)
    assert structural_equal(left, right, map_free_vars=True)
    assert structural_equal(PrimFunc((), left), PrimFunc((), right))
    assert not structural_equal(PrimFunc((), left.seq[0]), PrimFunc((), right))
