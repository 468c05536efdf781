"""Copies of functions have variables of their own."""

from __future__ import annotations

from typing import Any

import tvmscript
from tvmscript.ir import structural_equal
from tvmscript.ir.relax.variables import all_vars, copy_with_new_vars, defined_symbolic_vars

TEXT = """
@R.function
def f(x: R.Tensor(("n", 2), "float32")) -> R.Tensor(("n", 2), "float32"):
    n = T.int64()
    y: R.Tensor((n, 2), "float32") = R.add(x, x)
    return y
"""


def test_copies_share_neither_variables_nor_sizes() -> None:
    func: Any = tvmscript.from_source(TEXT)
    copy = copy_with_new_vars(func)
    assert structural_equal(copy, func)
    assert not set(all_vars(copy)) & set(all_vars(func))
    assert not set(defined_symbolic_vars(copy)) & set(defined_symbolic_vars(func))
