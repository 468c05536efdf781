"""Files that the commands are tried on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tvmscript.cli import main

#: a text in normal form
NORMAL = """\
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    for i in range(4):
        A[i] = A[i] * T.float32(2)
"""
#: the same program, written otherwise
SLOPPY = """\
# from tvm.script import tir as T

@T.prim_func
def f(A : T.Buffer(4, dtype='float32')) :
  for i in  T.serial(0, 4):
      A[i]=A[i]*2.0
"""
#: two errors
BROKEN = """\
@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    B[0] = 1
    for i in range(4):
        A[i] = A.foo
"""
#: Python around definitions
PYTHON = '''\
"""Kernels, é."""
from   tvm.script import ir as I, tir as T
import numpy as np   # keep    this

N = 16

# above
@T.prim_func
# between
def before(A : T.Buffer((4,),'float32')) :   # behind the heading
    """What it does,
    in two lines."""
    T.func_attr({"global_symbol": "main"})
    for i in range(4):   # loop
        A[i]=A[i]*2.0
        # in the loop

    # at the end
# below
x = [1,2,
     3]

class TestThing:
\tdef test_a(self):
\t\t@T.prim_func(private=True)
\t\tdef inner(B: T.Buffer((8,8), "float32")):
\t\t\tB[0,0] = 1.0 ; B[0,1] = 2.0
\t\t# after
\t\tassert   inner

@T.prim_func
def uses_constant(A: T.Buffer((N,), "float32")):
    A[0]   = 1.0

@T.prim_func
def uses_python(A: T.Buffer((4,), "float32")):
    A[0]   = np.pi

@I.ir_module
class Mod:
    # about g
    @T.prim_func
    def g(A: T.Buffer((4,), "float32")): A[0]   = 1.0
'''
#: the same with definitions in normal form
PYTHON_FORMATTED = '''\
"""Kernels, é."""
from   tvm.script import ir as I, tir as T
import numpy as np   # keep    this

N = 16

# above
@T.prim_func
# between
def before(A: T.Buffer((4,), "float32")):  # behind the heading
    """What it does,
    in two lines."""
    T.func_attr({"global_symbol": "main"})
    for i in range(4):  # loop
        A[i] = A[i] * T.float32(2)
        # in the loop
    # at the end
# below
x = [1,2,
     3]

class TestThing:
\tdef test_a(self):
\t\t@T.prim_func(private=True)
\t\tdef inner(B: T.Buffer((8, 8), "float32")):
\t\t    B[0, 0] = T.float32(1)
\t\t    B[0, 1] = T.float32(2)
\t\t# after
\t\tassert   inner

@T.prim_func
def uses_constant(A: T.Buffer((N,), "float32")):
    A[0]   = 1.0

@T.prim_func
def uses_python(A: T.Buffer((4,), "float32")):
    A[0]   = np.pi

@I.ir_module
class Mod:
    # about g
    @T.prim_func
    def g(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(1)
'''


def write(folder: Path, text: str, name: str = "kernel.py") -> str:
    """A file with a text; its path."""
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    return str(path)


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """The document that a command prints with --json; its exit code is that of the command."""
    code = main([*arguments, "--json"])
    document = json.loads(capsys.readouterr().out)
    assert document["exit_code"] == code
    assert document["command"] == arguments[0]
    return document
