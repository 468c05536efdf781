"""What rules see of operators: blocks without their attributes, indices without the quotients of reshapes."""

from __future__ import annotations

import numpy as np

import tvmscript
from tests.ir.schedule.default.cpu.programs import scheduled
from tvmscript import te, topi
from tvmscript.ir.core import nodes
from tvmscript.ir.schedule.default.cpu.normal_form import normalize
from tvmscript.ir.schedule.default.unscheduled import is_unscheduled
from tvmscript.ir.tir import Block, PrimFunc
from tvmscript.ir.tir.expr import FloorDiv, FloorMod


def attention(length: int, heads: int, size: int) -> PrimFunc:
    query, key, value = (te.placeholder((1, length, heads, size), name=name) for name in "QKV")
    result = topi.graph.attention(query, key, value, None, None, None, None)
    func = te.create_prim_func([query, key, value, result])
    assert isinstance(func, PrimFunc)
    return func


def test_attributes_of_operators_are_no_schedule() -> None:
    func = attention(16, 2, 8)
    attributes = {name for node in nodes(func) if isinstance(node, Block) for name in node.annotations}
    assert attributes == {"axis", "layout_free_placeholders"}
    assert is_unscheduled(func)
    assert not any(node.annotations for node in nodes(normalize(func)) if isinstance(node, Block))


def test_attributes_of_schedules_stay() -> None:
    text = attention(16, 2, 8).script().replace('"axis": 2', '"meta_schedule.unroll_explicit": 2')
    func = tvmscript.from_source(text)
    assert isinstance(func, PrimFunc)
    assert not is_unscheduled(func)


def test_reshapes_have_no_quotients() -> None:
    func = attention(16, 2, 8)
    assert any(isinstance(node, (FloorDiv, FloorMod)) for node in nodes(func))
    assert not any(isinstance(node, (FloorDiv, FloorMod)) for node in nodes(normalize(func)))


def test_attention_is_scheduled_and_right() -> None:
    length, heads, size = 37, 3, 8
    func = attention(length, heads, size)
    assert "T.vectorized" in scheduled(func).mod.script()
    rng = np.random.default_rng(0)
    q, k, v = (rng.standard_normal((1, length, heads, size)).astype("float32") for _ in range(3))
    scores = np.einsum("bihd,bjhd->bhij", q, k) / np.sqrt(size)
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    result = np.zeros_like(q)
    tvmscript.build(func)["main"](q, k, v, result)
    np.testing.assert_allclose(result, np.einsum("bhij,bjhd->bihd", weights, v), rtol=1e-4, atol=1e-5)
