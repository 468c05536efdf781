"""`expect`: what it compares, what it says, and what `pytest --tvmscript-update` writes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tvmscript
from tvmscript.testing import expect
from tvmscript.testing.golden import CannotUpdate, Edit, NotAsExpected, write_edits

pytestmark = pytest.mark.long

PROGRAM = tvmscript.from_source("""
@T.prim_func
def main(A: T.Buffer((4,), "float32")):
    for i in range(4):
        A[i] = A[i] + T.float32(1)
""")


def test_names_do_not_count() -> None:
    expect(
        PROGRAM,
        """
        @T.prim_func
        def main(B: T.Buffer((4,), "float32")):
            for j in range(4):
                B[j] = B[j] + T.float32(1)
        """,
    )


def test_names_count_where_it_is_to_be_exact() -> None:
    with pytest.raises(NotAsExpected, match=r"-.*for j in range\(4\)"):
        expect(PROGRAM, PROGRAM.script().replace("for i", "for j").replace("[i]", "[j]"), exact=True)


def test_the_difference_is_shown_by_lines_and_place() -> None:
    with pytest.raises(NotAsExpected) as caught:
        expect(PROGRAM, PROGRAM.script().replace("range(4)", "range(5)"))
    assert "-    for i in range(5):" in caught.value.text
    assert "+    for i in range(4):" in caught.value.text
    assert f"{__file__}:{caught.traceback[0].lineno + 1}" in caught.value.text
    assert isinstance(caught.value, AssertionError)


def test_a_script_that_cannot_be_read_is_told() -> None:
    with pytest.raises(NotAsExpected, match="cannot be read"):
        expect(PROGRAM, "@T.prim_func\ndef main(:\n")


def test_fragments() -> None:
    loop = PROGRAM.body
    expect(loop, loop.script())
    with pytest.raises(NotAsExpected, match="for i in range"):
        expect(loop, "for i in range(3):\n    T.evaluate(i)")


TESTS = '''
import pytest
import tvmscript
from tvmscript.testing import expect

def program(extent, name="A"):
    return tvmscript.from_source(f"""
@T.prim_func
def main({name}: T.Buffer((8,), "float32")):
    for i in range({extent}):
        {name}[i] = T.float32(0)  # ü
""")

def test_empty():
    expect(program(2), "")

def test_two():
    expect(program(3), ""); expect(program(4), """
        gone""")

class TestInside:
    def test_right(self):
        # names are left as they are: nothing changed
        expect(program(5), """
            @T.prim_func
            def main(other: T.Buffer((8,), "float32")):
                for k in range(5):
                    other[k] = T.float32(0)
        """)

    @pytest.mark.parametrize("extent", [6, 6])
    def test_keyword(self, extent):
        expect(script="ü", program=program(extent))
'''


def run(folder: Path, *options: str) -> str:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder).stdout


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "xdist"])
def test_update_writes_what_came_out(tmp_path: Path, workers: tuple[str, ...]) -> None:
    file = tmp_path / "test_it.py"
    file.write_text(TESTS, "utf-8")
    out = run(tmp_path, "--tvmscript-update", *workers)
    assert "5 passed" in out
    assert f"updated {file}" in out
    text = file.read_text("utf-8")
    assert "# names are left as they are: nothing changed\n" in text
    assert "other[k] = T.float32(0)" in text
    assert (
        '''def test_empty():
    expect(program(2), """
        # from tvm.script import tir as T

        @T.prim_func
        def main(A: T.Buffer((8,), "float32")):
            for i in range(2):
                A[i] = T.float32(0)
    """)
'''
        in text
    )
    assert "5 passed" in run(tmp_path)


def test_what_cannot_be_updated_is_told(tmp_path: Path) -> None:
    file = tmp_path / "test_it.py"
    variable = "\nTEXT = ''\ndef test_variable():\n    expect(program(1), TEXT)\n"
    file.write_text(TESTS.replace("[6, 6]", "[6, 7]") + variable, "utf-8")
    before = file.read_bytes()
    out = run(tmp_path, "--tvmscript-update")
    assert "the script is no string literal in the call" in out
    assert "called with different programs" in out
    assert "INTERNALERROR" not in out
    assert file.read_bytes() == before


def test_one_place_two_texts() -> None:
    with pytest.raises(CannotUpdate, match="different programs"):
        write_edits([Edit("f.py", 1, 0, 1, 2, "a"), Edit("f.py", 1, 0, 1, 2, "b")])
