"""Snapshots: files parse back, and the index shows every pass."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tvmscript as tvm
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.transform.errors import BlockNotOpaque
from tvmscript.snapshots import Snapshots
from tvmscript.transform import PassContext, Sequential, get_pass, get_passes

TEXT = """
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
        for i in range(16):
            with T.block("B"):
                vi = T.axis.spatial(16, i)
                B[vi] = A[vi] + T.float32(1)
"""


def module() -> IRModule:
    program = tvm.from_source(TEXT)
    assert isinstance(program, IRModule)
    return program


def test_every_pass_has_a_file_that_reads_back(tmp_path: Path) -> None:
    snapshots = Snapshots(tmp_path / "deep" / "passes")
    with PassContext(instruments=[snapshots]):
        result = tvm.lower(module())
    files = sorted(path.name for path in snapshots.folder.glob("*.py"))
    assert files[0] == "000_input.py"
    assert [re.sub(r"^\d{3}_|\.py$", "", name) for name in files[1:]] == [
        ran.info.name for _, ran in snapshots if not ran.inside
    ]
    for (_, ran), name in zip([each for each in snapshots if not each[1].inside], files[1:], strict=True):
        again = tvm.from_source((snapshots.folder / name).read_text(), check_well_formed=False)
        assert_structural_equal(again, ran.after, map_free_vars=True)
    last = tvm.from_source((snapshots.folder / files[-1]).read_text(), check_well_formed=False)
    assert_structural_equal(last, result, map_free_vars=True)


def test_index(tmp_path: Path) -> None:
    passes = Sequential(
        [get_pass("tir.ConvertBlocksToOpaque"), get_pass("tir.UnrollLoop{auto_max_step=2}")], name="both"
    )
    with PassContext(instruments=[Snapshots(tmp_path)]):
        passes(module())
    page = (tmp_path / "index.html").read_text()
    assert "2 passes, 1 of which changed the program" in page
    assert '<a href="001_tir.ConvertBlocksToOpaque.py">tir.ConvertBlocksToOpaque</a>' in page
    assert "tir.UnrollLoop{auto_max_step=2}</a>" in page
    assert '<span class="came">+' in page
    assert 'style="--depth: 1"' in page
    assert ">both <span" in page
    assert (
        (tmp_path / "002_tir.UnrollLoop.py")
        .read_text()
        .startswith("# after tir.UnrollLoop{auto_max_step=2}, which changed nothing\n# Unroll loops.")
    )


def test_a_failure_leaves_what_came_before(tmp_path: Path) -> None:
    with pytest.raises(BlockNotOpaque), PassContext(instruments=[Snapshots(tmp_path)]):
        Sequential(get_passes("tir.LowerInitBlock,tir.LowerOpaqueBlock"))(module())
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "000_input.py", "001_tir.LowerInitBlock.py", "index.html",
    ]  # fmt: skip
    page = (tmp_path / "index.html").read_text()
    assert '<pre class="failed">error[TS4002]: block B has axes' in page


def test_a_folder_is_used_again(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("kept")
    (tmp_path / "009_old.py").write_text("gone")
    snapshots = Snapshots(tmp_path)
    for _ in range(2):
        with PassContext(instruments=[snapshots]):
            get_pass("tir.Simplify")(module())
        assert sorted(path.name for path in tmp_path.iterdir()) == [
            "000_input.py", "001_tir.Simplify.py", "index.html", "notes.txt",
        ]  # fmt: skip
    with PassContext(instruments=[Snapshots(tmp_path / "unused")]):
        pass
    assert not (tmp_path / "unused").exists(), "nothing ran"
