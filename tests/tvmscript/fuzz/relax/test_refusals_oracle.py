"""TVM 0.17 is asked about every entry of the table of refusals, and about the mistakes that are not in it."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tvmscript.fuzz.relax.mistakes import mistakes
from tvmscript.fuzz.relax.operator_laws import made
from tvmscript.fuzz.relax.refusals import STRICTER, blamed
from tvmscript.ir.relax.errors import InvalidCall
from tvmscript.testing.operator_calls import RECIPES, Data, OperatorCall, Sizes, operator, operator_call


def text_of(call: OperatorCall) -> str:
    """A function that makes the call."""
    params: list[str] = []

    def value(given: Any, kind: str) -> str:
        if isinstance(given, Data):
            params.append(f"x{len(params)}: R.Tensor({given.shape!r}, {given.dtype!r})")
            return f"x{len(params) - 1}"
        if isinstance(given, Sizes):
            return f"R.shape({list(given.extents)})"
        if isinstance(given, list) and (kind == "Tuple" or any(isinstance(each, Data | Sizes) for each in given)):
            items = ", ".join(value(each, "Expr") for each in given)
            return f"R.tuple({items})" if kind == "Expr" else f"({items},)" if given else "()"
        return f"R.prim_value({given!r})" if kind == "Prim" else repr(given)

    kinds = [each.kind for each in operator(call.operator).parameters]
    values = [value(each, kinds[min(at, len(kinds) - 1)]) for at, each in enumerate(call.args)]
    values += [f"{name}={each!r}" for name, each in call.attrs.items()]
    made_of = f"R.{call.operator}({', '.join(values)})"
    return f"@R.function\ndef main({', '.join(params)}):\n    gv = {made_of}\n    return gv\n"


def _takes(tvm: Any, call: OperatorCall) -> bool:
    try:
        tvm.print(text_of(call))
    except sys.modules["tvmscript_oracle"].OracleError:
        return False
    return True


def _is_taken(call: OperatorCall) -> bool:
    try:
        made(call)
    except InvalidCall:
        return False
    return True


def differences(tvm: Any, name: str, seed: int) -> Iterator[str]:
    """The mistakes that TVM judges otherwise; none where it does not take the right call: it lacks the operator then,
    or an option of it.
    """
    call = operator_call(name, random.Random(seed))
    if not _takes(tvm, call):
        return
    for mistake in mistakes(call):
        is_taken = _takes(tvm, mistake.call)
        if is_taken and blamed(mistake) and mistake.kind not in STRICTER.get(name, ()):
            yield f"{name}: {mistake.words} is taken\n{text_of(mistake.call)}"
        if not is_taken and _is_taken(mistake.call):
            yield f"{name}: {mistake.words} is refused\n{text_of(mistake.call)}"


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("seed", "step"), [(0, 4), *(pytest.param(seed, 1, marks=pytest.mark.fuzz) for seed in range(8))]
)
def test_tvm_refuses_the_same(oracle: Any, seed: int, step: int) -> None:
    assert [told for name in sorted(RECIPES)[::step] for told in differences(oracle, name, seed)] == []
