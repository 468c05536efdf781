"""Oracle: compilation is deterministic, also in processes with another hash seed."""

from __future__ import annotations

import difflib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tvmscript.ir.core import BaseFunc, IRModule
from tvmscript.testing.oracles.errors import DoesNotRun, NotDeterministic
from tvmscript.testing.oracles.values import as_module

#: where the package is
_ROOT: Final = Path(__file__).parents[3]
#: run in each process: text on standard input, the texts that it becomes as JSON on standard output
_WORKER: Final = """\
import json, sys
import tvmscript
program = tvmscript.from_source(sys.stdin.read())
texts = {"script": program.script()}
if "llvm" in sys.argv:
    texts["lowered program"] = tvmscript.lower(program, "llvm").script()
    texts["code of LLVM"] = tvmscript.build(program).get_source("input")
json.dump(texts, sys.stdout)
"""


def deterministic(
    program: IRModule | BaseFunc, *, hash_seeds: Sequence[int] = (0, 1), target: str | None = "llvm"
) -> None:
    """Processes with these values of PYTHONHASHSEED print, lower and compile the text of a program to the same texts.

    With target None it is only read and printed. Raises `NotDeterministic`, `DoesNotRun` where a process fails.
    """
    text = as_module(program).script()
    expected: dict[str, str] | None = None
    for seed in hash_seeds:
        texts = _made(text, seed, target or "")
        expected = texts if expected is None else expected
        for what, new_text in texts.items():
            if new_text != expected[what]:
                raise NotDeterministic(seed=seed, what=what, changes=_changes(expected[what], new_text))


def _made(text: str, seed: int, target: str) -> dict[str, str]:
    path = os.pathsep.join([str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": path}
    ended = subprocess.run(
        [sys.executable, "-c", _WORKER, target], input=text, capture_output=True, text=True, check=False,
        env=environment,
    )  # fmt: skip
    if ended.returncode != 0:
        reason = (ended.stderr.strip().splitlines() or [f"it ended with {ended.returncode}"])[-1]
        raise DoesNotRun(way=f"with the hash seed {seed}", function="the compiler", reason=reason)
    texts: dict[str, str] = json.loads(ended.stdout)
    return texts


def _changes(before: str, after: str) -> str:
    return "\n".join(
        difflib.unified_diff(before.splitlines(), after.splitlines(), "one process", "another", "", "", 3, "")
    )
