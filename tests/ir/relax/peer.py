"""Scripts that real TVM runs, and what they print, which files keep for runs without it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.golden import is_updating


def kept_answers(script: str) -> list[Any]:
    """Return what TVM says, from the file beside a script: a list, or the items of a dict. Refusals have no text.

    The file has a line for each answer, and one with the places of all answers.
    """
    *answers, places = map(json.loads, _file_of(script).read_text("utf-8").splitlines())
    return [answers[place] for place in places]


def answers_of_tvm(script: str) -> Any:
    """Return what a script prints behind ANSWERS in TVM's environment, which the fixture `oracle` waits for."""
    driver = Path(sys.modules["tvmscript_oracle"].__file__ or "")
    command = [sys.executable, str(driver), "exec", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    return json.loads(done.stdout.partition("ANSWERS")[2])


def check_kept_answers(script: str) -> None:
    """Compare what is kept with what the script prints in TVM's environment; `UPDATE_GOLDEN=1` keeps it."""
    answers = answers_of_tvm(script)
    # TVM keeps functions of a module in no order
    rows = [[*item] for item in sorted(answers.items())] if isinstance(answers, dict) else answers
    rows = ["refused" if isinstance(row, str) else row for row in rows]
    if is_updating():
        lines = [json.dumps(row, sort_keys=True) for row in rows]
        places = {line: place for place, line in enumerate(dict.fromkeys(lines))}
        text = "\n".join([*places, json.dumps([places[line] for line in lines])])
        _file_of(script).write_text(f"{text}\n", "utf-8")
    assert kept_answers(script) == rows


def _file_of(script: str) -> Path:
    return Path(script).with_suffix(".answers.jsonl")
