"""Every operator on static, symbolic, unknown, scalar and empty shapes: what is inferred, against TVM and NumPy."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript as tvmscript  # installs the printer: sizes are compared as text
from tests.ir.relax.op import calls, library
from tests.ir.relax.op.calls import Case
from tvmscript.ir.relax.op.operator import InvalidCall

CASES = calls.cases()

#: (operator, first argument, first attribute or keyword): where TVM's answer is another one, and why
DIFFERENT: dict[tuple[str, str], str] = {
    ("cumsum", "float32[?3]"): "flat where no axis is given: 1 dimension, TVM says that of the argument",
    ("cumsum", "float32[?]"): "as above",
    ("cumprod", "float32[?3]"): "as above",
    ("cumprod", "float32[?]"): "as above",
    ("cumsum", "float32[]"): "a scalar has no axis 1",
    ("cumprod", "float32[]"): "as above",
    ("scatter_elements", "float32[]"): "as above",
    ("permute_dims", "float32[?]"): "axes say the number of dimensions; TVM fails",
    ("clip", "object"): "TVM takes anything",
    ("einsum", "float32[2, n]"): "n and 3 broadcast to 3; TVM says n",
    ("strided_slice", "float32[n, m]"): "the same number of elements, simplified otherwise",
    ("strided_slice", "float32[n, m, k]"): "as above",
}

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
def theirs(oracle: Any) -> list[Any]:
    driver = Path(sys.modules["tvmscript_oracle"].__file__ or "")
    command = [sys.executable, str(driver), "exec", calls.__file__]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    return list(json.loads(done.stdout.partition("ANSWERS")[2]))


@pytest.fixture(scope="module")
def ours() -> list[Any]:
    return [library.inferred(case) for case in CASES]


def test_the_oracle_infers_the_same(ours: list[Any], theirs: list[Any]) -> None:
    different = set()
    for case, our, their in zip(CASES, ours, theirs, strict=True):
        if isinstance(our, str) and isinstance(their, str):
            continue  # both refuse
        if isinstance(our, str) or isinstance(their, str) or our[0] != their[0]:
            different.add((case[0], _first(case)))
    assert different == set(DIFFERENT)


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
        found = call.op.reference(np, *arrays, *call.attrs.values())
    is_tuple = isinstance(found, tuple | list)
    return call.struct_info, tuple(map(np.asarray, found)) if is_tuple else np.asarray(found)


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
