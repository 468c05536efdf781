"""Instructions of PTX as inline assembly of LLVM."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.backends.nvptx.codegen import KernelCode


def emit_assembly(
    cg: KernelCode, text: str, inputs: Sequence[tuple[str, str, str]] = (), outputs: Sequence[tuple[str, str]] = ()
) -> list[str]:
    """Write an instruction and return its results.

    Inputs are letters of constraints, types and operands, outputs letters and types; `$0` is the first output, and
    inputs come behind the outputs. Threads of a warp execute the instruction together, and it may use memory.
    """
    kinds = [kind for _, kind in outputs]
    result = "void" if not kinds else kinds[0] if len(kinds) == 1 else f"{{ {', '.join(kinds)} }}"
    constraints = [f"={letter}" for letter, _ in outputs] + [letter for letter, _, _ in inputs] + ["~{memory}"]
    given = ", ".join(f"{kind} {operand}" for _, kind, operand in inputs)
    call = f'call {result} asm sideeffect "{text}", "{",".join(constraints)}"({given}) convergent nounwind'
    if not kinds:
        cg.text.do(call)
        return []
    value = cg.text.value(call)
    if len(kinds) == 1:
        return [value]
    return [cg.text.value(f"extractvalue {result} {value}, {place}") for place in range(len(kinds))]


def shared_address(cg: KernelCode, pointer: str) -> str:
    """Return the number of an address in shared memory, as instructions take it."""
    shared = cg.text.value(f"addrspacecast ptr {pointer} to ptr addrspace(3)")
    return cg.text.value(f"ptrtoint ptr addrspace(3) {shared} to i32")
