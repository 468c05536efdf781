"""Inference of every operator on static, symbolic, unknown, scalar and empty shapes, against TVM and NumPy."""

from __future__ import annotations

import itertools
import json
import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tvmscript as tvmscript  # installs the printer: sizes are compared as text
from tests.ir.relax.op import calls, library
from tests.ir.relax.op.calls import Case
from tests.ir.relax.peer import check_kept_answers, kept_answers
from tvmscript.ir.relax.errors import InvalidCall

CASES = calls.cases()

#: why TVM's answer is another one -> all cases in which it is
DIFFERENT: dict[str, list[Case]] = {
    "flat where no axis is given: one dimension, TVM says as many as the argument has": [
        (name, [tensor], {"axis": None, "dtype": dtype, "exclusive": exclusive})
        for name in ("cumsum", "cumprod") for tensor in ("float32[?3]", "float32[?]")
        for dtype in (None, "float64") for exclusive in (None, True)
    ],
    "a scalar has no axis 1": [
        *[(name, ["float32[]"], {"axis": 1, "dtype": dtype, "exclusive": exclusive})
          for name in ("cumsum", "cumprod") for dtype in (None, "float64") for exclusive in (None, True)],
        *[("scatter_elements", ["float32[]", "int64[]", "float32[]", 1, how], {})
          for how in ("update", "add", "mul", "mean", "max", "min")],
    ],
    "the axes say how many dimensions there are: TVM fails": [
        ("permute_dims", ["float32[?]", axes], {}) for axes in ([0, 2, 1], [0, 1, -1])
    ],
    "TVM counts a number beyond the end": [("arange", ["=5", "=0", "=-2"], {})],
    "TVM clips anything": [("clip", ["object", 0, 1], {})],
    "n and 3 broadcast to 3: TVM says n": [("einsum", [["float32[2, n]", "float32[3, 4]"], "ij,jk->jik"], {})],
}  # fmt: skip

#: operators whose sizes are the same numbers, but simplified otherwise
SIMPLIFIED_OTHERWISE = {"strided_slice", "split"}

#: operators of which NumPy has nothing to say for these: the reference raises, or promotes the dtype
NO_REFERENCE: dict[str, tuple[str, ...]] = {
    "float32[2, 0, 4]": ("max", "min", "argmax", "argmin", "take"),
    "bool[2, 3, 4]": ("negative", "round", "sign", "square", "subtract", "floor_divide", "power"),
}


def _first(case: Case) -> str:
    first = case[1][0]
    return str(first[0] if isinstance(first, list) and first else first)


def _is_float_bits(case: Case) -> bool:
    return case[0].startswith("bitwise") and _first(case).startswith("float")


@pytest.fixture(scope="module")
def theirs() -> list[Any]:
    return kept_answers(calls.__file__)


@pytest.mark.oracle
def test_the_kept_answers_are_those_of_tvm(oracle: Any) -> None:
    check_kept_answers(calls.__file__)


@pytest.fixture(scope="module")
def ours() -> list[Any]:
    return [library.inferred(case) for case in CASES]


def test_the_oracle_infers_the_same(ours: list[Any], theirs: list[Any]) -> None:
    different: set[str] = set()
    for case, our, their in zip(CASES, ours, theirs, strict=True):
        if isinstance(our, str) and isinstance(their, str):
            continue  # both refuse
        if isinstance(our, str) or isinstance(their, str) or not _same(our[0], their[0], case[0]):
            different.add(json.dumps(case))
    assert different == {json.dumps(case) for cases in DIFFERENT.values() for case in cases}


def _same(our: Any, their: Any, name: str) -> bool:
    """Whether two descriptions of struct info are the same, of some operators for all small sizes."""
    if our == their:
        return True
    if name not in SIMPLIFIED_OTHERWISE or type(our) is not type(their):
        return False
    if isinstance(our, list):
        return len(our) == len(their) and all(_same(*pair, name) for pair in zip(our, their, strict=True))
    return isinstance(our, str) and all(_number(our, *at) == _number(their, *at) for at in _SIZES)


_SIZES = list(itertools.product(range(8), repeat=3))


def _number(size: str, n: int, m: int, k: int) -> int:
    """A size that is written down, where n, m and k are these."""
    result: int = eval(size, {"T": _MEANING, "n": n, "m": m, "k": k})
    return result


_MEANING = SimpleNamespace(int64=int, min=min, max=max)


#: strided_slice has arguments in TVM 0.17.0, attributes in the oracle, which tells none of wrap_param
OTHER_ATTRIBUTES = {"strided_slice", "wrap_param"}


def test_the_oracle_has_the_same_attributes_in_the_same_order(ours: list[Any], theirs: list[Any]) -> None:
    different = []
    for case, our, their in zip(CASES, ours, theirs, strict=True):
        if isinstance(our, str) or isinstance(their, str) or case[0] in OTHER_ATTRIBUTES:
            continue
        # of some the oracle tells the names alone
        if [each[: len(other)] for each, other in zip(our[1], their[1], strict=True)] != their[1]:
            different.append((case, our[1], their[1]))
    assert different == []


def _by_reference(case: Case) -> tuple[Any, Any] | None:
    """What is inferred, and what NumPy gives; None where the case is refused or not all of it is known."""
    try:
        call = library.call(case)
    except InvalidCall:
        return None
    arrays = [library.array(argument) for argument in call.args]
    if call.op.reference is None or any(array is None for array in arrays):
        return None
    with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore", category=RuntimeWarning):
        result = call.op.reference(np, *arrays, *call.attrs.values())
    is_tuple = isinstance(result, tuple | list)
    return call.struct_info, tuple(map(np.asarray, result)) if is_tuple else np.asarray(result)


#: where TVM has a meaning of its own
OWN_MEANING = {
    '["add", ["float32[]", "=1.5"], {}]',  # a scalar of the program counts as a tensor of one element
    '["einsum", [["float32[2, 3]"], "ij->ii"], {}]',  # NumPy refuses
    '["collapse_sum_like", ["float32[3, 4]", "float32[2, 3, 4]"], {}]',  # more dimensions than there are to sum
    '["collapse_sum_like", ["float32[]", "float32[3, 1]"], {}]',
    '["collapse_sum_to", ["float32[]", "(3, 1)"], {}]',
}


def _has_reference(case: Case) -> bool:
    if json.dumps(case) in OWN_MEANING or _is_float_bits(case):
        return False
    return case[0] not in NO_REFERENCE.get(_first(case), ())


@pytest.mark.parametrize("name", sorted({case[0] for case in CASES}))
def test_numpy_gives_what_is_inferred(name: str) -> None:
    compared = 0
    for case in CASES:
        if case[0] != name or not _has_reference(case):
            continue
        both = _by_reference(case)
        if both is not None:
            compared += 1
            assert library.describes(*both), case
    assert compared
