"""Modules: lookup, update, dict and set protocols."""

from __future__ import annotations

import pytest

from tests.ir.core.equality.test_equal import scale
from tvmscript.ir.core.errors import UnknownName, WrongType
from tvmscript.ir.core.module import GlobalVar, IRModule
from tvmscript.ir.core.op import Op


def module(*names: str) -> IRModule:
    return IRModule({GlobalVar(name): scale() for name in names})


def test_lookup() -> None:
    mod = module("main", "aux")
    gv = mod.get_global_var("main")
    assert mod[gv] is mod["main"]
    assert mod[GlobalVar("main")] is mod["main"]
    assert [var.name_hint for var in mod.get_global_vars()] == ["aux", "main"]
    assert "main" in mod
    assert gv in mod
    assert "nope" not in mod
    assert mod.get("nope") is None
    with pytest.raises(UnknownName, match="no function named nope"):
        mod["nope"]


def test_update_in_place_keeps_the_global_var() -> None:
    mod = module("main")
    (gv,) = mod.get_global_vars()
    other = scale(factor=5)
    mod["main"] = other
    assert mod[gv] is other
    mod.update({GlobalVar("main"): scale(), "more": scale()})
    assert len(mod) == 2
    assert mod.get_global_var("main") is gv
    del mod["more"]
    assert list(mod) == [gv]
    with pytest.raises(WrongType, match="a module takes a function"):
        mod["x"] = 3  # type: ignore[assignment]  # what this test is about


def test_set_protocol() -> None:
    left, right = module("a", "b"), module("b", "c")
    assert [v.name_hint for v in (left | right).get_global_vars()] == ["a", "b", "c"]
    assert [v.name_hint for v in (left & right).get_global_vars()] == ["b"]
    assert [v.name_hint for v in (left - right).get_global_vars()] == ["a"]
    assert module("a") <= left
    assert not left <= right


def test_attributes() -> None:
    mod = module("main").with_attr("version", 3)
    assert mod.get_attr("version").value == 3
    assert mod.without_attr("version").attrs == {}
    clone = mod.clone()
    clone["other"] = scale()
    assert "other" not in mod


def test_from_expr_takes_the_global_symbol() -> None:
    assert [v.name_hint for v in IRModule.from_expr(scale()).get_global_vars()] == ["scale"]


def test_names_of_operators() -> None:
    names = Op.list_op_names()
    assert {"tir.exp", "relax.add"} <= set(names)
    assert names == sorted(names)
