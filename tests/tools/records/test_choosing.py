"""Scripts are chosen by the lines and branches that they execute, and by what they cost."""

from __future__ import annotations

import sys

import pytest

from tools.records import choosing
from tools.records.choosing import choose, drawn, needed, without_slow
from tvmscript.fuzz.records.scripts import Recorded

PRINTS = "from tvmscript.parser import from_source\n\nprint(from_source({!r}).script())\n"
SCRIPTS = [PRINTS.format("T.int32(1)"), PRINTS.format("T.int32(3) + 4")]
ABSENT = Recorded("print(1)", ("output 0",), "nowhere 1.0")
OTHERS = [
    "raise ValueError\n",
    "print(1)\n",  # executes no line of the package
    "import time\n\n" + PRINTS.format("T.int64(1)") + "print(time.perf_counter())\n",
]

pytestmark = pytest.mark.skipif(sys.version_info < (3, 12), reason="sys.monitoring came with Python 3.12")


@pytest.fixture(autouse=True)
def recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "read", lambda _: [ABSENT, Recorded(SCRIPTS[0], ())])


def test_what_executes_lines_is_chosen_up_to_a_cost() -> None:
    chosen = choose("printer", [*SCRIPTS, *OTHERS], 10)
    assert {each.script for each in chosen} == {ABSENT.script, *SCRIPTS}
    assert all(each.outcome for each in chosen)
    assert choose("printer", SCRIPTS, 1e-6) == [ABSENT]


def test_few_executions_of_a_line_are_enough() -> None:
    alike = [PRINTS.format(f"T.int32({number})") for number in range(20)]
    assert 1 < len(choose("printer", alike, 10)) < 10


def test_slow_scripts_are_dropped_where_two_others_run_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    slow, alone = (Recorded(f"sum(range(10**7))\n{text}", ()) for text in (SCRIPTS[0], SCRIPTS[1]))
    quick = [Recorded(PRINTS.format(f"T.int32({number})"), ()) for number in range(3)]
    monkeypatch.setattr(choosing, "read", lambda _: [ABSENT, slow, *quick, alone])
    assert without_slow("printer", 0.05) == [ABSENT, *quick, alone]
    assert without_slow("printer", 60) == [ABSENT, slow, *quick, alone]


def test_scripts_of_front_ends_need_the_library_that_they_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "installed_version", {"onnx": "1.2", "torch": ""}.__getitem__)
    assert needed("frontends", "check_onnx('...')") == "onnx 1.2"
    assert needed("frontends", "import torch") == ""
    assert needed("frontends", "nn.Linear(1, 1)") == needed("te", "'onnx'") == ""


def test_what_an_area_draws_is_written() -> None:
    scripts = drawn("printer", 0.01, 0)
    assert scripts
    assert all("print" in script for script in scripts)
