"""Every patch still stands where it says, and bugs are found."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from tests.mutation.patch import ROOT, Patch, PatchError
from tests.mutation.planted import PARTS
from tests.mutation.score import Scored, read_details, table, with_table
from tests.mutation.trial import Outcome, try_out
from tvmscript.ir.transform.registry import pass_modules

PATCHES = [patch for part in PARTS.values() for patch in part.patches]


def _patch(name: str) -> Patch:
    return next(patch for patch in PATCHES if patch.name == name)


@cache
def _syntax(file: str) -> str:
    return ast.dump(ast.parse((ROOT / file).read_text("utf-8")))


@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: patch.name)
def test_applies_once(patch: Patch) -> None:
    changed = patch.applied((ROOT / patch.file).read_text("utf-8"))
    assert ast.dump(ast.parse(changed)) != _syntax(patch.file)


def test_there_are_enough() -> None:
    assert len(PATCHES) >= 66
    assert min(len(part.patches) for part in PARTS.values()) >= 9
    for part in PARTS.values():
        names = [patch.name for patch in part.patches]
        assert len(names) == len(set(names))


def test_patches_that_do_not_apply_say_so() -> None:
    with pytest.raises(PatchError, match=r"one: in a\.py 'x' is there 2 times"):
        Patch("one", "a.py", "x", "y", "").applied("x = x")


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "areas", "cause"),
    [
        ("extent-of-loops", ("printer",), "printer: "),  # it depends on what is drawn first how it shows
        ("less-by-one", ("arith",), "arith: OutcomeChanged[TS8077]"),
    ],
)
def test_is_found(name: str, areas: tuple[str, ...], cause: str) -> None:
    found = try_out(_patch(name), areas)
    assert found.cause.startswith(cause)
    assert "check(" in found.script


@pytest.mark.parametrize(
    ("file", "subjects", "areas"),
    [
        ("ir/transform/loops/unroll_loop/unroll_loop.py", (), ("passes:tir.UnrollLoop",)),
        ("ir/schedule/default/default_gpu_schedule.py", (), ("passes:tir.DefaultGPUSchedule",)),
        ("ir/arith/buffer_layout.py", (), ("passes",)),
        (
            "ir/arith/buffer_layout.py",
            ("tir.FlattenBuffer", "tir.Simplify"),
            ("passes:tir.FlattenBuffer,tir.Simplify",),
        ),
    ],
)
def test_pointed_at_the_pass_of_the_file(file: str, subjects: tuple[str, ...], areas: tuple[str, ...]) -> None:
    assert PARTS["passes"].pointed(Patch("", file, "", "", "", subjects)) == areas
    assert PARTS["passes"].pointed(None) == ("passes",)


@pytest.mark.parametrize("patch", PARTS["passes"].patches, ids=lambda patch: patch.name)
def test_bugs_of_passes_say_which(patch: Patch) -> None:
    assert PARTS["passes"].pointed(patch) != ("passes",)
    assert set(patch.subjects) <= set(pass_modules())


def test_tests_that_cannot_be_collected_find_nothing(tmp_path: Path) -> None:
    texts = {"test_broken.py": "import nothing_of_this_name\n", "test_other.py": "def test_nothing(): pass\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / name) for name in texts]
    with pytest.raises(PatchError, match="the tests do not start"):
        try_out(replace(_patch("largest-tiling"), tests=(*files, "--rootdir", str(tmp_path))), ())


def test_nothing_planted() -> None:
    found = try_out(None, ("arith",), minutes=0.02)
    assert not found.is_found
    assert found.examples > 0


def test_table() -> None:
    patch = _patch("extent-of-loops")
    scores = [
        Scored("parser", patch, Outcome("extent-of-loops", "printer: a | b", 3.0)),
        Scored("llvm", patch, Outcome("other", "", 60.0)),
    ]
    assert table(scores).splitlines()[2:] == [
        "| parser | 1 | 1 | 3.0 | 3.0 |",
        "| llvm | 1 | 0 | - | - |",
        "| **all** | 2 | 1 | 3.0 | 3.0 |",
    ]
    page = with_table("before\n<!-- score -->\nold\n<!-- end of score -->\nafter\n", scores)
    assert page.startswith("before\n<!-- score -->\n\n| part")
    assert f"| parser/extent-of-loops | {patch.what} | 3.0 s | printer: a \\| b |" in page
    assert f"| llvm/other | {patch.what} | not within 60 s |  |" in page
    assert page.endswith("<!-- end of score -->\nafter\n")
    assert "old" not in page
    assert with_table(page, read_details(page)) == page
