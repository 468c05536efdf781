"""Reductions over one term: what rules see of them, and what they compute."""

from __future__ import annotations

import numpy as np
import pytest

import tvmscript
from tvmscript import te, topi
from tvmscript.ir.core import Target, nodes
from tvmscript.ir.schedule.default.cpu import Default
from tvmscript.ir.schedule.default.cpu.normal_form import normalize
from tvmscript.ir.tir import Block, PrimFunc

ROWS, COLUMNS = 37, 70


def product(dtype: str, is_transposed: bool, terms: int = 1) -> PrimFunc:
    left = te.placeholder((ROWS, terms), dtype, name="A")
    right = te.placeholder((COLUMNS, terms) if is_transposed else (terms, COLUMNS), dtype, name="B")
    func = te.create_prim_func([left, right, topi.matmul(left, right, transp_b=is_transposed)])
    assert isinstance(func, PrimFunc)
    return func


def has_init(func: PrimFunc) -> bool:
    return any(isinstance(node, Block) and node.init is not None for node in nodes(func))


@pytest.mark.parametrize("is_transposed", [False, True])
def test_outer_products_are_elementwise(is_transposed: bool) -> None:
    func = product("float32", is_transposed)
    assert has_init(func)
    assert not has_init(normalize(func))
    left, right = (np.arange(size, dtype="float32") - 20 for size in (ROWS, COLUMNS))
    result = np.zeros((ROWS, COLUMNS), "float32")
    tvmscript.build(func)["main"](left[:, None], right[:, None] if is_transposed else right[None], result)
    np.testing.assert_array_equal(result, np.outer(left, right))


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_outer_products_of_halves_have_no_sums_in_memory(dtype: str) -> None:
    target = Target.make("llvm")
    assert "alloc_buffer" not in Default().normal_form(product(dtype, True), target).script()
    assert "alloc_buffer" in Default().normal_form(product(dtype, True, 64), target).script()


def test_reductions_over_two_terms_stay() -> None:
    assert has_init(normalize(product("float32", True, 2)))


SUMS = """
@T.prim_func
def main(A: T.Buffer((8, 1), "int32"), B: T.Buffer(({size},), "int32")):
    for i, k in T.grid(8, 1):
        with T.block("sums"):
            vi, vk = T.axis.remap("SR", [i, k])
            T.reads(A[vi, vk]{reads})
            T.writes(B[vi])
            with T.init():
                B[vi] = 5
            B[vi] = B[vi] * 2 + A[vi, vk] + {last}
"""


def sums(size: int, reads: str, last: str) -> PrimFunc:
    func = tvmscript.from_source(SUMS.format(size=size, reads=reads, last=last))
    assert isinstance(func, PrimFunc)
    return func


def test_each_load_of_the_element_is_the_initial_value() -> None:
    func = sums(8, "", "B[vi]")
    assert not has_init(normalize(func))
    terms, result = np.arange(8, dtype="int32"), np.zeros(8, "int32")
    tvmscript.build(func)["main"](terms[:, None], result)
    np.testing.assert_array_equal(result, 15 + terms)


def test_updates_that_read_other_elements_stay() -> None:
    assert has_init(normalize(sums(9, ", B[vi + 1]", "B[vi + 1]")))
