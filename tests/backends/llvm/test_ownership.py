"""Builds that fail, are interrupted or end with the process leave nothing behind that crashes it.

Each program runs in a process of its own, which has to end with exit code 0 and say nothing on stderr.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

#: the same on every Python
pytestmark = pytest.mark.long

_COMMON = """
import gc, itertools, sys, threading
import tvmscript
from tvmscript.backends.llvm import elf_object, linked_code, optimized_module, owned_module

GOOD = '''@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    A[0] = T.float32(1)
'''
FAILING = {
    "extern": ("llvm", '''@T.prim_func
def f():
    T.evaluate(T.call_extern("void", "a_function_that_is_not_loaded"))
'''),
    "unsupported": ("llvm", '''@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    A[0] = T.call_intrin("float32", "tir.texture2d_load", A.data, 0, 0, 0)
'''),
    "target": ("llvm -mtriple=abacus", GOOD),
    "level": ("llvm -opt-level=9", GOOD),
    "intrinsic": ("llvm", '''@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    A[0] = T.call_llvm_intrin("float32", "llvm.sqrt", T.uint32(2), A[0], A[0])
'''),
}

def build(text, target="llvm"):
    return tvmscript.build(tvmscript.from_source(text), target=target)

def fail(text, target):
    # the frame is in the traceback and the error in the frame: a cycle
    try:
        build(text, target)
    except tvmscript.TVMScriptError as error:
        kept = error
    else:
        raise AssertionError("this was to fail")
"""

FAILURES = """
for turn in range(40):
    for target, text in FAILING.values():
        fail(text, target)
        if turn % 3:
            gc.collect()
gc.collect()
"""

INVALID_TEXT = """
# what the code generation must never write
TEXTS = ["define", "define float @f() { ret i32 0 }", "declare float @llvm.ctlz.f32(float)\\n"
         "define float @f(float %a) {\\n %b = call float @llvm.ctlz.f32(float %a)\\n ret float %b\\n}"]
for turn in range(60):
    for text in TEXTS:
        try:
            owned_module.OwnedModule(text)
        except tvmscript.TVMScriptError as error:
            kept = error
        else:
            raise AssertionError(text)
    gc.collect()
"""

#: Raises an exception at each line of the owners' code in turn, and builds and calls after each.
INTERRUPTS = """
import numpy as np
from tvmscript.backends.llvm import output_text, target as target_module, target_machine
from tvmscript.backends.llvm.target import Target

MODULES = output_text, target_module, target_machine, linked_code, elf_object, optimized_module, owned_module
FILES = {module.__file__ for module in MODULES}
program = tvmscript.from_source(GOOD)
text = tvmscript.build(program).get_source("input")
target = Target.parse(None)

def is_traced(file):
    return file in FILES or "llvmlite" in file

def compile_and_print():
    compiled = optimized_module.OptimizedModule(text, target)
    linked = linked_code.LinkedCode(compiled.object_code(), compiled.externals, target)
    linked.function("__tvm_ffi_f" if "__tvm_ffi_f" in text else "f")
    compiled.assembly()
    compiled.native()

def interrupted(number, kind):
    lines = itertools.count()
    raised = []

    def trace(frame, event, arg):
        if not is_traced(frame.f_code.co_filename):
            return None
        if event == "line" and next(lines) == number:
            sys.settrace(None)
            raised.append(frame)
            raise kind
        return trace

    sys.settrace(trace)
    try:
        compile_and_print()
    except kind as error:
        kept = error
    finally:
        sys.settrace(None)
    return bool(raised)

gc.collect()
gc.freeze()
sys.unraisablehook = lambda unraisable: None  # destructors are interrupted too
number = 0
while interrupted(number, (KeyboardInterrupt, MemoryError)[number % 2]):
    gc.collect()
    number += 1
assert number > 100, number
values = np.zeros(4, "float32")
tvmscript.build(program)["f"](values)
assert values[0] == 1
"""

THREADS = """
programs = [(tvmscript.from_source(text), target) for target, text in [*FAILING.values(), ("llvm", GOOD)]]

def work():
    for _ in range(8):
        for program, target in programs:
            try:
                tvmscript.build(program, target=target)
            except tvmscript.TVMScriptError as error:
                kept = error
        gc.collect()

threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""

#: The runtime module is compiled by the first build, which many threads are at once.
FIRST_BUILD = """
import numpy as np

program = tvmscript.from_source('''@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    A[0] = T.float32(1)
''')
barrier = threading.Barrier(8)
built = []

def work():
    barrier.wait()
    built.append(tvmscript.build(program))

threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
gc.collect()
for module in built:
    values = np.zeros(4, "float32")
    module["f"](values)
    assert values[0] == 1
    try:
        module["f"](np.zeros(5, "float32"))
    except tvmscript.TVMScriptError:
        pass
    else:
        raise AssertionError("the shape was not checked")
"""

AT_EXIT = """
for target, text in FAILING.values():
    try:
        build(text, target)
    except tvmscript.TVMScriptError as error:
        cycle = [error]
        cycle.append(cycle)
        sys.kept = cycle
sys.built = build(GOOD)

class Late:
    def __init__(self, module):
        self.module = module
        self.itself = self

    def __del__(self):
        try:
            self.module.get_source("ll")
        except Exception:
            pass  # the interpreter is going down

late = Late(build(GOOD))
del late
gc.collect()
sys.late = Late(build(GOOD))
"""


@pytest.mark.long
@pytest.mark.parametrize(
    "program", [FAILURES, INVALID_TEXT, INTERRUPTS, THREADS, FIRST_BUILD, AT_EXIT],
    ids=["failures", "invalid-text", "interrupts", "threads", "first-build", "at-exit"],
)  # fmt: skip
def test_process_survives(program: str) -> None:
    ran = subprocess.run([sys.executable, "-c", _COMMON + program], capture_output=True, text=True, timeout=300)
    assert (ran.returncode, ran.stderr) == (0, "")
