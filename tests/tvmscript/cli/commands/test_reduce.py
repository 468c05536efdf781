"""`tvmscript reduce`: a command decides, exit codes must stay the same, traces."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import tvmscript
from tvmscript.cli import main

PROGRAM = """\
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        A[i] = T.exp(A[i] * T.float32(2)) + T.float32(1)
    for i in range(16):
        B[i] = A[i]
"""
#: ends with 3 where the file has `exp`, and with 1 where it is long gone
LOOK = "import sys; text = open(sys.argv[1]).read(); sys.exit(3 if 'T.exp' in text else 1)"


@pytest.fixture
def look(tmp_path: Path) -> str:
    (tmp_path / "look.py").write_text(LOOK)
    return f"{sys.executable} {tmp_path / 'look.py'} {{}}"


def test_the_exit_code_of_the_bug_is_kept(tmp_path: Path, look: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Code 1, which smaller candidates give, is another failure."""
    file, out = tmp_path / "bug.py", tmp_path / "small.py"
    file.write_text(PROGRAM)
    assert main(["reduce", str(file), "--fails", look, "-o", str(out)]) == 0
    told = capsys.readouterr()
    assert "in " in told.err
    assert "lines became" in told.err
    small = tvmscript.from_source(out.read_text())
    assert small.script().strip().endswith("def main():\n    T.exp(T.float32(0))")
    assert file.read_text() == PROGRAM


#: exits with 1 for two faults: one of the program, and another of most smaller ones
FAULTS = """\
import sys
text = open(sys.argv[1]).read()
if "T.exp" in text:
    sys.exit("error[TS8012]: other values")
sys.exit("error[TS5030]: not available")
"""


@pytest.mark.parametrize("pattern", ["TS8012", r"other\s+values"])
def test_another_fault_with_the_same_exit_code(
    pattern: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out, script = tmp_path / "bug.py", tmp_path / "small.py", tmp_path / "faults.py"
    file.write_text(PROGRAM)
    script.write_text(FAULTS)
    words = ["reduce", str(file), "--fails", f"{sys.executable} {script}", "-o", str(out)]
    assert main(words) == 0
    assert "T.exp" not in out.read_text()
    assert main([*words, "--match", pattern]) == 0
    assert "T.exp" in out.read_text()
    assert len(out.read_text().splitlines()) < len(PROGRAM.splitlines())
    for wrong, told in (("TS5031", "does not match"), ("TS(", "no regular expression")):
        assert main([*words, "--match", wrong]) == 2
        assert told in capsys.readouterr().err


def test_traces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sch = tvmscript.Schedule(
        tvmscript.from_source(
            '@T.prim_func\ndef main(A: T.Buffer((16,), "float32")):\n    for i in range(16):\n'
            '        with T.block("A"):\n            vi = T.axis.spatial(16, i)\n            A[vi] = T.float32(1)\n'
        )
    )
    block = sch.get_block("A")
    outer, inner = sch.split(sch.get_loops(block)[0], [None, 4])
    sch.vectorize(inner)
    sch.annotate(block, "x", 1)
    sch.unroll(outer)
    trace, script = tmp_path / "trace.json", tmp_path / "look.py"
    trace.write_text(json.dumps(sch.trace.as_json()))
    script.write_text("import sys; sys.exit('Annotate' in open(sys.argv[1]).read())")
    assert main(["reduce", str(trace), "--fails", f"{sys.executable} {script}", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    instructions, _ = json.loads(told["text"])
    assert [each[0] for each in instructions] == ["GetBlock", "Annotate"]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (f"{sys.executable} -c pass", "TS7051]: the command succeeds"),
        ("no-such-program-anywhere", "TS7050]: the command cannot be run"),
        ("", "empty"),
    ],
)
def test_commands_that_are_of_no_use(
    tmp_path: Path, command: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bug.py"
    file.write_text(PROGRAM)
    assert main(["reduce", str(file), "--fails", command]) == 2
    assert words in capsys.readouterr().err


def test_a_run_that_takes_too_long_shows_nothing(tmp_path: Path) -> None:
    """It is not the failure that is looked for."""
    file, script, out = tmp_path / "bug.py", tmp_path / "look.py", tmp_path / "small.py"
    file.write_text('@T.prim_func\ndef main(A: T.Buffer((16,), "float32")):\n    A[3] = T.exp(A[3])\n')
    script.write_text(
        "import sys, time; text = open(sys.argv[1]).read()\n"
        "time.sleep(0 if 'A[' in text else 60); sys.exit('exp' in text)"
    )
    command = f"{sys.executable} {script}"
    assert main(["reduce", str(file), "--fails", command, "--timeout", "0.5", "-o", str(out)]) == 0
    assert "A[0]" in out.read_text()
