"""`tvmscript convert`: the spelling of the other TVM, imports included."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tvmscript.cli.samples import BROKEN, NORMAL, as_json, write
from tvmscript.cli import main
from tvmscript.cli.commands.convert import convert_imports
from tvmscript.ir.core.span import lines_of

Captured = pytest.CaptureFixture[str]

#: a text of TVM 0.17, as its printer writes it, and the one that TVM 0.27 prints for the same program
OLD = """\
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4,), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i in range(4):
            with T.block("b"):
                v = T.axis.spatial(4, i)
                T.reads(A[v])
                T.writes(A[v])
                A[v] = A[v] + T.float32(1)
"""
PYTHON = '''\
"""Kernels."""
from tvm.script import ir as I, tir as T   # both

N = 16

@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    # what it does
    with T.block("b"):
        T.reads()
        T.writes()
        A[0] = T.float32(1)
'''


def test_there_and_back(tmp_path: Path, capsys: Captured) -> None:
    assert main(["convert", "--to", "0.27", write(tmp_path, OLD)]) == 0
    new = capsys.readouterr().out
    for words in ("# from tvm.script import tirx as T\n", "@T.prim_func(s_tir=True)", "T.sblock(", "tirx.noalias"):
        assert words in new
    assert main(["convert", "--to", "0.17", write(tmp_path, new)]) == 0
    assert capsys.readouterr().out == OLD


def test_a_text_in_its_own_dialect_is_only_formatted(tmp_path: Path, capsys: Captured) -> None:
    assert main(["convert", "--to", "0.17", write(tmp_path, NORMAL)]) == 0
    assert capsys.readouterr().out == NORMAL


def test_python_file(tmp_path: Path) -> None:
    path, target = write(tmp_path, PYTHON), tmp_path / "new.py"
    assert main(["convert", "--to", "0.27", path, "-o", str(target)]) == 0
    new = target.read_text()
    assert new.startswith(
        '"""Kernels."""\nfrom tvm.script import ir as I, tirx as T   # both\n\nN = 16\n\n@T.prim_func('
    )
    assert "    # what it does\n" in new
    assert "T.sblock(" in new
    assert Path(path).read_text() == PYTHON
    assert main(["convert", "--to", "0.27", "-i", path]) == 0
    assert Path(path).read_text() == new
    assert main(["convert", "--to", "0.17", "-i", path]) == 0
    assert Path(path).read_text() == PYTHON


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("from tvm.script import tir as T", "from tvm.script import tirx as T"),
        ("    from tvm.script import ir as I, tir as T", "    from tvm.script import ir as I, tirx as T"),
        ("# from tvm.script import tir as T", "# from tvm.script import tirx as T"),
        ("from tvm.script import tir", "from tvm.script import tirx as tir"),
        ("from tvm import tir", "from tvm import tir"),
        ("from tvm.script import ir as tir", "from tvm.script import ir as tir"),
        ("from tvmscript import T", "from tvmscript import T"),
    ],
)
def test_imports(old: str, new: str) -> None:
    """Names stay what they are called."""
    assert convert_imports(f"x\n{old}\ny", "0.27") == f"x\n{new}\ny"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("from tvmscript import T", "from tvmscript.script import tirx as T"),
        ("from tvmscript import I, T as X", "from tvmscript import I\nfrom tvmscript.script import tirx as X"),
        ("from tvmscript import I", "from tvmscript import I"),
        ("import tvmscript", "import tvmscript"),
    ],
)
def test_imports_of_the_package(old: str, new: str) -> None:
    assert convert_imports(f"{old}\nx = 1\n", "0.27", is_python=True) == f"{new}\nx = 1\n"


def test_what_needs_python_is_an_error(tmp_path: Path, capsys: Captured) -> None:
    path = write(tmp_path, PYTHON.replace("(4,)", "(N,)"))
    document = as_json(capsys, "convert", "--to", "0.27", path)
    assert document["exit_code"] == 1
    assert [(each["code"], each["line"]) for each in document["findings"]] == [("TS7013", 7)]
    assert document["to"] == "0.27"


def test_decorators_that_say_more(tmp_path: Path, capsys: Captured) -> None:
    path = write(tmp_path, PYTHON.replace("@T.prim_func", "@T.prim_func(check_well_formed=False)"))
    assert main(["convert", "--to", "0.27", path]) == 1
    assert "f is not rewritten: its decorators have options that the program does not hold" in capsys.readouterr().err


def test_errors(tmp_path: Path, capsys: Captured) -> None:
    path = write(tmp_path, BROKEN)
    assert main(["convert", "--to", "0.27", "-i", path]) == 1
    assert capsys.readouterr().err.count("error[TS") == 2
    assert Path(path).read_text() == BROKEN


def test_scripts_need_a_version(tmp_path: Path, capsys: Captured) -> None:
    assert main(["convert", write(tmp_path, NORMAL)]) == 2
    assert "one of 0.17, 0.27" in capsys.readouterr().err


def test_several_files_go_in_place_or_nowhere(tmp_path: Path, capsys: Captured) -> None:
    paths = [write(tmp_path, NORMAL, "a.py"), write(tmp_path, NORMAL, "b.py")]
    assert main(["convert", "--to", "0.27", *paths]) == 2
    assert "use -i" in capsys.readouterr().err
    assert main(["convert", "--to", "0.27", "-i", *paths]) == 0
    assert [Path(path).read_text().count("tirx") for path in paths] == [1, 1]


SIZES = """\
from tvmscript import T


@T.prim_func
def f(a: T.handle, b: T.handle):
    n = T.int64()
    A = T.match_buffer(a, (n,))
    B = T.match_buffer(b, (n,))
    for i in range(n):
        B[i] = A[i]


@T.prim_func
def g(a: T.handle, b: T.handle):
    m = T.int32()
    A = T.match_buffer(a, (m,))
    B = T.match_buffer(b, (m,))
    for i in range(m):
        B[i] = A[i]
"""


def test_sizes_bring_imports(tmp_path: Path, capsys: Captured) -> None:
    """Python reads neither `("m",)` nor a `TypeVar` as a shape: its annotations must not be evaluated."""
    path = write(tmp_path, SIZES)
    assert main(["convert", "--to", "0.27", "-i", path]) == 0
    new = Path(path).read_text()
    head = (
        "from __future__ import annotations\n\nfrom typing import TypeVar\n\n"
        'from tvmscript.script import tirx as T\n\n\nn = TypeVar("n")\n\n@T.prim_func(s_tir=True)\n'
    )
    assert new.startswith(head)
    assert 'def f(A: T.Buffer((n,), "float32"), B: T.Buffer((n,), "float32")):' in new
    assert 'def g(A: T.Buffer(("m",), "float32"), B: T.Buffer((m,), "float32")):' in new
    assert main(["convert", "--to", "0.27", "-i", path]) == 0
    assert Path(path).read_text() == new
    assert main(["check", path]) == 0
    assert main(["diff", path, write(tmp_path, SIZES, "before.py")]) == 0
    assert main(["convert", "--to", "0.17", "-i", path]) == 0
    assert "    n = T.int64()\n    A = T.match_buffer(" in Path(path).read_text()
    capsys.readouterr()


def test_form_feeds_end_no_lines(tmp_path: Path) -> None:
    """Imports stand behind the docstring also where it has several pages."""
    path = write(tmp_path, '"""One page.\f Another."""\n' + SIZES)
    assert main(["convert", "--to", "0.27", "-i", path]) == 0
    docstring, *rest = lines_of(Path(path).read_text())
    assert docstring == '"""One page.\f Another."""\n'
    assert rest[0] == "from __future__ import annotations\n"


def test_a_file_has_one_spelling(tmp_path: Path, capsys: Captured) -> None:
    text = SIZES.replace("def g(", "def g(c: KIND, ").replace("\n\n\n", "\n\n\nimport kinds\n\nKIND = kinds.one()\n", 1)
    path = write(tmp_path, text)
    assert main(["convert", "--to", "0.27", path]) == 1
    shown = capsys.readouterr()
    assert shown.out == text
    assert "f is not rewritten: g is not rewritten, and a file has one dialect" in shown.err
