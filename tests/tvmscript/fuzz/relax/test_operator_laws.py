"""Right calls of every operator, what is wrong with others, and what the laws say about planted bugs."""

from __future__ import annotations

import random
import sys

import pytest

from tvmscript.fuzz.relax.mistakes import mistakes
from tvmscript.fuzz.relax.operator_laws import check_operator_call, made
from tvmscript.fuzz.relax.refusals import REFUSED, STRICTER, TAKEN, blamed
from tvmscript.fuzz.relax.struct_info_laws import check_struct_info
from tvmscript.ir.core.op import Op
from tvmscript.ir.relax.op import registry as _all
from tvmscript.ir.relax.op import shape_rules
from tvmscript.ir.relax.operator import Operator
from tvmscript.testing.operator_calls import RECIPES, Data, OperatorCall, operator, operator_call

_DECLARED = _all
#: operators without a recipe: they take functions, devices or memory, or are called for their effect
OTHERS = {
    "assert_op", "breakpoint", "call_builtin_with_ctx", "call_dps_packed", "call_inplace_packed", "call_pure_packed",
    "call_py_func", "call_tir", "call_tir_inplace", "call_tir_with_grad", "dist.annotate_sharding",
    "dist.call_tir_local_view",
    "dist.redistribute", "hint_on_device", "invoke_closure", "invoke_pure_closure", "layout_transform", "make_closure",
    "memory.alloc_storage", "memory.kill_storage", "memory.kill_tensor", "null_value", "print", "to_vdevice",
    "vm.alloc_storage", "vm.call_tir_dyn", "vm.kill_object",
}  # fmt: skip


def test_every_operator_has_a_recipe() -> None:
    declared = {name.removeprefix("relax.") for name, each in Op.registry.items() if isinstance(each, Operator)}
    assert declared - set(RECIPES) == OTHERS
    assert set(RECIPES) <= declared


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_a_recipe_stands_where_the_operator_is_declared(name: str) -> None:
    operators, recipes = "tvmscript.ir.relax.op.", "tvmscript.testing.operator_calls."
    modules = [module for module in sys.modules.values() if getattr(module, "__name__", "").startswith(operators)]
    holders = [module.__name__ for module in modules if operator(name) in vars(module).values()]
    recipe = RECIPES[name]
    assert recipe.__module__.replace(recipes, operators) in holders


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_right_calls(name: str) -> None:
    for seed in range(8):
        check_operator_call(operator_call(name, random.Random(seed)), seed)


def test_what_is_refused_is_known_of_operators_with_recipes() -> None:
    assert set(REFUSED) | set(TAKEN) | set(STRICTER) <= set(RECIPES)
    for name, entry in REFUSED.items():
        known = {each.name for each in operator(name).parameters}
        told = {other for kinds in entry.values() for others in kinds.values() for other in others}
        assert set(entry) | told <= known
    call = OperatorCall("concat", ([Data((2, 3)), Data((2, 3))],), {"axis": 0})
    words = {mistake.words for mistake in mistakes(call) if blamed(mistake)}
    assert {"axis is too large", "argument 0 is empty", "argument 0 holds a shape"} <= words
    assert "argument 0 holds other sizes" not in words  # along the axis they may differ


def _fails(name: str) -> str:
    """What the laws say about the first call that does not follow them."""
    for seed in range(200):
        try:
            check_operator_call(operator_call(name, random.Random(seed)), seed)
        except AssertionError as error:
            return str(error)
    return ""


def test_a_wrong_axis_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _fails("stack") == ""
    monkeypatch.setattr(shape_rules, "normalize_axis", lambda *_: 0)
    assert "rather than" in _fails("stack")


def test_a_missing_refusal_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shape_rules, "normalize_axis", lambda call, name, axis, ndim: axis % max(ndim, 1))
    assert "taken though axis is too" in _fails("sum")


def test_arguments_have_places() -> None:
    call = made(operator_call("add", random.Random(3)))
    spans = [arg.span for arg in call.args]
    assert None not in spans
    assert len({repr(span) for span in spans}) == 2


def test_struct_info() -> None:
    r = random.Random(0)
    for _ in range(200):
        check_struct_info(r)
