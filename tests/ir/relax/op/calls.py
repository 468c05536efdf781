"""Operator calls by TVM's functions or ours, and their inferred struct info as JSON.

Run by `oracle.py exec` it prints TVM's answers.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[4]))

from tests.ir.relax.infos import told

#: (operator, arguments, keywords). An argument is a text: a tensor (`float32[2, n]`, `float32[?3]` of 3 dimensions,
#: `float32[?]`, `float32[s3]` of a shape variable, `[2]` of unknown dtype), a shape (`(2, n)`, `(s3)`), a scalar (`=1`,
#: `=n`, `=2.5`, `=?int64` for one that is not known), a variable of sizes (`n`), or a list of these.
Case = tuple[str, list[Any], dict[str, Any]]

FLOATS = (
    "acos acosh asin asinh atan atanh cos cosh erf exp log rsqrt sigmoid sin sinh sqrt tan tanh isfinite isinf isnan"
)
NUMBERS = "abs bitwise_not ceil floor logical_not negative round sign square"
ARITHMETIC = (
    "add subtract multiply divide floor_divide power maximum minimum bitwise_and bitwise_or bitwise_xor logical_and "
    "logical_or logical_xor"
)
COMPARISONS = "equal not_equal greater greater_equal less less_equal"
REDUCTIONS = "max mean min prod std sum variance"

X, WHERE = "float32[2, 3, 4]", "int64[2, 3, 4]"

#: what every operator is varied from
SEEDS: list[Case] = [
    *[(name, [X], {}) for name in (FLOATS + " " + NUMBERS).split()],
    *[(name, [X, X], {}) for name in (ARITHMETIC + " " + COMPARISONS).split()],
    *[(name, [X, "float32[3, 1]"], {}) for name in (ARITHMETIC + " " + COMPARISONS).split()],
    *[(name, [X], {"axis": axis, "keepdims": keep})
      for name in REDUCTIONS.split() for axis in (None, [1], [0, -1]) for keep in (False, True)],
    *[(name, [X], {"axis": axis, "keepdims": keep})
      for name in ("argmax", "argmin") for axis in (None, 1, -1) for keep in (False, True)],
    *[(name, [X], {"axis": axis, "dtype": dtype, "exclusive": exclusive})
      for name in ("cumsum", "cumprod") for axis in (None, 1)
      for dtype in (None, "float64") for exclusive in (None, True)],
    ("clip", [X, 0, 1], {}), ("clip", [X, 0.5, 1.5], {}), ("ewise_fma", [X, X, X], {}),
    ("where", ["bool[2, 1, 4]", X, "float32[3, 1]"], {}), ("where", ["bool[4]", X, X], {}),
    ("arange", ["=0", "=10", "=3", "int32"], {}), ("arange", ["=0", "=n", "=1"], {}), ("arange", [7], {}),
    ("arange", ["=n", "=m", "=2", "int64"], {}), ("arange", ["=10", "=0", "=-3"], {}), ("arange", [0.0, 10.0, 3.0], {}),
    ("arange", ["=5", "=0", "=-2"], {}),
    ("arange", [0, 10, 3, "float32"], {}),
    ("full", ["(2, n)", "float32[]"], {}), ("full", ["(2, 3)", "float32[]", "float16"], {}),
    ("full", ["(s3)", "float32[]"], {}),
    ("full_like", [X, "float32[]"], {}), ("full_like", [X, "float32[]", "int8"], {}),
    *[(name, [shape, "float16"], {}) for name in ("ones", "zeros") for shape in ("(2, n)", "(2, 3)", "()", "(s3)")],
    *[(name, [X, dtype], {}) for name in ("ones_like", "zeros_like") for dtype in (None, "int32")],
    *[(name, [X, k], {}) for name in ("tril", "triu") for k in (0, -1)],
    ("astype", [X, "float16"], {}), ("astype", [X, "int8"], {}), ("wrap_param", [X, "float16"], {}),
    ("matmul", [X, "float32[4, 5]"], {}), ("matmul", ["float32[4]", "float32[4]"], {}),
    ("matmul", [X, "float32[4]"], {}), ("matmul", ["float32[3]", "float32[2, 3, 4]"], {}),
    ("matmul", ["float32[2, 1, 3, 4]", "float32[5, 4, 5]"], {}), ("matmul", [X, "float32[4, 5]", "float16"], {}),
    ("einsum", [["float32[2, 3]", "float32[3, 4]"], "ij,jk->ik"], {}),
    ("einsum", [["float32[2, 3]", "float32[3, 4]"], "ij,jk"], {}), ("einsum", [["float32[2, 3]"], "ij->ji"], {}),
    ("einsum", [[X, X], "...ij,...kj->...ik"], {}), ("einsum", [["float32[2, 3]"], "ij->"], {}),
    ("broadcast_to", ["float32[3, 1]", "(2, 3, 4)"], {}), ("broadcast_to", [X, "(s3)"], {}),
    ("collapse_sum_like", [X, "float32[3, 1]"], {}), ("collapse_sum_to", [X, "(3, 1)"], {}),
    ("concat", [[X, X], 1], {}), ("concat", [["float32[2]", "float32[3]"], None], {}), ("concat", [[X], 0], {}),
    ("concat", [[X, "float32[2, 5, 4]", X], -2], {}),
    ("expand_dims", [X, [0, -1]], {}), ("expand_dims", [X, 1], {}), ("expand_dims", [X, []], {}),
    ("flip", [X, 1], {}), ("flip", [X, -1], {}), ("flatten", [X], {}),
    ("permute_dims", [X], {}), ("permute_dims", [X, [0, 2, 1]], {}), ("permute_dims", [X, [0, 1, -1]], {}),
    ("repeat", [X, 2], {}), ("repeat", [X, 2, 1], {}), ("repeat", [X, 3, -1], {}),
    ("reshape", [X, "(4, 6)"], {}), ("reshape", [X, [2, -1]], {}), ("reshape", [X, [0, -1]], {}),
    ("reshape", [X, "(s2)"], {}),
    *[("scatter_elements", [X, WHERE, X, 1, how], {}) for how in ("update", "add", "mul", "mean", "max", "min")],
    ("split", [X, 2], {}), ("split", [X, 2, 1], {}), ("split", [X, [1, 2], 2], {}), ("split", [X, 1, 0], {}),
    ("split", [X, [], 0], {}), ("split", [X, [3, 1], 2], {}), ("split", [X, 3, -1], {}), ("split", [X, [-3, 9], 2], {}),
    ("squeeze", ["float32[1, 2, 1]"], {}), ("squeeze", ["float32[1, 2, 1]", [0]], {}), ("squeeze", [X, []], {}),
    ("squeeze", ["float32[1, 2, 1]", [0, -1]], {}),
    ("tile", [X, 2], {}), ("tile", [X, [2, 1, 1, 2]], {}), ("tile", [X, []], {}), ("tile", [X, [2, 3, 1]], {}),
    ("take", [X, "int64[2]", 1], {}), ("take", ["float32[4]", "int32[2, 3]"], {}), ("take", [X, "int64[]", 0], {}),
    ("strided_slice", [X, [0, 1], [0, 0], [1, 2], [1, 1]], {}), ("strided_slice", [X, [2], [-1], [-5], [-1]], {}),
    ("strided_slice", [X, [-1], [1], [8]], {}), ("strided_slice", [X, [0], [1], [8], [2]], {}),
    ("strided_slice", [X, [0], [1], [2], [2], True], {}), ("strided_slice", [X, [2], [3], [0], [-2]], {}),
    ("dynamic_strided_slice", [X, "int64[3]", "int64[3]", "int64[3]"], {}),
    ("sort", [X], {}), ("sort", [X, 1, True], {}), ("argsort", [X], {}), ("argsort", [X, 0, True, "int64"], {}),
    *[("topk", [X, k, axis, kind, True, "int64"], {})
      for k, axis in ((2, 1), (0, 0), (9, -1)) for kind in ("both", "values", "indices")],
    ("unique", [X], {}), ("unique", [X, True, True, True, True], {}), ("unique", [X, True, False, True, False, 1], {}),
]  # fmt: skip

#: what is particular to an operator
SPECIAL: list[Case] = [
    ("add", [X, "=1.5"], {}), ("add", [X, "=1"], {}), ("add", ["=1", "=n"], {}), ("less", ["=1", "=n"], {}),
    ("add", ["float32[?3]", "=1.5"], {}), ("add", ["float32[?]", "=1.5"], {}), ("add", ["float32[]", "=1.5"], {}),
    ("add", ["float32[n]", "float32[m]"], {}), ("add", ["float32[n]", "float32[3]"], {}),
    ("add", ["float32[n, 1]", "float32[m]"], {}), ("add", ["float32[5, 5]", "float32[n, 3]"], {}),
    ("add", ["float32[3, n]", "float32[5, m]"], {}), ("add", ["float32[n, m]", "float32[m, n]"], {}),
    ("add", ["float32[s3]", "float32[s3]"], {}),
    ("add", ["float32[s3]", X], {}), ("add", ["object", X], {}), ("add", [X, "(2, 3)"], {}),
    ("add", [X, "float32[5]"], {}), ("equal", [X, "int8[5]"], {}), ("equal", [X, "int8[4]"], {}),
    ("abs", ["object"], {}), ("abs", ["=1"], {}), ("isnan", ["float32[s3]"], {}), ("exp", ["(2, 3)"], {}),
    ("sum", [X, [0, 0]], {}), ("sum", [X, [3]], {}), ("sum", [X, []], {}), ("sum", ["float32[s3]", [0]], {}),
    ("argmax", [X, 3], {}), ("argmax", ["float32[]"], {}),
    ("clip", ["object", 0, 1], {}),
    ("ewise_fma", [X, X, "float32[3, 4]"], {}), ("ewise_fma", [X, X, "int32[2, 3, 4]"], {}),
    ("ewise_fma", [X, X, "[2, 3, 4]"], {}), ("ewise_fma", [X, "float32[n, 3, 4]", X], {}),
    ("ewise_fma", ["float32[s3]", "float32[s3]", "float32[s3]"], {}),
    ("ewise_fma", ["float32[?]", X, "float32[?2]"], {}),
    ("where", ["int32[2]", "float32[2]", "float32[2]"], {}), ("where", ["[2]", "float32[2]", "float32[2]"], {}),
    ("where", ["bool[2]", "float32[2]", "int32[2]"], {}), ("where", ["bool[2]", "float32[3]", "float32[3]"], {}),
    ("where", ["bool[n]", "float32[3]", "float32[3]"], {}), ("where", ["bool[2, 3, 4]", "float32[s3]", X], {}),
    ("arange", [0, 10, 3, "int8"], {}), ("full", ["(2, 3)", "float32[1]"], {}), ("full", ["(2, 3)", "float32[?]"], {}),
    ("full", [X, "float32[]"], {}), ("full_like", [X, "float32[?]"], {}), ("ones", ["(2, 3)", ""], {}),
    ("tril", ["float32[2]"], {}), ("tril", ["float32[?1]"], {}), ("tril", [X, "=?int64"], {}), ("tril", [X, X], {}),
    ("matmul", [X, "float32[5, 6]"], {}), ("matmul", ["float32[n, 4]", "float32[m, 5]"], {}),
    ("matmul", ["float32[n, 3, 4]", "float32[m, 4, 5]"], {}), ("matmul", [X, "float32[3, 4, 5]"], {}),
    ("matmul", [X, "int8[4, 5]"], {}), ("matmul", [X, "int8[4, 5]", "int32"], {}), ("matmul", ["float32[]", X], {}),
    ("matmul", ["float32[?3]", "float32[4]"], {}), ("matmul", ["float32[?3]", "float32[?4]"], {}),
    ("einsum", [["float32[2, n]", "float32[m, 4]"], "ij,jk->jik"], {}),
    ("einsum", [["float32[2, 1]", "float32[3, 4]"], "ij,jk->jik"], {}), ("einsum", [["float32[2, 3]"], "ij->ii"], {}),
    ("einsum", [["float32[2, 3]", "float32[4, 4]"], "ij,jk"], {}), ("einsum", [["float32[2, 3]"], "ij,jk"], {}),
    ("einsum", [["float32[2, 3]"], "ijk->i"], {}), ("einsum", [[], "ij->i"], {}),
    ("einsum", [["float32[2, 3]", "int8[3, 4]"], "ij,jk"], {}), ("einsum", [["[2, 3]", "float32[3, 4]"], "ij,jk"], {}),
    ("einsum", [["float32[2, n]", "float32[3, 4]"], "ij,jk->jik"], {}),
    ("einsum", [["float32[n, 2]", "float32[m, 3]"], "...i,...j->...ij"], {}),
    ("einsum", [["float32[3, 2]", "float32[n, 1, 3]"], "...i,...j->...ij"], {}),
    ("einsum", [["float32[3, 2]", "float32[4, 3]"], "...i,...j->...ij"], {}),
    ("einsum", [["float32[3, m]", "float32[?3]"], "ij,jkl->ik"], {}),
    ("broadcast_to", [X, "(3, 4)"], {}), ("broadcast_to", [X, "(2, 3, 5)"], {}),
    ("broadcast_to", ["float32[n]", "(m)"], {}), ("broadcast_to", ["float32[?]", "(3, 4)"], {}),
    ("broadcast_to", [X, X], {}), ("broadcast_to", ["float32[2]", "(n)"], {}),
    ("collapse_sum_like", [X, "float32[3, 5]"], {}), ("collapse_sum_like", ["float32[3, 4]", X], {}),
    ("collapse_sum_like", [X, "float32[n, 4]"], {}), ("collapse_sum_like", [X, "int32[3, 4]"], {}),
    ("collapse_sum_like", [X, "float32[?3]"], {}), ("collapse_sum_like", [X, "float32[s3]"], {}),
    ("collapse_sum_to", [X, "(n, 4)"], {}), ("collapse_sum_to", ["float32[n, 4]", "(1, 4)"], {}),
    ("collapse_sum_to", ["float32[1, 4]", "(2, 4)"], {}), ("collapse_sum_to", [X, "(s3)"], {}),
    ("concat", [[X, "float32[2, n, 4]"], 1], {}), ("concat", [[X, "float32[n, 3, 4]"], 1], {}),
    ("concat", [["float32[n, 3, 4]", X], 1], {}), ("concat", [[X, "float32[?3]"], 1], {}),
    ("concat", [[X, "float32[?]"], 1], {}), ("concat", [["float32[?]", "float32[?]"], None], {}),
    ("concat", [[X, X], None], {}), ("concat", [[X, "[2, 3, 4]"], 1], {}), ("concat", [[X, "int8[2, 3, 4]"], 1], {}),
    ("concat", [[X, "float32[2, 5, 4]"], 0], {}), ("concat", [[], 0], {}), ("concat", [[X, "float32[3, 4]"], 0], {}),
    ("concat", [[X, X], 3], {}), ("concat", [["float32[s3]", "float32[s3]"], 1], {}), ("concat", [X, 0], {}),
    ("expand_dims", [X, [0, 0]], {}), ("expand_dims", [X, [4]], {}), ("flip", [X, 3], {}),
    ("flatten", ["float32[s3]"], {}), ("flatten", ["float32[?1]"], {}), ("flatten", ["float32[?0]"], {}),
    ("permute_dims", [X, [0, 1]], {}), ("permute_dims", [X, [0, 1, 1]], {}), ("permute_dims", [X, [0, 1, 3]], {}),
    ("permute_dims", ["float32[s3]", [0, 1, 2]], {}), ("permute_dims", ["float32[?1]"], {}),
    ("repeat", ["float32[]", 2, 0], {}), ("repeat", ["float32[n, m]", 2], {}),
    ("reshape", [X, "(5, 5)"], {}), ("reshape", [X, "(n, m)"], {}), ("reshape", [X, [-1, -1]], {}),
    ("reshape", [X, [-1, 5]], {}), ("reshape", [X, [-2, 2]], {}), ("reshape", ["float32[?3]", [-1, 2]], {}),
    ("reshape", ["float32[?3]", [0, 2]], {}), ("reshape", ["float32[n, m, 4]", [-1, 2]], {}),
    ("reshape", ["float32[n, 4]", "(n, 5)"], {}), ("reshape", ["float32[n, m]", ["m", -1]], {}),
    ("reshape", ["float32[n, 4]", "(4, n)"], {}), ("reshape", [X, [0, 0, 0, 0]], {}), ("reshape", [X, X], {}),
    ("scatter_elements", [X, WHERE, "float32[2, 3, 5]"], {}), ("scatter_elements", [X, X, X], {}),
    ("scatter_elements", [X, "int64[2, 3, n]", X], {}), ("scatter_elements", [X, "int64[2, 3]", X], {}),
    ("scatter_elements", [X, WHERE, "int8[2, 3, 4]"], {}), ("scatter_elements", [X, "[2, 3, 4]", X], {}),
    ("split", [X, 0], {}), ("split", [X, 2, 3], {}), ("split", ["float32[n, m]", 2], {}),
    ("split", ["float32[n]", 3], {}),
    ("split", ["float32[n]", [1, 3]], {}), ("split", ["float32[7]", 3], {}), ("split", ["float32[4]", 3], {}),
    ("split", ["object", 2], {}),
    ("squeeze", [X, [0]], {}), ("squeeze", ["float32[1, n, 1]"], {}), ("squeeze", ["float32[1, n, 1]", [1]], {}),
    ("squeeze", [X, [3]], {}), ("squeeze", ["float32[1, 1]", [0, 0]], {}), ("squeeze", ["float32[s3]", [0]], {}),
    ("squeeze", ["float32[s3]"], {}),
    ("tile", ["float32[]", [2, 2]], {}), ("tile", ["float32[?3]", [2, 2, 1, 1]], {}),
    ("take", [X, "int64[2]"], {}), ("take", [X, "float32[2]", 0], {}), ("take", ["float32[?]", "int64[2]"], {}),
    ("take", ["float32[?1]", "int64[?2]"], {}), ("take", [X, "[2]", 1], {}), ("take", [X, "bool[2]", 1], {}),
    ("take", [X, "uint8[2]", 1], {}), ("take", [X, "int64[2]", 3], {}), ("take", ["float32[s3]", "int64[n]", 1], {}),
    ("strided_slice", ["float32[n, m]", [0], [1], [8], [2]], {}), ("strided_slice", [X, [0], ["n"], ["m"]], {}),
    ("strided_slice", ["float32[n, m]", [0], [1], [8], [2], True], {}), ("strided_slice", [X, [3], [0], [1]], {}),
    ("strided_slice", ["float32[n, m]", [0], [3], [0], [-2]], {}), ("strided_slice", [X, [1, 1], [0, 0], [1, 1]], {}),
    ("strided_slice", ["float32[n, m]", [0], [0], ["n"]], {}), ("strided_slice", [X, [0, 1], [0], [1]], {}),
    ("strided_slice", ["float32[n, m]", [0], [0], [-1]], {}), ("strided_slice", [X, [1], [5], [9]], {}),
    ("strided_slice", [X, [0], ["n"], ["m"], [1], True], {}), ("strided_slice", [X, [], [], []], {}),
    ("strided_slice", ["float32[n, m]", [0], [0], [9223372036854775807], [2]], {}),
    ("strided_slice", [X, [2], [3], [0], [0]], {}), ("strided_slice", [X, [1], [-2], [9]], {}),
    ("dynamic_strided_slice", [X, "int64[2]", "int64[3]", "int64[3]"], {}),
    ("dynamic_strided_slice", [X, "int32[3]", "int64[3]", "int64[3]"], {}),
    ("dynamic_strided_slice", [X, "int64[n]", "int64[3]", "int64[3]"], {}),
    ("dynamic_strided_slice", [X, "int64[?1]", "int64[3]", "int64[3]"], {}),
    ("dynamic_strided_slice", [X, "int64[3, 1]", "int64[3]", "int64[3]"], {}),
    ("sort", ["=1"], {}), ("argsort", [X, 1, False, ""], {}),
    ("topk", [X, 2, 1, "neither"], {}), ("topk", ["float32[n, m]", 3, 0], {}), ("topk", [X, -1, 1], {}),
    ("topk", [X, 1, 1, "indices", True, ""], {}),
    ("unique", [X, True, False, False, False, 9], {}), ("unique", ["float32[?]", True, True, False, False, 1], {}),
]  # fmt: skip

_TENSOR = re.compile(r"(\w*)\[(.*)\]")
_NAMES = {"2": "n", "3": "m", "4": "k"}


def varied(case: Case, change: Callable[[str, str], tuple[str, str]], which: int | None) -> Case:
    """The case with one tensor, or all, changed."""
    seen = -1

    def walk(argument: Any) -> Any:
        nonlocal seen
        if isinstance(argument, list):
            return [walk(item) for item in argument]
        result = _TENSOR.fullmatch(argument) if isinstance(argument, str) else None
        if result is None:
            return argument
        seen += 1
        if which not in (None, seen):
            return argument
        dtype, dims = change(result[1], result[2])
        return f"{dtype}[{dims}]"

    return case[0], [walk(argument) for argument in case[1]], case[2]


def _named(dtype: str, dims: str) -> tuple[str, str]:
    return dtype, re.sub(r"[234]", lambda digit: _NAMES[digit[0]], dims)


def _empty(dtype: str, dims: str) -> tuple[str, str]:
    return dtype, dims.replace("3", "0")


def _ranked(dtype: str, dims: str) -> tuple[str, str]:
    return dtype, f"?{len(dims.split(',')) if dims else 0}"


def _other(dtype: str) -> Callable[[str, str], tuple[str, str]]:
    return lambda was, dims: (dtype if was == "float32" else was, dims)


#: (what is changed, the tensor that it is changed of, None for all)
VARIATIONS: list[tuple[Callable[[str, str], tuple[str, str]], int | None]] = [
    (lambda dtype, dims: (dtype, dims), None),
    (_named, None), (_named, 0), (_empty, None), (_ranked, 0), (_ranked, None),
    (lambda dtype, _: (dtype, "?"), 0), (lambda dtype, _: (dtype, "?"), None),
    (lambda dtype, _: (dtype, ""), None), (lambda dtype, _: (dtype, ""), 0),
    (lambda _, dims: ("", dims), 0), (lambda _, dims: ("", dims), None),
    (_other("float16"), None), (_other("int32"), None), (_other("bool"), None), (_other("int8"), 0),
]  # fmt: skip


def cases() -> list[Case]:
    """Every case once."""
    result: dict[str, Case] = {}
    for seed in SEEDS:
        for change, which in VARIATIONS:
            case = varied(seed, change, which)
            result.setdefault(json.dumps(case), case)
    for case in SPECIAL:
        result.setdefault(json.dumps(case), case)
    return list(result.values())


class Made:
    """Arguments built from one library's classes."""

    def __init__(self, relax: Any, var: Any, ndim_only: Callable[[int, str], Any], tup: Any) -> None:
        self.relax, self.ndim_only, self.tup = relax, ndim_only, tup
        self.sizes = {name: var(name, "int64") for name in "nmk"}
        self.shapes: dict[str, Any] = {}

    def value(self, argument: Any) -> Any:
        """What an argument of a case stands for."""
        if isinstance(argument, list):
            actual = [self.value(item) for item in argument]
            return self.tup(actual) if any(isinstance(item, str) and "[" in item for item in argument) else actual
        if not isinstance(argument, str):
            return argument
        if argument in self.sizes:
            return self.sizes[argument]
        if argument == "object":
            return self.relax.Var("o", self.relax.ObjectStructInfo())
        if argument.startswith("=?"):
            return self.relax.Var("p", self.relax.PrimStructInfo(argument[2:]))
        if argument.startswith("="):
            return self.relax.PrimValue(self._size(argument[1:]))
        if argument.startswith("("):
            dims = argument[1:-1]
            return self._shape(dims) if dims.startswith("s") else self.relax.ShapeExpr(self._sizes(dims))
        result = _TENSOR.fullmatch(argument)
        return argument if result is None else self.relax.Var("x", self._tensor(result[1], result[2]))

    def _tensor(self, dtype: str, dims: str) -> Any:
        if dims.startswith("?"):
            return self.ndim_only(int(dims[1:] or -1), dtype)
        shape = self._shape(dims) if dims.startswith("s") else self.relax.ShapeExpr(self._sizes(dims))
        return self.relax.TensorStructInfo(shape, dtype or "")

    def _shape(self, dims: str) -> Any:
        if dims not in self.shapes:
            self.shapes[dims] = self.relax.Var("s", self.relax.ShapeStructInfo(ndim=int(dims[1:])))
        return self.shapes[dims]

    def _sizes(self, dims: str) -> list[Any]:
        return [self._size(item) for item in dims.split(", ")] if dims else []

    def _size(self, item: str) -> Any:
        return self.sizes[item] if item in self.sizes else float(item) if "." in item else int(item)


def plain(value: Any) -> Any:
    """An attribute as JSON."""
    if isinstance(value, bool | int | float) or value is None:
        return value
    kind = type(value).__name__
    if kind in ("IntImm", "FloatImm"):
        return value.value
    if kind in ("Array", "tuple", "list"):
        return [plain(item) for item in value]
    if kind in ("Map", "dict"):
        return {str(name): plain(item) for name, item in sorted(value.items(), key=lambda pair: str(pair[0]))}
    return str(value) or "void"


#: what is printed as attributes are
_NO_ATTRIBUTES = ("dtype", "out_sinfo", "sinfo_args", "tir_vars")


def attributes(call: Any) -> list[Any]:
    """Names and values of TVM's attributes; names alone, out of the text, where TVM has no class for the attributes."""
    if call.attrs is None:
        return []
    if hasattr(call.attrs, "keys"):
        return [[key, plain(call.attrs[key])] for key in call.attrs.keys()]  # noqa: SIM118  # TVM's has no __iter__
    return [[name] for name in re.findall(r", (\w+)=", str(call)) if name not in _NO_ATTRIBUTES]


def _of_tvm() -> Iterator[Any]:
    """TVM's answers, case by case."""
    from tvm import TVMError, relax, tir  # pyright: ignore[reportMissingImports]

    result = Made(relax, tir.Var, lambda ndim, dtype: relax.TensorStructInfo(None, dtype, ndim=ndim), relax.Tuple)
    builder = relax.BlockBuilder()
    for name, args, keywords in cases():
        try:
            values = [result.value(argument) for argument in args]
            if name == "einsum" and not args[0]:
                values[0] = relax.Tuple([])
            call = builder.normalize(getattr(relax.op, name)(*values, **keywords))
            yield [told(call.struct_info), attributes(call)]
        except (TVMError, TypeError, ValueError, IndexError, AttributeError, KeyError) as error:
            yield "refused: " + str(error).strip().splitlines()[-1][:200]


if __name__ == "__main__":
    print("ANSWERS" + json.dumps(list(_of_tvm())))
