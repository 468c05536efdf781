"""Scripts are chosen by the lines and branches that they execute, and by what they cost."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tools.records import covering
from tools.records.covering import cover
from tvmscript.fuzz.records.scripts import Recorded

PRINTS = "from tvmscript.parser import from_source\n\nprint(from_source({!r}).script())\n"
SCRIPTS = [PRINTS.format("T.int32(1)"), PRINTS.format("T.int32(3) + 4"), "raise ValueError\n", "print(1)\n"]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="sys.monitoring came with Python 3.12")
def test_what_executes_lines_is_chosen_up_to_a_cost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(covering, "read", lambda _: [Recorded(SCRIPTS[0], ())])
    (tmp_path / "printer-1.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in SCRIPTS))
    assert {each.script for each in cover("printer", tmp_path, 10)} == {*SCRIPTS[:2]}
    assert all(each.outcome for each in cover("printer", tmp_path, 10))
    assert not cover("printer", tmp_path, 1e-6)
