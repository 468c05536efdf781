"""Definitions that black or ruff formatted: their line breaks are undone for the comparison, and made on request."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tvmscript.cli import main
from tvmscript.cli.line_breaks import broken, unbroken

EXAMPLES = Path(__file__).parents[3] / "examples"
#: a line as it is printed, and as black breaks it
BROKEN = [
    ("def f(a: T.int32, b: T.int32) -> None:", ["def f(", "    a: T.int32,", "    b: T.int32,", ") -> None:"]),
    ("x = f(a, b)", ["x = f(", "    a, b", ")"]),
    ("x = f(a)[0]", ["x = f(", "    a", ")[0]"]),
    ("x = (4,)", ["x = (", "    4,", ")"]),
    ("x = a + b * c", ["x = (", "    a", "    + b * c", ")"]),
    ("if a and b:", ["if (", "    a", "    and b", "):"]),
    ("x = (a + b) * c", ["x = (", "    (", "        a + b", "    )", "    * c", ")"]),
    ("x = (a + b) * c", ["x = (", "    a + b", ") * c"]),
    ("A[i * 4:i * 4 + 4] = B[0:4]", ["A[i * 4 : i * 4 + 4] = B[0:4]"]),
    ("A[i] = b // c", ["A[", "    i", "] = (b // c)"]),
    ("x = T.float32(1e38)", ["x = T.float32(1e+38)"]),
    ('x = "a, (b"', ['x = "a, (b"']),
]
KERNEL = """from tvmscript import T


@T.prim_func
def kernel(first_argument: T.Buffer((16,), "float32"), second_argument: T.Buffer((16,), "float32")):
    for i in range(16):
        second_argument[i] = T.max(first_argument[i] * T.float32(2), first_argument[15 - i] + T.float32(1))
"""


@pytest.mark.parametrize(("line", "lines"), BROKEN)
def test_breaks_are_undone(line: str, lines: list[str]) -> None:
    assert unbroken(lines) == unbroken([line])


@pytest.mark.parametrize(
    ("line", "other"),
    [("f(a, b)", "f(a,b)"), ("x = (a + b) * c", "x = a + b * c"), ("f((a,))", "f((a))"), ("A[i ]", "A[i]")],
)
def test_other_differences_are_seen(line: str, other: str) -> None:
    assert unbroken([line]) != unbroken([other])


def test_comments_in_brackets_are_not_touched() -> None:
    assert unbroken(["f(", "    a,  # the first", ")"]) is None
    assert unbroken(["f(a)  # (, the end"]) == ["f(a)  # (, the end"]


@pytest.mark.parametrize("width", [40, 60, 88])
def test_long_lines(width: int) -> None:
    for line in KERNEL.splitlines():
        rows = broken(line, width)
        assert unbroken(rows) == unbroken([line])
        assert all(len(row) <= max(width, 52) for row in rows)
        assert (rows == [line]) == (len(line) <= width)


@pytest.mark.parametrize("width", [50, 88, 120])
def test_fmt_and_ruff_accept_each_others_files(width: int, tmp_path: Path) -> None:
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent)) or shutil.which("ruff")
    if ruff is None:
        pytest.skip("no ruff")
    folder = tmp_path / "examples"
    shutil.copytree(EXAMPLES, folder)
    (folder / "kernel.py").write_text(KERNEL)

    def format_by_ruff(*options: str) -> int:
        words = [ruff, "format", "--isolated", "--line-length", str(width), *options, str(folder)]
        return subprocess.run(words, capture_output=True, check=False).returncode

    assert main(["fmt", "--line-length", str(width), str(folder)]) == 0
    assert format_by_ruff() == 0
    assert main(["fmt", "--check", str(folder)]) == 0
    assert main(["fmt", "--line-length", str(width), str(folder)]) == 0
    assert format_by_ruff("--check") == 0


def test_the_examples_are_formatted() -> None:
    """But for the program of the IRModule page, which stands as the page writes it."""
    assert main(["fmt", "--check", *map(str, [EXAMPLES / "schedules", *EXAMPLES.glob("*.py")])]) == 0


def test_line_length(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "kernel.py"
    file.write_text(KERNEL.replace("i in", "i  in"))
    assert main(["fmt", "--line-length", "88", str(file)]) == 0
    text = file.read_text()
    assert max(map(len, text.splitlines())) <= 88
    assert main(["fmt", str(file)]) == 0
    assert file.read_text() == text
    file.write_text(text.replace("i in", "i  in"))
    assert main(["fmt", str(file)]) == 0
    assert file.read_text() == KERNEL
    assert main(["fmt", "--line-length", "0", str(file)]) == 2
    assert "--line-length" in capsys.readouterr().err
