"""Laws of structural equality and hash, on random programs."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tvmscript.ir.core.equality.equal import (
    assert_structural_equal,
    first_difference,
    mismatches,
    structural_equal,
)
from tvmscript.ir.core.equality.hashing import structural_hash
from tvmscript.ir.core.node import Node
from tvmscript.ir.tir.expr import Add, FloatImm, IntImm, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.testing.mutations import mutated, renamed
from tvmscript.testing.strategies import block_funcs, exprs, prim_funcs

programs = st.one_of(prim_funcs(), block_funcs())


@settings(max_examples=40)
@given(programs)
def test_reflexive_and_survives_copies(func: PrimFunc) -> None:
    for made in (func, copy.copy(func), copy.deepcopy(func), pickle.loads(pickle.dumps(func))):
        assert_structural_equal(func, made)
        assert structural_hash(func) == structural_hash(made)


@settings(max_examples=40)
@given(programs)
def test_names_do_not_matter(func: PrimFunc) -> None:
    other = renamed(func)
    assert_structural_equal(func, other)
    assert structural_hash(func) == structural_hash(other)


@settings(max_examples=40)
@given(programs, programs, st.booleans())
def test_symmetric_and_hash_consistent(first: PrimFunc, second: PrimFunc, map_free_vars: bool) -> None:
    equal = structural_equal(first, second, map_free_vars)
    assert structural_equal(second, first, map_free_vars) == equal
    assert bool(mismatches(first, second, map_free_vars)) != equal
    assert len(mismatches(first, second)) >= len(mismatches(first, second, limit=1))
    hashes = structural_hash(first, map_free_vars), structural_hash(second, map_free_vars)
    assert not equal or hashes[0] == hashes[1]


@settings(max_examples=40)
@given(programs)
def test_transitive(func: PrimFunc) -> None:
    second = renamed(func)
    third = tvmscript.from_source(second.script(), check_well_formed=False)
    assert structural_equal(func, second)
    assert structural_equal(second, third)
    assert structural_equal(func, third)


@settings(max_examples=80)
@given(st.data())
def test_each_mutation_is_seen(data: st.DataObject) -> None:
    func: PrimFunc = data.draw(programs)
    other = data.draw(mutated(func))
    assert not structural_equal(func, other)
    assert not structural_equal(other, func)
    assert structural_hash(func) != structural_hash(other)
    assert mismatches(func, other)[0].path == getattr(first_difference(func, other), "path", "")


@settings(max_examples=40)
@given(exprs(depth=3, variables=[Var("x", "int32"), Var("y", "int32")]))
def test_free_variables_are_paired_on_request(expr: Any) -> None:
    copied: Any = copy.deepcopy(expr)
    assert structural_equal(expr, copied, map_free_vars=True)
    assert structural_hash(expr, map_free_vars=True) == structural_hash(copied, map_free_vars=True)


@given(st.floats(), st.floats())
def test_floats_are_their_bits(first: float, second: float) -> None:
    one, other = FloatImm("float64", first), FloatImm("float64", second)
    assert structural_equal(one, FloatImm("float64", first))
    assert structural_equal(one, other) == (structural_hash(one) == structural_hash(other))
    assert structural_equal(one, other) == (first.hex() == second.hex())


def test_payloads_of_nan_count() -> None:
    one = tvmscript.from_source('T.float32("nan:0x7fc00001")')
    other = tvmscript.from_source('T.float32("nan:0x7fc00002")')
    assert structural_equal(one, tvmscript.from_source('T.float32("nan:0x7fc00001")'))
    assert not structural_equal(one, other)
    assert structural_hash(one) != structural_hash(other)


PROGRAM = """
@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    T.func_attr({"tir.noalias": T.bool(True), "x": [1, "two", {"k": 1.5}]})
    for i in T.parallel(n, annotations={"pragma": 1}):
        A[i] = T.exp(A[i]) + T.float32(-0.0)
"""


def test_hash_is_the_same_in_every_process() -> None:
    code = f"import tvmscript; print(tvmscript.ir.structural_hash(tvmscript.from_source({PROGRAM!r})))"
    seeds = ("0", "1", "4242")
    found = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in seeds
    }
    assert found == {f"{structural_hash(tvmscript.from_source(PROGRAM))}\n".encode()}


def shared(depth: int) -> Node:
    """A sum of 2 ** depth ones in depth objects."""
    expr: Any = Add(IntImm("int32", 1), IntImm("int32", 1))
    for _ in range(depth - 1):
        expr = Add(expr, expr)
    made: Node = expr
    return made


def test_shared_parts_are_looked_at_once() -> None:
    left, right = shared(60), shared(60)
    assert structural_equal(left, right)
    assert structural_hash(left) == structural_hash(right)
    assert structural_hash(left) != structural_hash(shared(59))
    # one object twice is the same as two equal objects
    one = IntImm("int32", 1)
    assert structural_hash(Add(one, one)) == structural_hash(shared(1))


def chain(blocks: int) -> PrimFunc:
    lines = ["@T.prim_func", 'def f(A: T.Buffer((16,), "float32")):']
    for k in range(blocks):
        lines += ["    for i in range(16):", f"        A[i] = A[i] * T.float32({k}) + T.float32(1)"]
    made: PrimFunc = tvmscript.from_source("\n".join(lines), check_well_formed=False)
    return made


@pytest.mark.parametrize("measured", [structural_hash, lambda func: structural_equal(func, copy.copy(func))])
def test_time_is_linear(measured: Any) -> None:
    def seconds(func: PrimFunc) -> float:
        best = 1e9
        for _ in range(3):
            begin = time.process_time()
            measured(func)
            best = min(best, time.process_time() - begin)
        return best

    small, large = seconds(chain(100)), seconds(chain(1000))
    assert large < 40 * max(small, 1e-3)  # ten times the program


def test_every_mismatch_is_found() -> None:
    text = PROGRAM.replace("T.parallel(n", "T.unroll(n").replace("T.exp", "T.sqrt").replace("1.5", "2.5")
    found = mismatches(tvmscript.from_source(PROGRAM), tvmscript.from_source(text))
    assert [(item.path, item.reason) for item in found] == [
        ("<root>.body.kind", "loop kind parallel against unrolled"),
        ("<root>.body.body.value.a.op", "operator tir.exp against tir.sqrt"),
        ("<root>.attrs['x'][2]['k'].value", "value 1.5 against 2.5"),
    ]


@pytest.mark.parametrize(
    ("change", "path", "reason"),
    [
        (("(16,)", "(32,)"), "<root>.buffer_map['A_handle'].shape[0].value", "value 16 against 32"),
        (("n: T.int32", "n: T.int64"), "<root>.params[1].dtype", "dtype int32 against int64"),
        (("A[i]) +", "A[0]) +"), "<root>.body.body.value.a.args[0].indices[0]", "a Var against an IntImm"),
        (("1, \"two\"", "\"two\""), "<root>.attrs['x']", "3 and 2 elements: [0] on the left side alone"),
        (("pragma\": 1", "other\": 1"), "<root>.body.annotations", "'pragma' is on the left side alone"),
    ],
)  # fmt: skip
def test_reasons_in_words(change: tuple[str, str], path: str, reason: str) -> None:
    left = tvmscript.from_source(PROGRAM)
    right = tvmscript.from_source(PROGRAM.replace(*change), check_well_formed=False)
    found = mismatches(left, right)
    assert (path, reason) in [(item.path, item.reason) for item in found]


def test_sequences_of_other_lengths_are_one_mismatch() -> None:
    def stores(*values: int) -> PrimFunc:
        lines = [f"    A[0] = T.float32({value})" for value in values]
        made: PrimFunc = tvmscript.from_source(
            "\n".join(['@T.prim_func\ndef f(A: T.Buffer((16,), "float32")):', *lines])
        )
        return made

    [found] = mismatches(stores(1, 2, 3, 4), stores(1, 2, 9, 3, 4))
    assert found.path == "<root>.body.seq"
    assert found.reason == "4 and 5 elements: [2] on the right side alone"
    [found] = mismatches(stores(1, 2, 3, 4), stores(1, 7, 8, 9, 4))
    assert found.reason == "4 and 5 elements: [1] to [2] against [1] to [3]"


def test_sequences_whose_names_are_paired_before_them() -> None:
    def loop(*lines: str) -> PrimFunc:
        head = '@T.prim_func\ndef f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):\n    for i in range(8):\n'
        made: PrimFunc = tvmscript.from_source(head + "".join(f"        {line}\n" for line in lines))
        return made

    left = loop("A[i] = 1", "A[i] = 2", "B[i] = 3", "B[i] = 4")
    [found] = mismatches(left, loop("A[i] = 1", "B[i] = 3", "B[i] = 4"))
    assert found.reason == "4 and 3 elements: [1] on the left side alone"
    [found] = mismatches(left, loop("A[i] = 0", "A[i] = 1", "A[i] = 2", "B[i] = 3", "B[i] = 4"))
    assert found.reason == "4 and 5 elements: [0] on the right side alone"
    right = loop("for j in range(4):\n            A[j] = i", "A[i] = 2", "B[i] = 5", "B[i] = 3", "B[i] = 4")
    [found] = mismatches(left, right)
    assert found.reason == "4 and 5 elements: [0] to [1] against [0] to [2]"


def test_same_text_and_another_variable() -> None:
    x, y = Var("x", "int32"), Var("x", "int32")
    [found] = mismatches(x, y)
    assert found.reason == "same text, different variable identity: x is another free one on each side"
