"""`tvmscript diff`: files, names in files, formats, exit codes, and git's external diff driver."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tvmscript
from tests.tvmscript.cli.samples import BROKEN, NORMAL, SLOPPY
from tvmscript import Diff
from tvmscript.cli import main
from tvmscript.ir.core.equality.equal import assert_structural_equal

CHANGED = NORMAL.replace("float32(2)", "float32(3)")
RENAMED = NORMAL.replace(" i ", " k ").replace("[i]", "[k]")
SHOWN = """\
@@ -3,4 +3,4 @@ f
 @T.prim_func
 def f(A: T.Buffer((4,), "float32")):
     for i in range(4):
-        A[i] = A[i] * T.float32(2)
+        A[i] = A[i] * T.float32(3)
"""
TWO = NORMAL + "\n" + CHANGED.split("\n\n")[1].replace("def f", "def g")
PYTHON = """\
import tvmscript
from tvmscript import T

N = len("four")


@T.prim_func
def f(A: T.Buffer((N,), "float32")):
    for i in range(4):
        A[i] = A[i] * T.float32(2)
"""
MODULES = """\
@I.ir_module
class One:
    @T.prim_func
    def f(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(1)

@I.ir_module
class Two:
    @T.prim_func
    def f(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(2)
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GIT_PAGER_IN_USE", raising=False)


def files(**texts: str) -> None:
    for name, text in texts.items():
        Path(name.replace("_", ".")).write_text(text)


def run(*arguments: str) -> int:
    return main(["diff", *arguments])


def test_different(capsys: pytest.CaptureFixture[str]) -> None:
    files(a_tvms=NORMAL, b_tvms=CHANGED)
    assert run("a.tvms", "b.tvms") == 1
    assert capsys.readouterr().out == f"--- a.tvms\n+++ b.tvms\n{SHOWN}"


def test_equal(capsys: pytest.CaptureFixture[str]) -> None:
    files(a_tvms=NORMAL, b_tvms=SLOPPY)
    assert run("a.tvms", "b.tvms") == 0
    assert capsys.readouterr().out == ""


def test_names_alone(capsys: pytest.CaptureFixture[str]) -> None:
    files(a_tvms=NORMAL, b_tvms=RENAMED)
    assert run("a.tvms", "b.tvms") == 0
    assert "! variable i renamed k" in capsys.readouterr().out
    assert run("--names", "a.tvms", "b.tvms") == 1


def test_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    files(a_tvms=NORMAL, b_tvms=CHANGED)
    with Path("b.tvms").open() as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert run("a.tvms", "-") == 1
    assert capsys.readouterr().out.endswith(SHOWN)


def test_programs_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    files(a_tvms=NORMAL, two_tvms=TWO)
    assert run("a.tvms", "two.tvms:f") == 0
    assert run("a.tvms:f", "two.tvms:g") == 1
    assert run("two.tvms", "two.tvms") == 0
    capsys.readouterr()
    assert run("a.tvms", "two.tvms:h") == 2
    assert "error[TS7016]: two.tvms has no program named h" in capsys.readouterr().err


def test_several_functions_are_compared_as_one_module(capsys: pytest.CaptureFixture[str]) -> None:
    files(a_tvms=NORMAL, two_tvms=TWO)
    assert run("a.tvms", "two.tvms") == 1
    assert "+    def g(A" in capsys.readouterr().out


def test_modules_are_compared_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    files(a_tvms=MODULES, b_tvms=MODULES.replace("float32(2)", "float32(3)").replace("class One", "class Three"))
    assert run("a.tvms", "b.tvms") == 1
    out = capsys.readouterr().out
    assert "--- a.tvms:One\n+++ b.tvms:One\n" in out
    assert "+++ b.tvms:Two\n" in out
    assert "+++ b.tvms:Three\n" in out


def test_json_applies(capsys: pytest.CaptureFixture[str]) -> None:
    files(a_tvms=NORMAL, b_tvms=CHANGED)
    assert run("--json", "a.tvms", "b.tvms") == 1
    text = capsys.readouterr().out
    document = json.loads(text)
    assert (document["command"], document["exit_code"], document["findings"]) == ("diff", 1, [])
    made = Diff.from_json(text).apply(tvmscript.from_source(NORMAL))
    assert_structural_equal(made, tvmscript.from_source(CHANGED))


def test_html() -> None:
    files(a_tvms=NORMAL, b_tvms=CHANGED)
    assert run("--html", "page.html", "a.tvms", "b.tvms") == 1
    assert "<title>a.tvms → b.tvms</title>" in Path("page.html").read_text()


def test_colours(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    files(a_tvms=NORMAL, b_tvms=CHANGED)
    for choice, variables, expected in [
        ("auto", {}, False),
        ("always", {"NO_COLOR": "1"}, True),
        ("never", {"GIT_PAGER_IN_USE": "true"}, False),
        ("auto", {"GIT_PAGER_IN_USE": "true"}, True),
        ("auto", {"GIT_PAGER_IN_USE": "true", "NO_COLOR": "1"}, False),
    ]:
        with monkeypatch.context() as patched:
            patched.delenv("NO_COLOR", raising=False)
            for name, value in variables.items():
                patched.setenv(name, value)
            run("--color", choice, "a.tvms", "b.tvms")
        assert ("\x1b[" in capsys.readouterr().out) == expected


def test_context(capsys: pytest.CaptureFixture[str]) -> None:
    files(a_tvms=NORMAL, b_tvms=CHANGED)
    run("-U", "0", "a.tvms", "b.tvms")
    assert "@@ -6,1 +6,1 @@ f\n-" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["a.tvms", "missing.tvms"],
        ["a.tvms", "broken.tvms"],
        ["a.tvms", "empty.py"],
        ["a.tvms"],
        ["a.tvms", "a.tvms", "a.tvms"],
        ["-U", "-1", "a.tvms", "a.tvms"],
        ["--git", "a", "b", "c"],
        ["a.tvms", "needs.py"],
    ],
)
def test_trouble(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    files(a_tvms=NORMAL, broken_tvms=BROKEN, empty_py="x = 1\n", needs_py=PYTHON)
    assert run(*arguments) == 2
    assert "TS" in capsys.readouterr().err


def test_python_that_needs_values_is_run_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    files(a_tvms=NORMAL, needs_py=PYTHON)
    assert run("--run", "a.tvms", "needs.py") == 0
    assert run("--run", "a.tvms", "needs.py:f") == 0
    assert capsys.readouterr().err == ""


def test_folders(capsys: pytest.CaptureFixture[str]) -> None:
    """Files are paired by their paths; equal ones, and those without programs, are left out."""
    files = {
        "old/same.py": NORMAL, "new/same.py": NORMAL, "old/in/f.py": NORMAL, "new/in/f.py": CHANGED,
        "old/gone.py": NORMAL, "new/in/came.py": NORMAL, "new/plain.py": "x = 1\n",
    }  # fmt: skip
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    assert run("old", "new") == 1
    shown = capsys.readouterr().out
    headings = [line for line in shown.splitlines() if line.startswith(("--- ", "+++ "))]
    assert headings == [
        "--- old/gone.py", "+++ /dev/null", "--- /dev/null", "+++ new/in/came.py", "--- old/in/f.py", "+++ new/in/f.py",
    ]  # fmt: skip
    assert SHOWN.splitlines()[-1] in shown
    assert run("old", "old") == 0
    assert run("old", "new", "--html", "page.html") == 1
    assert "old → new" in Path("page.html").read_text()
    Path("new/in/f.py").write_text(BROKEN)
    assert run("old", "new") == 2
    assert run("old", "new/same.py") == 2


# git


def git(*arguments: str) -> str:
    environment = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@b",
        "NO_COLOR": "1",
    }
    done = subprocess.run(["git", *arguments], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_git_runs_it() -> None:
    git("init", "-q", ".")
    # as in grammar_docs/diff.md, with this Python
    command = f'"{sys.executable}" -m tvmscript diff --git'
    git("config", "diff.tvmscript.command", command)
    files(changed_tvms=NORMAL, gone_tvms=NORMAL, renamed_tvms=RENAMED, broken_tvms="a\nb\n", binary_tvms=NORMAL)
    Path(".gitattributes").write_text("*.tvms diff=tvmscript\n")
    git("add", "-A")
    git("commit", "-qm", "one")
    files(changed_tvms=CHANGED, new_tvms=CHANGED, renamed_tvms=NORMAL, broken_tvms="a\nc\n")
    Path("binary.tvms").write_bytes(b"\xff\xfe\x00")
    Path("gone.tvms").unlink()
    git("add", "-A")
    shown = git("diff", "--cached", "--no-renames").split("diff --tvmscript a/")[1:]
    parts = {part.split(" ")[0]: part.split("\n", 1)[1] for part in shown}
    assert parts["changed.tvms"] == f"--- a/changed.tvms\n+++ b/changed.tvms\n{SHOWN}"
    assert parts["renamed.tvms"].endswith("! variable k renamed i\n")
    assert parts["new.tvms"].startswith("new file mode 100644\n--- /dev/null\n+++ b/new.tvms\n+# from tvm.script")
    assert parts["new.tvms"].endswith("\n+        A[i] = A[i] * T.float32(3)\n")
    assert parts["gone.tvms"].startswith("deleted file mode 100644\n--- a/gone.tvms\n+++ /dev/null\n-# from tvm.script")
    assert parts["broken.tvms"].startswith("! compared line by line: ")
    assert parts["broken.tvms"].endswith(" a\n-b\n+c\n")
    assert "cannot be used: " in parts["binary.tvms"]
    git("commit", "-qm", "two")
    git("mv", "changed.tvms", "moved.tvms")
    files(moved_tvms=NORMAL)
    git("add", "-A")
    moved = git("diff", "--cached", "-M10")
    assert "rename from changed.tvms\nrename to moved.tvms\n--- a/changed.tvms\n+++ b/moved.tvms\n" in moved


def test_git_unmerged_and_modes(capsys: pytest.CaptureFixture[str]) -> None:
    files(a_tvms=NORMAL, b_tvms=SLOPPY)
    assert run("--git", "conflict.tvms") == 0
    assert capsys.readouterr().out == "* Unmerged path conflict.tvms\n"
    assert run("--git", "x.tvms", "a.tvms", "0" * 40, "100644", "b.tvms", "1" * 40, "100755") == 0
    assert capsys.readouterr().out == (
        "diff --tvmscript a/x.tvms b/x.tvms\nold mode 100644\nnew mode 100755\n"
        "! the programs are equal, the texts differ\n"
    )


def test_git_shows_code_around_programs(capsys: pytest.CaptureFixture[str]) -> None:
    """Lines outside of programs are compared line by line, with their numbers in the files."""
    around = "from tvmscript import T\n\n\n" + NORMAL.split("\n\n")[1] + "\n\n\ndef helper():\n    return 1\n"
    Path("a.py").write_text(around)
    sides = "0" * 40, "100644", "b.py", "1" * 40, "100644"
    for changed in (around, around.replace("float32(2)", "float32(3)")):
        Path("b.py").write_text("import os\n" + changed.replace("return 1", "return 2"))
        assert run("--git", "a.py", "a.py", *sides) == 0
        programs, mark, outside = capsys.readouterr().out.partition("! outside of the programs\n")
        assert mark
        assert ("float32(3)" in programs) == (changed != around)
        assert "float32" not in outside
        assert {"+import os", "-    return 1", "+    return 2"} <= set(outside.splitlines())
        assert "the texts differ" not in programs
    Path("b.py").write_text(around.replace("range(4)", "range( 4 )"))
    assert run("--git", "a.py", "a.py", *sides) == 0
    assert "the programs are equal, the texts differ" in capsys.readouterr().out
    assert run("--git", "a.py", "/dev/null", ".", ".", "a.py", "1" * 40, "100644") == 0
    assert "+def helper():" in capsys.readouterr().out
    Path("b.py").write_text("x = 1\n")
    Path("c.py").write_text("x = 2\n")
    assert run("--git", "c.py", "b.py", "0" * 40, "100644", "c.py", "1" * 40, "100644") == 0
    assert capsys.readouterr().out.splitlines()[1:] == ["--- a/c.py", "+++ b/c.py", "@@ -1 +1 @@", "-x = 1", "+x = 2"]
