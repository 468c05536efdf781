"""The runtime module: what all compiled code of a process calls."""

from __future__ import annotations

from functools import cache
from typing import Final

from tvmscript.backends.llvm import kept_memory, parallel_loops, thread_pool
from tvmscript.backends.llvm.assembly import ModuleText
from tvmscript.backends.llvm.calling_convention import argument_checks, call_stubs
from tvmscript.backends.llvm.calling_convention.define_call_slot import define_call_slot

#: name -> type, for declarations
SIGNATURES: Final = (
    argument_checks.SIGNATURES
    | call_stubs.SIGNATURES
    | thread_pool.SIGNATURES
    | parallel_loops.SIGNATURES
    | kept_memory.SIGNATURES
)


@cache
def runtime_module_text() -> str:
    """Return the module as LLVM assembly."""
    module = ModuleText()
    define_call_slot(module)
    call_stubs.define_call_stubs(module)
    argument_checks.define_argument_checks(module)
    thread_pool.define_thread_pool(module)
    parallel_loops.define_parallel_loops(module)
    kept_memory.define_kept_memory(module)
    return str(module)
