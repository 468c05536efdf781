"""Differences of graph functions: a changed binding is one change, in functions of any length."""

from __future__ import annotations

import time
from typing import Any

import tvmscript
from tvmscript import Diff
from tvmscript.ir.core.equality.equal import assert_structural_equal


def program(count: int, changed: int | None = None, name: str = "y") -> Any:
    """A chain of additions, one of which may be something else."""
    lines = [f"    {name}{k} = R.add({name}{k - 1}, x)" for k in range(1, count)]
    if changed is not None:
        lines[changed] = lines[changed].replace("add", "multiply")
    head = f'@R.function\ndef main(x: R.Tensor((4,), "float32")):\n    {name}0 = R.exp(x)'
    return tvmscript.from_source("\n".join([head, *lines, f"    return {name}{count - 1}"]))


def reasons(result: Diff) -> list[str]:
    return [change.reason for change in result.changes]


def test_one_binding_is_one_change() -> None:
    left, right = program(1000), program(1000, 500)
    difference = tvmscript.diff(left, right)
    assert reasons(difference) == ["operator relax.add against relax.multiply"]
    assert difference.changes[0].left_path == "<root>.body.blocks[0].bindings[501].value.op"
    assert [line[0] for line in difference.text(context=0).split("\n")[3:]] == ["-", "+"]
    assert len(difference.json()) < 5000
    assert_structural_equal(difference.apply(left), right)


def test_other_names_are_no_difference() -> None:
    left, right = program(20), program(20, name="z")
    difference = tvmscript.diff(left, right)
    assert not difference
    assert {change.kind for change in difference.changes} == {"rename"}
    assert len(difference.changes) == 20
    assert difference.apply(left).script() == right.script()


def test_a_binding_in_between() -> None:
    text = program(30).script()
    lines = text.split("\n")
    lines.insert(15, "    extra = R.tanh(x)")
    difference = tvmscript.diff(text, "\n".join(lines))
    assert reasons(difference) == ["binding of extra added"]


def test_variables_that_become_outputs() -> None:
    text = """
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        a = R.exp(x)
        b = R.abs(a)
        c = R.add(a, b)
        R.output(c)
    return c
"""
    more = text.replace("output(c)", "output(a, c)")
    assert reasons(tvmscript.diff(text, more)) == ["a is seen outside of its dataflow block"]
    back = tvmscript.diff(more, text)
    assert reasons(back) == ["a is no longer seen outside of its dataflow block"]
    assert_structural_equal(back.apply(more), tvmscript.from_source(text))


def test_sizes_that_follow_are_no_changes_of_their_own() -> None:
    text = program(5).script()
    difference = tvmscript.diff(text, text.replace("(4,)", "(5,)"))
    assert [change.left_path for change in difference.changes] == [
        "<root>.params[0].struct_info.shape.values[0]",
        "<root>.ret_struct_info.shape.values[0]",
    ]


def test_long_functions_take_linear_time() -> None:
    def seconds(count: int) -> float:
        left, right = program(count, 3), program(count, count // 2)
        begin = time.process_time()
        assert len(tvmscript.diff(left, right).changes) == 2
        return time.process_time() - begin

    assert seconds(2000) < 60 * max(seconds(100), 1e-3)
