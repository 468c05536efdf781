"""The command as a whole: help, exit codes, signals, the console script."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import tvmscript
from tests.tvmscript.cli.samples import NORMAL, SLOPPY, write
from tvmscript.cli import COMMANDS, main
from tvmscript.cli.commands import check

Captured = pytest.CaptureFixture[str]
SCRIPT = Path(sys.executable).parent / "tvmscript"


def command(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """The real command, as a user runs it."""
    program = [str(SCRIPT)] if SCRIPT.exists() else [sys.executable, "-m", "tvmscript"]
    return subprocess.run([*program, *arguments], capture_output=True, text=True, check=False, input=stdin)


@pytest.mark.parametrize("name", COMMANDS)
def test_help(name: str, capsys: Captured) -> None:
    """The table says what the modules say, and every command explains itself."""
    module = importlib.import_module(f"tvmscript.cli.commands.{name}")
    assert (module.__doc__ or "").split("\n")[0] == COMMANDS[name]
    with pytest.raises(SystemExit) as info:
        main([name, "--help"])
    assert info.value.code == 0
    assert "--json" in capsys.readouterr().out


def test_module(tmp_path: Path) -> None:
    """`python -m tvmscript` is the command, wherever its script may be."""
    (tmp_path / "a.py").write_text(SLOPPY, encoding="utf-8")
    words = [sys.executable, "-m", "tvmscript", "print", str(tmp_path / "a.py")]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == NORMAL


@pytest.mark.parametrize("arguments", [[], ["nope"], ["check"], ["convert"], ["fmt", "--nope", "x.py"]])
def test_usage(arguments: list[str], capsys: Captured) -> None:
    with pytest.raises(SystemExit) as info:
        main(arguments)
    assert info.value.code == 2
    assert "usage: tvmscript" in capsys.readouterr().err


def test_version() -> None:
    assert command("--version").stdout == f"tvmscript {tvmscript.__version__}\n"


def test_console_script(tmp_path: Path) -> None:
    done = command("fmt", "-", stdin=SLOPPY)
    assert (done.stdout, done.stderr, done.returncode) == (NORMAL, "", 0)
    done = command("check", str(tmp_path / "nope.py"))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_interrupt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(check, "read_all", interrupt)
    assert main(["check", write(tmp_path, NORMAL)]) == 130


def test_reader_that_goes_away(tmp_path: Path) -> None:
    path = write(tmp_path, NORMAL + "".join(NORMAL.replace("def f", f"def f{number}") for number in range(2000)))
    done = subprocess.run(
        f"{sys.executable} -m tvmscript print {path} | head -1; exit ${{PIPESTATUS[0]}}",
        shell=True, executable="/bin/bash", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (141, "")


def test_reading_commands_load_no_backend() -> None:
    code = "import sys; from tvmscript.cli import main; main(['check', 'examples']); " \
           "print([m for m in ('numpy', 'llvmlite', 'tvm_ffi') if m in sys.modules])"  # fmt: skip
    root = Path(__file__).parents[3]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=False)
    assert done.stdout.splitlines() == ["10 files, 10 programs, 0 errors, 2 definitions not checked", "[]"]
