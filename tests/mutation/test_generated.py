"""Generated mutants change one node, the draw is repeatable, and verdicts and scores say what was found."""

from __future__ import annotations

import ast
import builtins
import json
import os
import shutil
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.mutation.generated import judge as judging
from tests.mutation.generated import run
from tests.mutation.generated.areas import AREAS, draw
from tests.mutation.generated.equivalent import EQUIVALENT
from tests.mutation.generated.executed import IS_SUPPORTED, NOTES, lines_of, noting
from tests.mutation.generated.judge import Verdict
from tests.mutation.generated.marks import TestMarks, marked, read_marks
from tests.mutation.generated.mutators import Mutant, mutants
from tests.mutation.generated.run import judge_mutants, read, score, spread, survivors
from tests.mutation.patch import ROOT
from tests.mutation.run_python import run_python
from tests.mutation.trial import copy_package

TEXT = '''"""2 + 2"""

LIMIT: int = 3


class Box:
    def __repr__(self) -> str:
        return str(1 + 1)

    def area(self, w: "1 < 2", h: int = 4) -> int:
        """3 < 4"""
        if w < h and not self.empty:
            self.log("ä", w)
            return min(w, h)
        for each in zip(w, strict=True):
            continue
        raise ValueError(w + 1)
'''

CHANGES = {
    "w < h => w <= h": "(w <= h)",
    "w < h and (not self.empty) => w < h or not self.empty": "(w < h or not self.empty)",
    "w < h and (not self.empty) => not (w < h and (not self.empty))": "(not (w < h and (not self.empty)))",
    "not self.empty => self.empty": "(self.empty)",
    "self.log('ä', w) => pass": "pass",
    "self.log('ä', w) => self.log(w, 'ä')": "(self.log(w, 'ä'))",
    "return min(w, h) => return None": "return None",
    "min(w, h) => max(w, h)": "(max(w, h))",
    "continue => break": "break",
}


def test_each_node_that_computes_is_changed_once() -> None:
    by_change = {mutant.what.removeprefix("Box.area: "): mutant for mutant in mutants("box.py", TEXT)}
    assert {what: mutant.new for what, mutant in by_change.items()} == CHANGES
    for what, mutant in by_change.items():
        # `ast.unparse` adds parentheses and its own quotes
        old = what.split(" => ")[0].replace("and (not self.empty)", "and not self.empty").replace("'ä'", '"ä"')
        changed = mutant.applied(TEXT)
        assert changed == TEXT.replace(old, mutant.new, 1)
        ast.parse(changed)


@pytest.mark.parametrize("area", AREAS)
def test_areas_have_mutants_that_parse(area: str) -> None:
    drawn = draw(area, 12, seed=1)
    assert len({mutant.name for mutant in drawn}) == 12
    assert len({mutant.kind for mutant in drawn}) > 3
    for mutant in drawn:
        text = (ROOT / mutant.file).read_text("utf-8")
        changed = mutant.applied(text)
        assert changed != text
        ast.parse(changed)


def test_the_same_seed_draws_the_same() -> None:
    assert draw("te", 5, seed=3) == draw("te", 5, seed=3)
    assert draw("te", 5, seed=3) != draw("te", 5, seed=4)


def test_a_mutant_runs_with_its_statement() -> None:
    text = "def f(a):\n    if (a\n        and a > 1\n    ):\n        return a\n"
    by_change = {mutant.what: list(lines_of(mutant, text)) for mutant in mutants("f.py", text)}
    assert by_change["f: a > 1 => a >= 1"] == [2, 3]
    assert by_change["f: return a => return None"] == [5]


def test_a_mutant_of_a_text_that_is_read_runs_with_the_definition() -> None:
    text = "def f():\n    a = 1\n    @T.prim_func\n    def g():\n        T.evaluate(2)\n    return g\n"
    by_change = {mutant.what: list(lines_of(mutant, text)) for mutant in mutants("f.py", text)}
    assert by_change["f: 2 => 3"] == [4, 5]
    assert by_change["f: return g => return None"] == [6]


def test_marks_change_neither_values_nor_lines() -> None:
    text = """def f(a, b):
    if a > 2: a += 2; b = -b
    match a:
        case 5:
            return (a
                    - b * 2)
    for each in range(3):
        if each > 0 and not any(x is each for x in (4, len(b))):
            continue
        b.append(each + 1)
    @T.prim_func
    def g():
        T.evaluate(2)
    return b, lambda c=5: c[1 - a] // 2
"""
    found = dict(enumerate(mutants("f.py", text)))
    changed = marked(text, found)
    assert changed.count("\n") == text.count("\n")
    heard: list[int] = []
    fake = SimpleNamespace(audit=lambda _, number: heard.append(number))  # a hook would stay
    plain: Any = {"T": SimpleNamespace(prim_func=lambda f: f)}
    noisy: Any = {**plain, "__builtins__": {**vars(builtins), "__import__": lambda _: fake}}
    exec(text, plain)
    exec(changed, noisy)
    assert plain["f"](3, 5) == noisy["f"](3, 5) == 15
    (one, first), (other, second) = plain["f"](1, [5]), noisy["f"](1, [5])
    assert one == other == [5, 1, 3]
    assert first([4, 6]) == second([4, 6]) == 2
    unheard = [found[number].what.partition(": ")[2] for number in found.keys() - {*heard}]
    # a pattern, and a text that is read
    assert sorted(unheard) == ["2 => 3", "5 => 6", "T.evaluate(2) => pass"]


def test_marks_are_noted_with_the_tests_of_all_processes(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(marked("def f(x):\n    return x + 1\n", dict(enumerate(mutants("a.py", _ADD)))))
    inner = "import sys; sys.path.insert(0, '.'); import a; a.f(0)"
    (tmp_path / "test_a.py").write_text(
        "import subprocess, sys\nimport pytest\n"
        f"def test_child(): subprocess.run([sys.executable, '-c', {inner!r}], check=True)\n"
        "def test_nothing(): pass\n"
        "@pytest.mark.parametrize('x', ['a b', 'c::d'])\n"
        f"def test_fails(x):\n    exec({inner!r})\n    assert x == 'a b'\n"
    )
    notes = tmp_path / "notes.txt"
    settings = {"PYTHONPATH": f"{NOTES}{os.pathsep}{tmp_path}", "MUTATION_MARKS": str(notes)}
    run = run_python(tmp_path, ["-m", "pytest", "-q", "-p", "mark_notes", "-p", "no:cacheprovider"], None, **settings)
    assert run.status == 1, run.text
    marks = read_marks(notes.read_text())
    assert marks.seconds.keys() == {"test_a.py::test_child", "test_a.py::test_nothing", "test_a.py::test_fails[a b]"}
    tests = ["test_a.py::test_fails[a b]", "test_a.py::test_child"]
    assert [sorted(marks.tests(number, "a.py"), reverse=True) for number in (0, 1)] == [tests, tests]


_ADD = "def f(x):\n    return x + 1\n"


def test_quick_tests_of_other_functions_come_first() -> None:
    seconds = {"tests/a.py::f[1]": 1.0, "tests/a.py::f[2]": 2.0, "tests/b/c.py::g": 3.0, "tests/b/c.py::h": 300.0}
    marks = TestMarks(seconds, {0: {*seconds}, 1: {"", "gone"}, 2: {"tests/b/c.py::h"}})
    assert marks.tests(0, "b/c.py") == ["tests/a.py::f[1]", "tests/b/c.py::g", "tests/a.py::f[2]"]
    assert marks.tests(1, "b/c.py") == ["tests/b/c.py::g"]  # outside of tests: those near the file
    assert marks.tests(2, "b/c.py") == ["tests/b/c.py::h"]
    assert marks.tests(3, "b/c.py") == []


@pytest.mark.skipif(not IS_SUPPORTED, reason="needs sys.monitoring of Python 3.12")
def test_lines_are_noted_in_processes_of_others_too(tmp_path: Path) -> None:
    module = tmp_path / "ir" / "a.py"
    module.parent.mkdir()
    module.write_text("def f(x):\n    if x:\n        return 1\n    return 2\n")
    inner = "import sys; sys.path.insert(0, 'ir'); import a; a.f(0)"
    program = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}], check=True)"
    run = run_python(tmp_path, ["-c", program], None, **noting(tmp_path, tmp_path / "notes.txt"))
    assert run.status == 0, run.text
    lines = (tmp_path / "notes.txt").read_text().splitlines()
    assert lines == [f"{tmp_path / 'ir' / 'a.py'}:{line}" for line in (1, 2, 4)]


def test_areas_take_turns() -> None:
    tasks = spread(["te", "topi"], 5, 3, ROOT)
    assert [area for area, _ in tasks] == ["te", "topi", "te", "topi", "te"]
    assert all(mutant.file.startswith(f"ir/{area}/") for area, mutant in tasks)


@pytest.mark.long
@pytest.mark.parametrize(
    ("new", "by"),
    [("DEFAULT_EXTENT = 15", "tests"), ("DEFAULT_EXTENT = (", "smoke"), ("DEFAULT_EXTENT = 8 + 8", "nobody")],
)
def test_judged_by_who_is_first(new: str, by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package is the real one; it has a single test, which only the command of CI runs. No fuzzer looks."""
    monkeypatch.setattr(judging, "look", lambda *_: pytest.fail("the fuzzers run"))
    root = tmp_path / "root"
    copy_package(ROOT, root)
    for name in ("tools", "examples", "grammar_docs", "benchmarks"):
        (root / name).mkdir()
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE"):
        shutil.copy2(ROOT / name, root / name)
    test = root / "tests" / "backends" / "runtime" / "test_random_inputs.py"
    test.parent.mkdir(parents=True)
    module = "tvmscript.backends.runtime.random_inputs"
    test.write_text(
        f"import pytest\nfrom {module} import DEFAULT_EXTENT\n\n\n"
        "@pytest.mark.long\ndef test_extent():\n    assert DEFAULT_EXTENT == 16\n"
    )
    monkeypatch.setattr(run, "ROOT", root)
    file = "backends/runtime/random_inputs.py"
    old = "DEFAULT_EXTENT = 16"
    start = (ROOT / file).read_text("utf-8").encode().index(old.encode())
    mutant = Mutant(file, start, start + len(old), new, "", "")
    tasks = [("machine", mutant)]
    (verdict,) = judge_mutants(lambda _: tasks, tmp_path / "v", seed=0, minutes=1, jobs=1, has_fuzzers=False)
    assert verdict.by == by
    assert verdict.tests == (None if by == "smoke" else 1)
    assert read(tmp_path / "v")[-1] == verdict


def test_verdicts_are_kept_and_not_judged_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "copy_repository", lambda root, to: None)
    record = tmp_path / "verdicts.jsonl"
    mutant = draw("te", 1, seed=0)[0]
    lives = Verdict("te", mutant.name, mutant.kind, "nobody", "", 1.0)
    kept = Verdict("te", mutant.name, mutant.kind, "tests", "FAILED", 1.5, tests=1)
    record.write_text("".join(json.dumps(asdict(each)) + "\n" for each in (lives, kept)))
    assert judge_mutants(lambda root: [("te", mutant)], record, seed=0, minutes=1, jobs=1) == [kept]
    assert read(record) == [lives, kept]
    assert read(tmp_path / "none") == []


def test_score_leaves_equivalent_mutants_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EQUIVALENT, "same", "x + 0 is x")
    verdicts = [
        Verdict("arith", "one", "", "fuzz", "arith: Wrong"),
        Verdict("arith", "two", "", "smoke", "ImportError"),
        Verdict("arith", "same", "", "nobody", ""),
        Verdict("cuda", "three", "", "tests", "FAILED"),
        Verdict("cuda", "four", "", "nobody", ""),
    ]
    assert score(verdicts).splitlines()[2:] == [
        "| arith | 3 | 1 | 1 (50 %) | 2 (100 %) | 2 (100 %) |",
        "| cuda | 2 | 0 | 0 (0 %) | 0 (0 %) | 1 (50 %) |",
        "| **all** | 5 | 1 | 1 (25 %) | 2 (50 %) | 3 (75 %) |",
    ]
    assert survivors(verdicts) == "arith: same (equivalent: x + 0 is x)\ncuda: four\n"
