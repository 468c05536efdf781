"""Instruments: printing, timing, texts in a folder, the record."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import tvmscript as tvm
from tvmscript.instrument import (
    DumpIR,
    PassInstrument,
    PassPrintingInstrument,
    PassRecord,
    PassTimingInstrument,
    PrintAfterAll,
    PrintBeforeAll,
    pass_instrument,
)
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.transform.context import PassInfo
from tvmscript.transform import PassContext, Sequential, get_pass, module_pass

TEXT = """
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4,), "float32")):
        for i in range(4):
            A[i + 0] = A[i] + T.float32(1)
"""


@pytest.fixture
def mod() -> IRModule:
    made = tvm.from_source(TEXT)
    assert isinstance(made, IRModule)
    return made


def nested() -> Sequential:
    return Sequential([get_pass("tir.Simplify"), Sequential([get_pass("tir.RemoveNoOp")], name="inner")])


def test_timing_is_a_tree(mod: IRModule) -> None:
    timing = PassTimingInstrument()
    with PassContext(instruments=[timing]):
        nested()(mod)
        get_pass("tir.Simplify")(mod)
        text = timing.render()
    assert timing.render() == "", "what was measured is gone with the context, as in TVM"
    percent = r"\(\d+\.\d\d%; \d+\.\d\d%\)"
    lines = text.splitlines()
    assert [re.sub(rf": \d+us \[\d+us\] {percent}$", "", line) for line in lines] == [
        "sequential", "\ttir.Simplify", "\tinner", "\t\ttir.RemoveNoOp", "tir.Simplify",
    ]  # fmt: skip


def test_parts_of_times(mod: IRModule) -> None:
    timing = PassTimingInstrument()
    with PassContext(instruments=[timing]):
        nested()(mod)
        outer, simplify, inner, _ = (ran for _, ran in timing)
        outer.seconds, simplify.seconds, inner.seconds, inner.inside[0].seconds = 4e-3, 1e-3, 2e-3, 1e-3
        text = timing.render()
    assert text == (
        "sequential: 4000us [1000us] (100.00%; 100.00%)\n"
        "\ttir.Simplify: 1000us [1000us] (25.00%; 25.00%)\n"
        "\tinner: 2000us [1000us] (50.00%; 50.00%)\n"
        "\t\ttir.RemoveNoOp: 1000us [1000us] (25.00%; 50.00%)\n"
    )


def test_record(mod: IRModule) -> None:
    record = PassRecord()
    with PassContext(instruments=[record]):
        made = nested()(mod)
    assert [(depth, ran.info.name) for depth, ran in record] == [
        (0, "sequential"), (1, "tir.Simplify"), (1, "inner"), (2, "tir.RemoveNoOp"),
    ]  # fmt: skip
    (outer,) = record.passes
    assert outer.before is mod
    assert outer.after is made
    assert outer.changed
    assert outer.inside[0].after is outer.inside[1].before
    assert outer.seconds >= outer.own_seconds >= 0
    assert len(record) == 4


def test_record_of_a_failure(mod: IRModule) -> None:
    def refuse(mod: IRModule, ctx: PassContext) -> IRModule:
        raise ValueError("no")

    record = PassRecord()
    fails = module_pass(refuse, opt_level=0)
    with PassContext(instruments=[record]):
        with pytest.raises(ValueError, match="no"):
            Sequential([fails])(mod)
        get_pass("tir.Simplify")(mod)
    assert [(depth, ran.info.name, ran.after is None) for depth, ran in record] == [
        (0, "sequential", True), (1, "refuse", True), (0, "tir.Simplify", False),
    ]  # fmt: skip
    assert isinstance(record.passes[0].inside[0].error, ValueError)
    assert not record.passes[0].changed


def test_printing(mod: IRModule, capsys: pytest.CaptureFixture[str]) -> None:
    each = get_pass("tir.Simplify")
    with PassContext(instruments=[PrintBeforeAll(), PrintAfterAll()]):
        made = each(mod)
    assert capsys.readouterr().out == (
        f"Before Running Pass: {each.info}\n{mod.script()}\nAfter Running Pass: {each.info}\n{made.script()}\n"
    )
    with PassContext(instruments=[PassPrintingInstrument(["tir.Simplify"], ["inner"])]):
        nested()(mod)
    assert capsys.readouterr().out == (
        f"Print IR before: tir.Simplify\n{mod.script()}\n\n\nPrint IR after: inner\n{made.script()}\n\n\n"
    )


def test_texts_in_a_folder(mod: IRModule, tmp_path: Path) -> None:
    folder = tmp_path / "dump"
    folder.mkdir()
    (folder / "007_old.py").write_text("")
    (folder / "notes.txt").write_text("")
    with PassContext(instruments=[DumpIR(str(folder), refresh=True)]):
        made = nested()(mod)
    assert sorted(path.name for path in folder.iterdir()) == [
        "000_tir.Simplify.py", "001_tir.RemoveNoOp.py", "002_inner.py", "003_sequential.py", "notes.txt",
    ]  # fmt: skip
    assert (folder / "003_sequential.py").read_text() == made.script() + "\n"


def test_classes_of_users(mod: IRModule) -> None:
    @pass_instrument
    class Count:
        """Counts."""

        def __init__(self, start: int = 0) -> None:
            self.count = start

        def run_after_pass(self, mod: IRModule, info: PassInfo) -> None:
            self.count += 1

    counter: Any = Count(10)
    with PassContext(instruments=[counter]):
        nested()(mod)
    assert counter.count == 14
    assert isinstance(counter, PassInstrument)
    assert (Count.__name__, Count.__doc__) == ("Count", "Counts.")
    assert pass_instrument(PassRecord) is PassRecord
    with pytest.raises(WrongType, match="pass_instrument takes a class"):
        pass_instrument(3)  # type: ignore[arg-type]  # what users do
