"""User-defined passes over dataflow blocks."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tvmscript import relax
from tvmscript.ir.core import IRModule, WrongType
from tvmscript.ir.relax.expr import DataflowBlock

MODULE = """
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = R.exp(x)
        with R.dataflow():
            lv = R.add(y, y)
            unused = R.add(lv, lv)
            z = R.add(lv, y)
            R.output(z)
        v = R.exp(z)
        with R.dataflow():
            w = R.add(v, z)
            R.output(w)
        return w
"""


def module() -> IRModule:
    mod = tvmscript.from_source(MODULE)
    assert isinstance(mod, IRModule)
    return mod


def without_unused(block: Any) -> Any:
    kept = [binding for binding in block.bindings if binding.var.name_hint != "unused"]
    return DataflowBlock(tuple(kept))


@relax.transform.dataflowblock_pass(opt_level=2)
def remove_unused(block: Any, mod: Any, ctx: Any) -> Any:
    """Remove what is not used."""
    assert "main" in mod
    return without_unused(block)


@relax.transform.dataflowblock_pass(opt_level=1, name="keep")
class Keep:
    def __init__(self, count: int) -> None:
        self.count = count

    def transform_dataflowblock(self, block: Any, mod: Any, ctx: Any) -> Any:
        return DataflowBlock(block.bindings[: self.count])


def test_function() -> None:
    assert isinstance(remove_unused, relax.transform.DataflowBlockPass)
    assert (remove_unused.info.opt_level, remove_unused.info.name) == (2, "remove_unused")
    before = module()
    after = remove_unused(before)
    lines = [line for line in before.script().splitlines() if "unused" not in line]
    assert after.script().splitlines() == lines


def test_no_change() -> None:
    same = relax.transform.dataflowblock_pass(lambda block, mod, ctx: block, opt_level=0, name="same")
    before = module()
    assert same(before) is before


def test_blocks_of_plain_bindings_are_left() -> None:
    seen: list[int] = []

    @relax.transform.dataflowblock_pass(opt_level=0)
    def look(block: Any, mod: Any, ctx: Any) -> Any:
        seen.append(len(block.bindings))
        return block

    look(module())
    assert seen == [3, 1]


def test_other_outputs() -> None:
    make: Any = Keep
    with pytest.raises(WrongType, match=r"pass keep takes a block with the outputs z, but got one with none"):
        make(1)(module())


def test_other_results() -> None:
    number: Any = relax.transform.dataflowblock_pass(lambda block, mod, ctx: 3, opt_level=0, name="three")
    with pytest.raises(WrongType, match="pass three takes a dataflow block, but got 3"):
        number(module())
