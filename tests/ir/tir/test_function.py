"""Functions with other attributes and bodies."""

from __future__ import annotations

from typing import Any

import tvmscript
from tvmscript.ir.tir import Evaluate, IntImm, PrimFunc

FUNC: PrimFunc = tvmscript.from_source("""@T.prim_func
def main(A: T.Buffer((4,), "float32")):
    T.func_attr({"tir.noalias": True})
    A[0] = 1.0
""")


def _attrs(func: PrimFunc) -> dict[str, Any]:
    return {name: getattr(value, "value", value) for name, value in func.attrs.items()}


def test_attributes() -> None:
    before = _attrs(FUNC)
    assert _attrs(FUNC.with_attr("a", 1)) == {**before, "a": 1}
    assert _attrs(FUNC.with_attr({"a": 1, "b": "text"})) == {**before, "a": 1, "b": "text"}
    assert _attrs(FUNC.with_attrs({"a": 1, "global_symbol": "other"})) == {**before, "a": 1, "global_symbol": "other"}
    assert _attrs(FUNC.with_attrs({})) == before
    assert _attrs(FUNC.without_attr("tir.noalias")) == {"global_symbol": "main"}
    assert _attrs(FUNC.without_attr("none")) == before
    assert _attrs(FUNC) == before


def test_bodies() -> None:
    body = Evaluate(IntImm("int32", 0))
    changed = FUNC.with_body(body)
    assert changed.body is body
    assert (changed.params, changed.ret_type, changed.attrs, changed.span) == (
        FUNC.params, FUNC.ret_type, FUNC.attrs, FUNC.span
    )  # fmt: skip
    assert dict(changed.buffer_map) == dict(FUNC.buffer_map)
    assert FUNC.with_body(FUNC.body) is FUNC
