"""Programs of many forms, through one pass each: the result is TVM's, and what TVM refuses is refused.

A file in tests/cases/transform_programs is for one pass:

    # pass: tir.CompactBufferAllocation     which pass
    # in simplest form                      optional: both results are simplified before they are compared
    ## name of the first program
    <program>
    ## name of the next one
    <program>
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.transform.registry import get_pass

_FOLDER = Path(__file__).parents[2] / "cases" / "transform_programs"


def _programs() -> list[Any]:
    """Pass, whether results are simplified, program."""
    found: list[Any] = []
    for path in sorted(_FOLDER.glob("*.txt")):
        header, *parts = path.read_text().split("\n## ")
        name = next(line for line in header.splitlines() if line.startswith("# pass:")).removeprefix("# pass:").strip()
        for part in parts:
            title, _, text = part.partition("\n")
            found.append(pytest.param(name, "# in simplest form" in header, text, id=f"{path.stem}/{title}"))
    return found


def _module(program: Any) -> tvmscript.IRModule:
    return program if isinstance(program, tvmscript.IRModule) else tvmscript.IRModule.from_expr(program)


@pytest.mark.oracle
@pytest.mark.parametrize(("name", "is_simplified", "text"), _programs())
def test_tvm_agrees(name: str, is_simplified: bool, text: str, oracle: Any) -> None:
    before = _module(tvmscript.from_source(text, check_well_formed=False))
    try:
        ours = get_pass(name)(before)
    except TVMScriptError:
        with pytest.raises(Exception, match=r".") as refused:
            oracle.apply(name, text, check=False)
        assert getattr(refused.value, "kind", None) == "tvm-error"
        return
    theirs = _module(tvmscript.from_source(oracle.apply(name, text, check=False), check_well_formed=False))
    if is_simplified:
        ours, theirs = (get_pass("tir.Simplify")(each) for each in (ours, theirs))
    assert structural_equal(theirs, ours, map_free_vars=True), ours.script()
