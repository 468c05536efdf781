"""Threads of parallel loops: a pool in the runtime module.

A region has one part for each thread. The threads claim parts under a lock, and the caller of the region is one of
them: a thread that gets no core holds nobody up. Who waits spins for a while, unless there are more threads than
processors, and then sleeps: waking a thread takes 50 microseconds on a virtual machine. A region inside of a
region, and one of another thread at the same time, is one part that its caller runs. The child of `fork` starts with no
threads but the caller.
"""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from typing import Final

from tvmscript.backends.llvm.assembly import ModuleText
from tvmscript.backends.llvm.calling_convention.runtime_function import RuntimeFunction

#: name -> type: run a region, whose function takes the closure, the number of the part and how many there are; set the
#: number of threads and how often they look before they sleep, and return the number of threads before
SIGNATURES: Final = {"tvmscript_parallel": "void {}(ptr, ptr)", "tvmscript_threads": "i32 {}(i32, i32)"}
#: how often a thread tries to take the lock before it sleeps
_LOCK_SPINS: Final = 128
#: machine -> intrinsic that lets a spinning processor rest, its parameters and arguments
_PAUSES: Final = {
    "x86_64": ("llvm.x86.sse2.pause", "", ""),
    "aarch64": ("llvm.aarch64.hint", "i32", "i32 1"),
    "arm64": ("llvm.aarch64.hint", "i32", "i32 1"),
}
#: bytes of a lock or condition variable of pthread, at least; the largest is 64 (macOS)
_OBJECT: Final = 64
_UNLOCK: Final = "pthread_mutex_unlock", "i32 {}(ptr)"
_WAIT: Final = "pthread_cond_wait", "i32 {}(ptr, ptr)"
_RESETTING: Final = -1


@dataclass(frozen=True)
class _Pool:
    """Names of the state of the pool in the module."""

    mutex: str
    #: there is a region; its last part is done
    begin: str
    end: str
    #: process that the state belongs to
    process: str
    #: how many threads there shall be; how many were created
    threads: str
    workers: str
    #: how often a waiting thread looks before it sleeps
    spins: str
    #: whether a region runs: its function, closure and parts; how many nobody has claimed, how many are not done
    is_busy: str
    function: str
    closure: str
    parts: str
    unclaimed: str
    unfinished: str


def define_thread_pool(module: ModuleText) -> None:
    """Define the functions of the pool; where there are no POSIX threads, each region is one part."""
    objects = {
        name: module.variable(name, f"[{_OBJECT} x i8] zeroinitializer, align {_OBJECT}")
        for name in ("mutex", "begin", "end")
    }
    counts = ("process", "threads", "workers", "spins", "is_busy", "parts", "unclaimed", "unfinished")
    numbers = {name: module.variable(name, "i32 0") for name in counts}
    pointers = {name: module.variable(name, "ptr null") for name in ("function", "closure")}
    pool = _Pool(**objects, **numbers, **pointers)
    _define_threads(module, pool)
    if os.name == "posix":
        _define_reset(module, pool)
        _define_spin(module, pool)
        _define_lock(module, pool)
        _define_run_parts(module, pool)
        _define_worker(module, pool)
        _define_create_workers(module, pool)
        _define_parallel(module, pool)
    else:
        _define_serial(module)


def _call(text: RuntimeFunction, function: tuple[str, str], *arguments: str) -> str:
    """Call a function of pthread, which takes pointers."""
    symbol = text.module.declare(*function)
    return text.value(f"call i32 {symbol}({', '.join(f'ptr {argument}' for argument in arguments)})")


def _define_reset(module: ModuleText, pool: _Pool) -> None:
    """`pool_reset(process)`: give the process a pool without threads, in one of its threads; others wait for it."""
    text = RuntimeFunction(module)
    test, reset, wait, done = (text.label(hint) for hint in ("test", "reset", "wait", "done"))
    text.jump(test)
    text.place(test)
    owner = text.value(f"load atomic i32, ptr {pool.process} acquire, align 4")
    change = text.label("change")
    text.branch(text.value(f"icmp eq i32 {owner}, %process"), done, change)
    text.place(change)
    other = text.label("other")
    text.branch(text.value(f"icmp eq i32 {owner}, {_RESETTING}"), wait, other)
    text.place(other)
    pair = text.value(f"cmpxchg ptr {pool.process}, i32 {owner}, i32 {_RESETTING} acq_rel acquire")
    text.branch(text.value(f"extractvalue {{ i32, i1 }} {pair}, 1"), reset, test)
    text.place(wait)
    text.value(f"call i32 {module.declare('sched_yield', 'i32 {}()')}()")
    text.jump(test)
    text.place(reset)
    _call(text, ("pthread_mutex_init", "i32 {}(ptr, ptr)"), pool.mutex, "null")
    for condition in (pool.begin, pool.end):
        _call(text, ("pthread_cond_init", "i32 {}(ptr, ptr)"), condition, "null")
    for number in (pool.workers, pool.is_busy, pool.parts, pool.unclaimed, pool.unfinished):
        text.store("i32", "0", number)
    text.do(f"store atomic i32 %process, ptr {pool.process} release, align 4")
    text.jump(done)
    text.place(done)
    text.do("ret void")
    text.define("internal void @pool_reset(i32 %process)")


def _rest(text: RuntimeFunction) -> None:
    """Let a spinning processor rest."""
    if platform.machine() in _PAUSES:
        name, parameters, arguments = _PAUSES[platform.machine()]
        text.do(f"call void {text.module.declare(name, f'void {{}}({parameters})')}({arguments})")


def _define_spin(module: ModuleText, pool: _Pool) -> None:
    """`pool_spin(count, is_zero)`: return once a count is zero, or is not, or after a while."""
    text = RuntimeFunction(module)
    spins = text.value(f"load atomic i32, ptr {pool.spins} monotonic, align 4")
    with text.count_down(spins):
        count = text.value("load atomic i32, ptr %count acquire, align 4")
        is_zero = text.value(f"icmp eq i32 {count}, 0")
        with text.unless(f"icmp ne i1 {is_zero}, %is_zero"):
            text.do("ret void")
        _rest(text)
    text.do("ret void")
    text.define("internal void @pool_spin(ptr %count, i1 %is_zero)")


def _define_lock(module: ModuleText, pool: _Pool) -> None:
    """`pool_lock()`: take the lock; it is held for some instructions at a time, fewer than sleeping takes."""
    text = RuntimeFunction(module)
    with text.count_down(str(_LOCK_SPINS)):
        status = _call(text, ("pthread_mutex_trylock", "i32 {}(ptr)"), pool.mutex)
        with text.unless(f"icmp ne i32 {status}, 0"):
            text.do("ret void")
        _rest(text)
    _call(text, ("pthread_mutex_lock", "i32 {}(ptr)"), pool.mutex)
    text.do("ret void")
    text.define("internal void @pool_lock()")


def _define_run_parts(module: ModuleText, pool: _Pool) -> None:
    """`pool_run_parts()`: claim and run parts while there are any. The caller holds the lock."""
    text = RuntimeFunction(module)
    test, run, signal, done = (text.label(hint) for hint in ("test", "run", "signal", "done"))
    text.jump(test)
    text.place(test)
    unclaimed, parts = text.load("i32", pool.unclaimed), text.load("i32", pool.parts)
    text.branch(text.value(f"icmp sgt i32 {unclaimed}, 0"), run, done)
    text.place(run)
    _set(text, text.value(f"sub i32 {unclaimed}, 1"), pool.unclaimed)
    part = text.value(f"sub i32 {parts}, {unclaimed}")
    function, closure = text.load("ptr", pool.function), text.load("ptr", pool.closure)
    _call(text, _UNLOCK, pool.mutex)
    text.do(f"call void {function}(ptr {closure}, i32 {part}, i32 {parts})")
    text.do("call void @pool_lock()")
    unfinished = text.value(f"sub i32 {text.load('i32', pool.unfinished)}, 1")
    _set(text, unfinished, pool.unfinished)
    text.branch(text.value(f"icmp eq i32 {unfinished}, 0"), signal, test)
    text.place(signal)
    _call(text, ("pthread_cond_signal", "i32 {}(ptr)"), pool.end)
    text.jump(test)
    text.place(done)
    text.do("ret void")
    text.define("internal void @pool_run_parts()")


def _set(text: RuntimeFunction, count: str, cell: str) -> None:
    """Set a count that spinning threads look at."""
    text.do(f"store atomic i32 {count}, ptr {cell} release, align 4")


def _define_worker(module: ModuleText, pool: _Pool) -> None:
    """`pool_worker(unused)`: run parts of all regions."""
    text = RuntimeFunction(module)
    turn, sleep = text.label("turn"), text.label("sleep")
    text.do("call void @pool_lock()")
    text.jump(turn)
    text.place(turn)
    text.do("call void @pool_run_parts()")
    _call(text, _UNLOCK, pool.mutex)
    text.do(f"call void @pool_spin(ptr {pool.unclaimed}, i1 0)")
    text.do("call void @pool_lock()")
    text.branch(text.value(f"icmp eq i32 {text.load('i32', pool.unclaimed)}, 0"), sleep, turn)
    text.place(sleep)
    _call(text, _WAIT, pool.begin, pool.mutex)
    text.jump(turn)
    text.define("internal ptr @pool_worker(ptr %unused)")


def _define_create_workers(module: ModuleText, pool: _Pool) -> None:
    """`pool_create_workers(count)`: create threads up to this many, fewer where the system refuses."""
    text = RuntimeFunction(module)
    thread = text.slot("i64")
    test, create, created, done = (text.label(hint) for hint in ("test", "create", "created", "done"))
    text.jump(test)
    text.place(test)
    count = text.load("i32", pool.workers)
    text.branch(text.value(f"icmp slt i32 {count}, %count"), create, done)
    text.place(create)
    status = _call(text, ("pthread_create", "i32 {}(ptr, ptr, ptr, ptr)"), thread, "null", "@pool_worker", "null")
    text.branch(text.value(f"icmp eq i32 {status}, 0"), created, done)
    text.place(created)
    detach = module.declare("pthread_detach", "i32 {}(i64)")
    text.value(f"call i32 {detach}(i64 {text.load('i64', thread)})")
    text.store("i32", text.value(f"add i32 {count}, 1"), pool.workers)
    text.jump(test)
    text.place(done)
    text.do("ret void")
    text.define("internal void @pool_create_workers(i32 %count)")


def _define_parallel(module: ModuleText, pool: _Pool) -> None:
    """`tvmscript_parallel(function, closure)`: run a region."""
    text = RuntimeFunction(module)
    several, free, busy, alone, spin, wait, sleep, done = (
        text.label(hint) for hint in ("several", "free", "busy", "alone", "spin", "wait", "sleep", "done")
    )
    threads = text.value(f"load atomic i32, ptr {pool.threads} monotonic, align 4")
    text.branch(text.value(f"icmp sgt i32 {threads}, 1"), several, alone)
    text.place(several)
    process = text.value(f"call i32 {module.declare('getpid', 'i32 {}()')}()")
    text.do(f"call void @pool_reset(i32 {process})")
    text.do("call void @pool_lock()")
    text.branch(text.value(f"icmp eq i32 {text.load('i32', pool.is_busy)}, 0"), free, busy)
    text.place(busy)
    _call(text, _UNLOCK, pool.mutex)
    text.jump(alone)
    text.place(alone)
    text.do("call void %function(ptr %closure, i32 0, i32 1)")
    text.do("ret void")
    text.place(free)
    text.do(f"call void @pool_create_workers(i32 {text.value(f'sub i32 {threads}, 1')})")
    text.store("i32", threads, pool.parts)
    text.store("i32", "1", pool.is_busy)
    text.store("ptr", "%function", pool.function)
    text.store("ptr", "%closure", pool.closure)
    _set(text, threads, pool.unfinished)
    _set(text, threads, pool.unclaimed)
    _call(text, ("pthread_cond_broadcast", "i32 {}(ptr)"), pool.begin)
    text.do("call void @pool_run_parts()")
    text.branch(text.value(f"icmp eq i32 {text.load('i32', pool.unfinished)}, 0"), done, spin)
    text.place(spin)
    _call(text, _UNLOCK, pool.mutex)
    text.do(f"call void @pool_spin(ptr {pool.unfinished}, i1 1)")
    text.do("call void @pool_lock()")
    text.jump(wait)
    text.place(wait)
    text.branch(text.value(f"icmp eq i32 {text.load('i32', pool.unfinished)}, 0"), done, sleep)
    text.place(sleep)
    _call(text, _WAIT, pool.end, pool.mutex)
    text.jump(wait)
    text.place(done)
    text.store("i32", "0", pool.is_busy)
    _call(text, _UNLOCK, pool.mutex)
    text.do("ret void")
    text.define("void @tvmscript_parallel(ptr %function, ptr %closure)")


def _define_serial(module: ModuleText) -> None:
    text = RuntimeFunction(module)
    text.do("call void %function(ptr %closure, i32 0, i32 1)")
    text.do("ret void")
    text.define("void @tvmscript_parallel(ptr %function, ptr %closure)")


def _define_threads(module: ModuleText, pool: _Pool) -> None:
    """`tvmscript_threads(count, spins)`: set the number of threads and their spins, unless it is 0."""
    text = RuntimeFunction(module)
    change, done = text.label("change"), text.label("done")
    before = text.value(f"load atomic i32, ptr {pool.threads} monotonic, align 4")
    text.branch(text.value("icmp sgt i32 %count, 0"), change, done)
    text.place(change)
    text.do(f"store atomic i32 %count, ptr {pool.threads} monotonic, align 4")
    text.do(f"store atomic i32 %spins, ptr {pool.spins} monotonic, align 4")
    text.jump(done)
    text.place(done)
    text.do(f"ret i32 {before}")
    text.define("i32 @tvmscript_threads(i32 %count, i32 %spins)")
