"""What is built and dropped leaves no memory behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

#: builds a kernel again and again; the growth of the process in KB for each time, once it has all that it keeps
PROGRAM = """
import gc
import tvmscript
from pathlib import Path

def pages():
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1])

kernel = tvmscript.from_source('''
@T.prim_func
def f(A: T.Buffer((64,)), B: T.Buffer((64,))):
    for i in range(64):
        B[i] = A[i]
''')
for _ in range(20):
    tvmscript.build(kernel, target="llvm")
before = pages()
for _ in range(50):
    tvmscript.build(kernel, target="llvm")
print((pages() - before) * 4 / 50)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not tell how large a process is")
def test_modules_go_away() -> None:
    """llvmlite keeps the pipeline of each module (about 50 KB) unless it is told; what is left is 1 or 2 KB."""
    grown = subprocess.run([sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True)
    assert float(grown.stdout) < 20
