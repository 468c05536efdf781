"""Examples are chosen by the lines that they execute."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tools.records import choosing
from tools.records.choosing import choose
from tvmscript.fuzz.records.scripts import Recorded

PRINTS = "from tvmscript.parser import from_source\n\nprint(from_source({!r}).script())\n"
SCRIPTS = [
    PRINTS.format("T.int32(1)"),
    PRINTS.format("T.int32(2)"),
    PRINTS.format("T.int32(3) + 4"),
    "raise ValueError\n",
]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="sys.monitoring came with Python 3.12")
def test_another_line_is_another_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "read", lambda _: [Recorded("print(1)", ("output 0",), "nowhere 1.0")])
    (tmp_path / "scripts.json").write_text(json.dumps(SCRIPTS))
    chosen = choose("printer", 1e-6, 1, 0, tmp_path / "scripts.json")
    kept = [each.script for each in chosen]
    assert SCRIPTS[0] in kept
    assert SCRIPTS[2] in kept
    assert SCRIPTS[1] not in kept
    assert SCRIPTS[3] not in kept
    # what cannot run here stays
    assert kept[0] == "print(1)"
    assert all(each.outcome for each in chosen)
