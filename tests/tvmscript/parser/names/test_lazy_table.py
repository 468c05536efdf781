"""Names that are loaded on first use mean the same whatever was read before."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
HEAD = '@T.prim_func\ndef f(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64,), "float32")):\n'
SUM = "T.CommReducer([x], [y], [x + y], [T.float32(0)])"
#: rare name of T -> the body of a function that uses it
BODIES = {
    "CommReducer": f"x = T.float32()\ny = T.float32()\nk = T.int32()\nA[0, 0] = T.Reduce({SUM}, [A[0, k]], "
    '[T.iter_var(k, T.Range(0, 64), "CommReduce", "")], T.bool(True), 0)',
    "allocate_const": 'c = T.allocate_const([1.0, 2.0], "float32", [2])\nT.evaluate(c)',
    "comm_reducer": "k = T.int32()\nA[0, 0] = T.Reduce(T.comm_reducer(lambda x, y: x + y, [T.float32(0)]), [A[0, k]], "
    '[T.iter_var(k, T.Range(0, 64), "CommReduce", "")], T.bool(True), 0)',
    "index_map": 'T.func_attr({"layout": T.index_map(lambda i: [i // 4, i % 4])})\nB[0] = 1.0',
    "prefetch": "T.prefetch(A, [T.Range(0, 4), T.Range(0, 64)])\nB[0] = 1.0",
    "prefetch of an address": "T.evaluate(T.prefetch(T.address_of(A[0, 0]), 0, 3, 1))",
    "realize": "with T.realize(A[0:4, 0:64]):\n    A[0, 0] = 1.0",
    "reduce": "k = T.int32()\nA[0, 0] = T.reduce(T.comm_reducer(lambda x, y: x + y, [T.float32(0)]), [A[0, k]], "
    'axis=[T.iter_var(k, T.Range(0, 64), "CommReduce", "")])',
}

READ = "import sys, tvmscript; print(tvmscript.from_source(sys.stdin.read(), check_well_formed=False).script())"
#: loads all tables one after the other, and prints the names whose entry another one replaced
LOAD = """
from tvmscript.parser import global_names
from tvmscript.parser.names.lazy_table import LAZY_TABLES, LazyTable
tables = {"T": global_names.TIR, "I": global_names.IR}
before = {name: dict(dict.items(table)) for name, table in tables.items()}
for name in LAZY_TABLES:
    LazyTable(name).load()
for name, table in tables.items():
    print(*[f"{name}.{key}" for key, entry in before[name].items() if dict.get(table, key) is not entry])
"""


def in_fresh_process(code: str, text: str = "") -> str:
    ran = subprocess.run([sys.executable, "-c", code], input=text, capture_output=True, text=True, cwd=ROOT)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.parametrize("name", BODIES)
def test_rare_name_is_the_first_one_read(name: str) -> None:
    text = HEAD + "".join(f"    {line}\n" for line in BODIES[name].splitlines())
    printed = in_fresh_process(READ, text)
    assert in_fresh_process(READ, printed) == printed


def test_loading_replaces_no_entry() -> None:
    assert not in_fresh_process(LOAD).split()
