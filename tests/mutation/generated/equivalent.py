"""Mutants that no program can tell from the package, each with the argument.

A mutant that changes only what the package costs is here, too, where no budget of `tests` records the cost.
"""

from __future__ import annotations

from typing import Final

#: the name of a mutant -> why it computes the same
EQUIVALENT: Final[dict[str, str]] = {
    "backends/runtime/debugger_frames.py: frame_of: 0 => 1": "debuggers show the line of a frame, not its columns",
    "ir/core/op.py: Op.__init__: is_same_definition(type(registered), type(self)) => "
    "is_same_definition(type(self), type(registered))": "names are compared for equality",
    "ir/relax/infer_call.py: _Eraser._function: True => False": "one list is made of the other",
    "ir/relax/verify.py: _Verifier._block: continue => break": "a binding is a VarBinding or a MatchCast",
    "ir/transform/threads/lower_thread_allreduce/allreduce.py: Allreduce.store_all: True => False": "a variable for "
    "each value, and as many buffers",
}
