"""`Diff`: changes, views, patches, and the JSON form."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tvmscript import Diff, T
from tvmscript.differ.errors import DoesNotFit, InvalidDiff, NotComparable, NotStorable
from tvmscript.differ.to_json import class_name, node_class
from tvmscript.ir.core.equality.equal import assert_structural_equal, structural_equal
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.relax import expr as relax
from tvmscript.ir.tir import expr
from tvmscript.ir.tir.expr import Add, IntImm, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import AttrStmt, Evaluate
from tvmscript.testing.mutations import module_of, mutated, renamed
from tvmscript.testing.strategies import block_funcs, prim_funcs

programs = st.one_of(prim_funcs(), block_funcs())

BEFORE = """
@T.prim_func
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[i] * T.float32(2)
"""


def program(text: str) -> Any:
    return tvmscript.from_source(text, check_well_formed=False)


def assert_leads(left: Any, right: Any) -> Diff:
    """The diff and its JSON form make the right program of the left one; it is false exactly for equal programs."""
    difference = tvmscript.diff(left, right)
    assert_structural_equal(difference.apply(left), right)
    again = Diff.from_json(difference.json())
    assert_structural_equal(again.apply(left), right)
    assert bool(difference) == bool(again) == (not structural_equal(left, right))
    assert again.json() == difference.json()
    assert again.text() == difference.text()
    return difference


@settings(max_examples=40)
@given(programs, programs)
def test_any_two_programs(first: PrimFunc, second: PrimFunc) -> None:
    assert_leads(first, second)
    assert not tvmscript.diff(first, first).changes


@settings(max_examples=50)
@given(st.data())
def test_changed_programs(data: st.DataObject) -> None:
    first = data.draw(programs)
    second = data.draw(mutated(first))
    result = assert_leads(first, second)
    assert result
    assert 1 <= sum(change.structural for change in result.changes) <= 4
    assert_leads(second, first)
    third = data.draw(mutated(second))
    assert_leads(first, third)
    assert_leads(renamed(first), third)


@settings(max_examples=40)
@given(programs)
def test_other_names_are_no_difference(func: PrimFunc) -> None:
    other = renamed(func)
    result = assert_leads(func, other)
    assert not result
    assert {change.kind for change in result.changes} <= {"rename"}
    assert result.apply(func).script() == other.script()


@settings(max_examples=15)
@given(programs, programs, programs)
def test_modules(first: PrimFunc, second: PrimFunc, third: PrimFunc) -> None:
    assert_leads(module_of(first, second), module_of(second, first))
    assert_leads(module_of(first, second), module_of(first, third, second))
    assert_leads(module_of(first), IRModule())


def test_applies_to_a_program_that_is_equal() -> None:
    difference = tvmscript.diff(BEFORE, BEFORE.replace("2)", "3)"))
    other = program(BEFORE.replace("[i]", "[k]").replace("for i", "for k"))
    assert_structural_equal(difference.apply(other), program(BEFORE.replace("2)", "3)")))
    assert difference.apply(BEFORE).script() == program(BEFORE.replace("2)", "3)")).script()


def test_does_not_fit() -> None:
    after = program(BEFORE.replace("2)", "3)"))
    difference = tvmscript.diff(BEFORE, after)
    with pytest.raises(DoesNotFit, match="TS3201"):
        difference.apply(after)


def test_not_comparable() -> None:
    with pytest.raises(NotComparable, match="TS3203"):
        tvmscript.diff(BEFORE, 3)


def test_not_storable() -> None:
    strange = AttrStmt(complex(1, 2), "key", IntImm("int32", 1), Evaluate(IntImm("int32", 0)))
    with pytest.raises(NotStorable, match="TS3204"):
        tvmscript.differ.diff(Evaluate(IntImm("int32", 0)), strange)


def damaged(change: Callable[[dict[str, Any]], None]) -> str:
    value = json.loads(tvmscript.diff(BEFORE, BEFORE.replace("2)", "3)")).json())
    change(value)
    return json.dumps(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format": "tvmscript-diff"}',
        '{"format": "tvmscript-diff", "version": 2}',
        '{"format": "tvmscript-diff", "version": 1}',
        "[" * 100_000,
        damaged(lambda value: value["rows"].append({"kind": "?"})),
        damaged(lambda value: value["rows"][0].update(nonsense=1)),
        damaged(lambda value: value["changes"][0].pop("kind")),
        damaged(lambda value: value.update(names=["one"])),
    ],
)
def test_no_diff_at_all(text: str) -> None:
    with pytest.raises(InvalidDiff, match="TS3202"):
        Diff.from_json(text)


@pytest.mark.parametrize(
    "root",
    [
        {"old": ["nowhere"]},
        {"old": ["body", "seq", 7]},
        {"new": "Nothing", "fields": {}},
        {"new": "IntImm", "fields": {"dtype": {"dtype": "int32"}}},
        {"new": "IntImm", "fields": {"dtype": {"dtype": "int32"}, "value": "one"}},
        {"new": "For", "fields": {"loop_var": 1, "min": 2, "extent": 3}},
        {"name": 99},
        {"op": "os.system"},
        {"enum": ["ForKind", "SIDEWAYS"]},
        {"dtype": "int1000"},
        {"float": "xyz"},
        {"data": {"dtype": "int8", "shape": [1], "base64": "?"}},
        {"what": 1},
        {"old": ["body"], "set": {"kind": 3, "extent": None}},
    ],
)
def test_damaged_patches_do_not_apply(root: Any) -> None:
    result = Diff.from_json(damaged(lambda value: value["patch"].update(root=root)))
    with pytest.raises(InvalidDiff, match="TS3202"):
        result.apply(BEFORE)


def test_fragments() -> None:
    x, y = Var("x", "int32"), Var("y", "int32")
    result = assert_leads(Add(x, IntImm("int32", 1)), Add(x, IntImm("int32", 2)))
    assert [change.reason for change in result.changes] == ["right operand 1 against 2"]
    assert tvmscript.diff(Add(x, x), Add(y, y))
    assert not tvmscript.diff(Add(x, x), Add(y, y), map_free_vars=True)
    assert (
        tvmscript.diff("x = T.int32()\nx + 1", "z = T.int32()\nz + 2").changes[-1].reason == "right operand 1 against 2"
    )
    assert tvmscript.diff(Evaluate(x), Evaluate(Add(x, x))).changes[0].reason == "value wrapped in an Add"


def test_decorated_functions() -> None:
    @T.prim_func
    def one(A: T.Buffer((4,), "float32")):  # type: ignore[no-untyped-def,valid-type]
        A[0] = T.float32(1)

    @T.prim_func
    def other(A: T.Buffer((4,), "float32")):  # type: ignore[no-untyped-def,valid-type]
        A[0] = T.float32(1)
        A[1] = T.float32(2)

    kinds = [change.kind for change in tvmscript.diff(one, other).changes]
    assert kinds == ["update", "insert"]  # the symbol of the function is another one


def test_kinds_of_programs_that_have_nothing_in_common() -> None:
    func = program(BEFORE)
    result = assert_leads(func, IRModule({"f": func}))
    assert result.summary().startswith("different")
    assert repr(result) == f"<Diff: {result.summary()}>"


def test_equal_programs_have_an_empty_view() -> None:
    difference = tvmscript.diff(BEFORE, BEFORE)
    assert (difference.text(), str(difference), difference.summary(), difference.changes) == ("", "", "equal", ())


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    tvmscript.diff(BEFORE, BEFORE.replace("2)", "3)")).show()
    shown = capsys.readouterr().out
    assert "+        B[i] = A[i] * T.float32(3)\n" in shown
    assert "\x1b" not in shown  # no terminal
    tvmscript.diff(BEFORE, BEFORE).show()
    assert capsys.readouterr().out == "equal\n"


def test_colours_mark_the_part_that_changed() -> None:
    text = tvmscript.diff(BEFORE, BEFORE.replace("2)", "3)")).text(color=True, context=0)
    assert text.split("\n")[-1] == "\x1b[32m+        B[i] = A[i] * T.float32(\x1b[7m3\x1b[27m)\x1b[0m"


def test_names_of_the_sides() -> None:
    text = tvmscript.diff(BEFORE, BEFORE.replace("2)", "3)"), names=("old.py", "new.py")).text()
    assert text.startswith("--- old.py\n+++ new.py\n")


def many(count: int, changed: int) -> str:
    lines = [f"    for i in range(16):\n        A[i] = A[i] * T.float32({k}) + T.float32(1)" for k in range(count)]
    lines[changed] = lines[changed].replace("float32(1)", "float32(-1)")
    return "\n".join(['@T.prim_func\ndef f(A: T.Buffer((16,), "float32")):', *lines])


def test_large_programs_take_linear_time() -> None:
    def seconds(count: int) -> float:
        left, right = program(many(count, 0)), program(many(count, count // 2))
        begin = time.process_time()
        difference = tvmscript.diff(left, right)
        assert len(difference.changes) == 2
        assert len(difference.json()) < 8000
        return time.process_time() - begin

    assert seconds(1000) < 40 * max(seconds(100), 1e-3)


def test_views_of_large_programs_are_short() -> None:
    difference = tvmscript.diff(many(300, 0), many(300, 200))
    assert difference.text().count("\n") < 30
    assert "299 equal" not in difference.html()
    assert difference.html().count("equal lines") >= 1


def test_handles_are_not_told_apart_from_their_buffers() -> None:
    text = '@T.prim_func\ndef f({0}: T.Buffer((4,), "float32")):\n    {0}[0] = T.float32(1)\n'
    changes = tvmscript.diff(tvmscript.from_source(text.format("A")), tvmscript.from_source(text.format("B"))).changes
    assert [change.reason for change in changes] == ["buffer A renamed B"]


def test_nodes_of_both_levels_that_share_a_name_are_told_apart() -> None:
    names = [class_name(cls) for cls in (expr.Var, relax.Var, expr.Call, relax.Call)]
    assert names == ["Var", "relax.Var", "Call", "relax.Call"]
    assert [node_class(name) for name in names] == [expr.Var, relax.Var, expr.Call, relax.Call]
