"""The cache of machine code: what hits, what misses, damage, concurrent writers, the command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript import cached_build
from tvmscript.backends.llvm import entry, object_cache
from tvmscript.backends.runtime.errors import KernelAssertion, ReadOnlyArray, WrongArrayShape
from tvmscript.cli import main
from tvmscript.ir.analysis.errors import AccessOutOfBounds
from tvmscript.ir.transform.context import PassContext, PassInstrument

SCALE = """
@T.prim_func
def scale(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        assert A[i] >= T.float32(0), "negative"
        B[i] = A[i] * T.float32(FACTOR)
"""
PARALLEL = """
@T.prim_func
def scale(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    for i in T.parallel(4096):
        B[i] = A[i] * T.float32(2)
"""
VALUES = np.arange(8, dtype="float32")


def program(factor: float = 2, text: str = SCALE) -> Any:
    return tvmscript.from_source(text.replace("FACTOR", str(factor)))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, on disk and in memory."""
    monkeypatch.setenv("TVMSCRIPT_CACHE", "1")
    monkeypatch.setenv("TVMSCRIPT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(cached_build, "_LINKED", cached_build.LinkedPrograms(4))
    return tmp_path / "cache"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The functions that were compiled meanwhile."""
    names: list[str] = []
    original = entry.CompiledProgram.__init__

    def compile_program(self: Any, mod: Any, *args: Any, **kwargs: Any) -> None:
        names.extend(var.name_hint for var in mod.get_global_vars())
        original(self, mod, *args, **kwargs)

    monkeypatch.setattr(entry.CompiledProgram, "__init__", compile_program)
    return names


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave only what is on disk, as in a new process."""
    monkeypatch.setattr(cached_build, "_LINKED", cached_build.LinkedPrograms(4))


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.tvmscript"))


@pytest.mark.parametrize("place", ["memory", "disk"])
def test_hits(place: str, folder: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for turn in range(3):
        built = tvmscript.build(program())
        np.testing.assert_array_equal(built["scale"](VALUES, ...), VALUES * 2)
        assert compiled == ["scale"], turn
        if place == "disk":
            forget(monkeypatch)


def test_a_hit_behaves_as_what_was_compiled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Places of errors, read-only arrays and sources need the lowered program, which is made for them."""
    first = tvmscript.build(program())
    forget(monkeypatch)
    second = tvmscript.build(program())
    out = np.zeros(8, "float32")
    out.flags.writeable = False
    shown: list[list[str]] = []
    for built in (first, second):
        texts: list[str] = []
        for arguments, error in (
            ((-VALUES - 1, ...), KernelAssertion),
            ((VALUES[:3], ...), WrongArrayShape),
            ((VALUES, out), ReadOnlyArray),
        ):
            with pytest.raises(error) as caught:
                built["scale"](*arguments)
            texts.append(str(caught.value))
        shown.append([*texts, *map(built.get_source, built.source_kinds), repr(built["scale"])])
    assert shown[0] == shown[1]
    assert '"negative"' in shown[0][0]


def test_misses(folder: Path, compiled: list[str]) -> None:
    """Everything that changes the code is part of the key."""
    tvmscript.build(program())
    others: list[Any] = [
        lambda: tvmscript.build(program(3)),
        lambda: tvmscript.build(program(), target="llvm -opt-level=1"),
        lambda: tvmscript.build(program(), target="llvm -mcpu=x86-64-v2"),
        lambda: tvmscript.build(program(), check_bounds=True),
        lambda: tvmscript.build(program(), allow_out_of_bounds=True),
        lambda: tvmscript.build(program(), name="other"),
    ]
    for count, build in enumerate(others, 2):
        build()
        assert len(compiled) == count
        build()
        assert len(compiled) == count
    with PassContext(config={"tir.disable_vectorize": True}):
        tvmscript.build(program())
    assert len(compiled) == len(others) + 2


def test_names_are_in_the_key(folder: Path, compiled: list[str]) -> None:
    """Errors tell the names of parameters: equal programs of other names are compiled apart."""
    tvmscript.build(program())
    renamed = tvmscript.build(tvmscript.from_source(SCALE.replace("FACTOR", "2").replace("A", "Input")))
    assert len(compiled) == 2
    with pytest.raises(WrongArrayShape, match="Input"):
        renamed["scale"](VALUES[:3], ...)


def test_instruments_see_every_build(folder: Path, compiled: list[str]) -> None:
    seen: list[str] = []

    class Names(PassInstrument):
        def run_before_pass(self, mod: Any, info: Any) -> None:
            seen.append(info.name)

    tvmscript.build(program())
    for count in (2, 3):
        with PassContext(instruments=[Names()]):
            tvmscript.build(program())
        assert len(compiled) == count
    assert seen


def test_the_cache_is_off(folder: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TVMSCRIPT_CACHE", "0")
    for count in (1, 2):
        tvmscript.build(program())
        assert len(compiled) == count
    assert not folder.exists()


def test_accesses_outside_are_refused_though_they_were_built(folder: Path) -> None:
    text = '@T.prim_func\ndef f(A: T.Buffer((4,), "float32")):\n    A[4] = T.float32(0)\n'
    tvmscript.build(tvmscript.from_source(text), allow_out_of_bounds=True)
    with pytest.raises(AccessOutOfBounds):
        tvmscript.build(tvmscript.from_source(text))


@pytest.mark.parametrize("damage", ["truncated", "changed", "empty"])
def test_damaged_entries_are_compiled_again(
    damage: str, folder: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tvmscript.build(program())
    for path in files(folder):
        content = path.read_bytes()
        changed = bytes([content[-9] ^ 255])
        path.write_bytes(
            {"truncated": content[:-9], "changed": content[:-9] + changed + content[-8:], "empty": b""}[damage]
        )
    forget(monkeypatch)
    np.testing.assert_array_equal(tvmscript.build(program())["scale"](VALUES, ...), VALUES * 2)
    assert len(compiled) == 2
    forget(monkeypatch)
    tvmscript.build(program())
    assert len(compiled) == 2


def test_folders_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TVMSCRIPT_CACHE", "1")
    monkeypatch.setenv("TVMSCRIPT_CACHE_DIR", str(tmp_path / "file" / "cache"))
    np.testing.assert_array_equal(tvmscript.build(program(5))["scale"](VALUES, ...), VALUES * 5)


def test_the_oldest_entries_make_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for factor in range(3):
        tvmscript.build(program(factor))
    for age, path in enumerate(files(folder)):
        os.utime(path, (1000 - age, 1000 - age))
    oldest = files(folder)[-1]
    monkeypatch.setattr(object_cache, "_MEGABYTE", 1024)
    monkeypatch.setenv("TVMSCRIPT_CACHE_MB", str(sum(path.stat().st_size for path in files(folder)) // 1024 + 1))
    tvmscript.build(program(9))
    assert not oldest.exists()
    assert len(files(folder)) >= 2


def test_concurrent_writers(folder: Path) -> None:
    """Threads and processes that compile the same programs at the same time all compute right values."""
    script = (
        "import sys, numpy as np, tvmscript\n"
        "values = np.arange(8, dtype='float32')\n"
        "for factor in range(4):\n"
        "    text = sys.argv[1].replace('FACTOR', str(factor))\n"
        "    out = tvmscript.build(tvmscript.from_source(text))['scale'](values, ...)\n"
        "    assert (out == values * factor).all()\n"
    )
    processes = [subprocess.Popen([sys.executable, "-c", script, SCALE], env=dict(os.environ)) for _ in range(3)]
    with ThreadPoolExecutor(4) as pool:
        outputs = list(pool.map(lambda turn: tvmscript.build(program(turn % 4))["scale"](VALUES, ...), range(16)))
    for turn, out in enumerate(outputs):
        np.testing.assert_array_equal(out, VALUES * (turn % 4))
    assert [process.wait() for process in processes] == [0, 0, 0]
    assert not list(folder.glob("*.part"))
    names = [entry.functions for entry in object_cache.entries() if entry.functions]
    assert names == [("scale",)] * 4


def test_parallel_code_of_the_cache(folder: Path) -> None:
    """A new process loads it without the code generation, and finds the OpenMP runtime."""
    script = (
        "import sys, numpy as np, tvmscript\n"
        "values = np.arange(4096, dtype='float32')\n"
        "out = tvmscript.build(tvmscript.from_source(sys.argv[1]))['scale'](values, ...)\n"
        "assert (out == values * 2).all()\n"
        "print('tvmscript.backends.llvm.entry' in sys.modules, 'tvmscript.backends.interp' in sys.modules)\n"
    )
    command = [sys.executable, "-c", script, PARALLEL]
    shown = [subprocess.run(command, check=True, capture_output=True, text=True).stdout for _ in range(2)]
    assert shown == ["True False\n", "False False\n"]


def test_command(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "scale.py"
    file.write_text("from tvmscript import T\n" + SCALE.replace("FACTOR", "2"))

    def shown(*words: str, code: int = 0) -> str:
        assert main(["cache", *words]) == code
        return capsys.readouterr().out

    assert shown("why", str(file), code=1) == "not cached: the cache is empty\n"
    tvmscript.build(program())
    assert shown("why", str(file)).startswith("cached: ")
    assert "other processor features" in shown("why", str(file), "--target", "llvm -mcpu=x86-64-v2", code=1)
    file.write_text(file.read_text().replace("2)", "3)"))
    assert "(scale) is of another program" in shown("why", str(file), code=1)
    listed = shown("ls")
    assert "scale" in listed
    assert str(folder) in listed
    facts = json.loads(shown("ls", "--json"))
    assert [entry["functions"] for entry in facts["programs"] if entry["functions"]] == [["scale"]]
    tvmscript.build(program(4))
    count = len(files(folder))
    assert count > 1
    limited = json.loads(shown("ls", "--json", "--limit", "1"))
    assert (limited["count"], limited["programs"]) == (count, json.loads(shown("ls", "--json"))["programs"][:1])
    assert shown("ls", "--limit", "1").endswith(f"({count - 1} not shown)\n")
    assert "not shown" not in shown("ls", "--limit", "0")
    shown("ls", "--limit", "-1", code=2)
    assert shown("clear") == f"removed {count} programs\n"
    assert not files(folder)


def test_command_without_a_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TVMSCRIPT_CACHE", "0")
    assert main(["cache", "ls"]) == 0
    assert "turned off" in capsys.readouterr().out
    assert main(["cache", "ls", str(tmp_path)]) == 2
    assert "TS7012" in capsys.readouterr().err


IN_A_NEW_PROCESS = """
import sys
import numpy as np
import tvmscript
from tvmscript import T

@T.prim_func
def scale(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        assert A[i] >= T.float32(0), "negative"
        B[i] = A[i] * T.float32(2)

result = np.zeros(8, "float32")
scale(np.ones(8, "float32"), result)
assert result.sum() == 16
LIBRARIES = ("llvmlite", "tvm_ffi", "tvmscript.printer", "tvmscript.backends.interp")
print([name for name in LIBRARIES if name in sys.modules])
for arguments in ((result,), (np.ones(7, "float32"), result), ([1], result), ("text", result), (-result, result)):
    try:
        scale(*arguments)
    except tvmscript.TVMScriptError as error:
        print(type(error).__name__, error.span.line)
    assert result.sum() == 16
import tvm_ffi
print(tvm_ffi.core.Function is tvm_ffi.Function, isinstance(tvm_ffi.from_dlpack(result), tvm_ffi.Tensor))
"""


def test_a_hit_in_a_new_process_starts_no_library(folder: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(IN_A_NEW_PROCESS)
    root = str(Path(tvmscript.__file__).parents[1])
    first, second = (
        subprocess.run(
            [sys.executable, str(script)],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONPATH": root},
        ).stdout.splitlines()
        for _ in range(2)
    )
    errors = ["WrongNumberOfArguments 8", "WrongArrayShape 8", "NotAnArray 8", "NotAnArray 8", "KernelAssertion 10"]
    assert first[1:] == second[1:] == [*errors, "True True"]
    assert (first[0], second[0]) == ("['llvmlite']", "[]")
