"""Parallel loops over the threads of the pool: distribution of iterations, errors of threads.

A closure of a loop begins with the fields of `CLOSURE`; what the loop captures follows. Iterations are distributed
statically, in contiguous parts, one for each thread. An error in a thread ends its part; the caller raises the first.
"""

from __future__ import annotations

from typing import Final

from tvmscript.backends.llvm.assembly import ModuleText
from tvmscript.backends.llvm.calling_convention.runtime_function import RuntimeFunction

#: first fields of a closure: the first error, the first iteration and how many there are, the function of a part, which
#: takes the closure, the first iteration and the one behind the last, and returns a status
CLOSURE: Final = ("ptr", "i64", "i64", "ptr")
#: name -> type: run the loop of a closure and return a status
SIGNATURES: Final = {"tvmscript_parallel_loop": "i32 {}(ptr)"}
_FIRST, _EXTENT, _FUNCTION = 8, 16, 24


def define_parallel_loops(module: ModuleText) -> None:
    """Define what runs a parallel loop."""
    _define_part(module)
    text = RuntimeFunction(module)
    text.do("call void @tvmscript_parallel(ptr @parallel_part, ptr %closure)")
    error = text.load("ptr", "%closure")
    with text.unless(f"icmp eq ptr {error}, null"):
        text.do(f"call void {module.declare('TVMFFIErrorSetRaised', 'void {}(ptr)')}(ptr {error})")
        _release(text, error)
        text.do("ret i32 -1")
    text.do("ret i32 0")
    text.define("i32 @tvmscript_parallel_loop(ptr %closure)")


def _define_part(module: ModuleText) -> None:
    """`parallel_part(closure, part, parts)`: run a part of a loop, and record its error if it is the first."""
    text = RuntimeFunction(module)
    extent = text.load("i64", "%closure", _EXTENT)
    with text.unless(f"icmp sgt i64 {extent}, 0"):
        text.do("ret void")
    # the first extent % parts threads have one iteration more
    number, count = (text.value(f"zext i32 {operand} to i64") for operand in ("%part", "%parts"))
    each, more = (text.value(f"{division} i64 {extent}, {count}") for division in ("udiv", "urem"))
    extra = text.value(f"call i64 {module.declare('llvm.umin.i64', 'i64 {}(i64, i64)')}(i64 {number}, i64 {more})")
    start = text.value(f"add i64 {text.value(f'mul i64 {number}, {each}')}, {extra}")
    longer = text.value(f"zext i1 {text.value(f'icmp ult i64 {number}, {more}')} to i64")
    begin = text.value(f"add i64 {text.load('i64', '%closure', _FIRST)}, {start}")
    end = text.value(f"add i64 {begin}, {text.value(f'add i64 {each}, {longer}')}")
    function = text.load("ptr", "%closure", _FUNCTION)
    status = text.value(f"call i32 {function}(ptr %closure, i64 {begin}, i64 {end})")
    bad, lost, done = (text.label(hint) for hint in ("failed", "lost", "done"))
    text.branch_likely(text.value(f"icmp eq i32 {status}, 0"), done, bad)
    text.place(bad)
    slot = text.slot("ptr")
    text.do(f"call void {module.declare('TVMFFIErrorMoveFromRaised', 'void {}(ptr)')}(ptr {slot})")
    error = text.load("ptr", slot)
    pair = text.value(f"cmpxchg ptr %closure, ptr null, ptr {error} acq_rel acquire")
    text.branch(text.value(f"extractvalue {{ ptr, i1 }} {pair}, 1"), done, lost)
    text.place(lost)
    _release(text, error)
    text.jump(done)
    text.place(done)
    text.do("ret void")
    text.define("internal void @parallel_part(ptr %closure, i32 %part, i32 %parts)")


def _release(text: RuntimeFunction, error: str) -> None:
    text.value(f"call i32 {text.module.declare('TVMFFIObjectDecRef', 'i32 {}(ptr)')}(ptr {error})")
