"""Archives, kept results, libraries and programs by the machine's C compiler."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import pytest

from tvmscript.backends.c.errors import RefusedByCompiler
from tvmscript.contrib import cc
from tvmscript.contrib.pickle_memoize import memoize
from tvmscript.contrib.tar import tar, untar


def test_memoize() -> None:
    calls: list[int] = []

    @memoize("tests.square")
    def square(x: int, *, plus: int = 0) -> int:
        calls.append(x)
        return x * x + plus

    assert [square(3), square(3), square(3, plus=1), square(4)] == [9, 9, 10, 16]
    assert calls == [3, 3, 4]


def test_archives(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    tar(str(tmp_path / "x.tar"), [str(tmp_path / "a.txt")])
    untar(str(tmp_path / "x.tar"), str(tmp_path / "out"))
    assert (tmp_path / "out" / "a.txt").read_text() == "a"


def test_libraries_and_programs(tmp_path: Path) -> None:
    source = tmp_path / "f.c"
    source.write_text("int f(void) { return 42; }\n#ifdef MAIN\nint main(void) { return f() == 42 ? 7 : 1; }\n#endif\n")
    cc.create_shared(str(tmp_path / "f.so"), str(source))
    assert ctypes.CDLL(str(tmp_path / "f.so")).f() == 42
    cc.create_executable(str(tmp_path / "f"), [str(source)], options=["-DMAIN"])
    assert subprocess.run([str(tmp_path / "f")], check=False).returncode == 7
    source.write_text("nonsense")
    with pytest.raises(RefusedByCompiler):
        cc.create_shared(str(tmp_path / "f.so"), str(source))
