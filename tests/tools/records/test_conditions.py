"""Outcomes of conditions."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_FILE = """
def f(a, b, items):
    if a > 1 and not items:
        return a + b if b else None
    return any(items), all(each > 1 for each in items), max(a, b, *items[2:]), max(a, *items)
"""
_RUN = """
import sys
from pathlib import Path
from tools.records import conditions

conditions.install()
names = {}
exec(conditions.compiled(Path(sys.argv[1]), "file.py"), names)
print(names["f"](2, 1, []), names["f"](1, 1, [0, 2]))
print(*map(conditions.described, sorted(conditions.reached)), sep="\\n")
"""


def test_outcomes_are_those_of_the_calls(tmp_path: Path) -> None:
    file = tmp_path / "file.py"
    file.write_text(_FILE)
    done = subprocess.run([sys.executable, "-c", _RUN, str(file)], capture_output=True, text=True, check=True)
    values, *outcomes = done.stdout.splitlines()
    assert values == "3 (True, False, 1, 2)"
    assert sorted(outcomes) == sorted(
        f"{file}:{each}"
        for each in (
            "3: true: a > 1", "3: false: a > 1", "3: greater: a > 1", "3: equal: a > 1", "3: true: not items",
            "4: one: b", "4: true: b",
            "5: later: any(items)", "5: not the first: all(each > 1 for each in items)", "5: less: each > 1",
        )
    )  # fmt: skip
