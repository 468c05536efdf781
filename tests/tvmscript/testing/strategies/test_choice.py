"""The same seed draws the same examples, in other processes too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

_ROOT = Path(__file__).parents[4]
_WORKER = """\
import hashlib, sys
from hypothesis import HealthCheck, Phase, given, seed, settings
from tvmscript.fuzz import parser as texts
from tvmscript.testing.graph_strategies import graph_modules
from tvmscript.testing.strategies import prim_funcs

strategies = {"graphs": graph_modules(), "kernels": prim_funcs(), "texts": texts.near_valid_texts()}
digest = hashlib.sha256()


@seed(0)
@settings(
    max_examples=40, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(strategies[sys.argv[1]])
def draw(example):
    text = example if isinstance(example, str) else example.script()
    digest.update(text.encode("utf-8", "surrogatepass"))


draw()
print(digest.hexdigest())
"""


def _drawn(name: str, hash_seed: int) -> str:
    environment = {**os.environ, "PYTHONPATH": str(_ROOT), "PYTHONHASHSEED": str(hash_seed)}
    command = [sys.executable, "-c", _WORKER, name]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


@pytest.mark.parametrize("name", ["graphs", "kernels", "texts"])
def test_the_same_seed_draws_the_same(name: str) -> None:
    first, second = (_drawn(name, hash_seed) for hash_seed in (1, 2))
    assert len(first.strip()) == 64
    assert first == second
