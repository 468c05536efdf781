"""Calls: instructions of PTX as inline assembly, and what only a host can call."""

from __future__ import annotations

from typing import Final, NoReturn

from tvmscript.backends.cuda.ptx_writer import Assembly, mark_input, write_instruction
from tvmscript.backends.llvm.codegen import intrinsics
from tvmscript.backends.llvm.codegen.codegen import NOTHING
from tvmscript.backends.llvm.codegen.memory import locate, store
from tvmscript.backends.llvm.types import value_type
from tvmscript.backends.nvptx.codegen import KernelCode, call_rule, rule
from tvmscript.backends.nvptx.inline_assembly import emit_assembly
from tvmscript.ir.core import DType, GlobalVar
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir.intrin.device import DeviceInstruction

_BOOL: Final = DType("bool")


@rule(tir.Call)
def emit_call(cg: KernelCode, node: tir.Call) -> str:
    op = node.op
    if isinstance(op, GlobalVar):
        cg.refuse(f"a call of {op.name_hint} in a kernel", node)
    if isinstance(op, DeviceInstruction) and op.path.startswith("ptx.") and op.cuda is None:
        return _emit_ptx(cg, node, op.path)
    return intrinsics.emit_call(cg, node)


#: calls of functions of the host
_OF_HOSTS: Final = (
    "call_extern", "call_pure_extern", "tvm_call_packed", "tvm_call_cpacked", "tvm_call_packed_lowered",
    "tvm_call_cpacked_lowered", "tvm_stack_alloca", "tvm_stack_make_shape", "tvm_stack_make_array", "tvm_struct_get",
    "tvm_struct_set", "tvm_throw_last_error", "TVMBackendFreeWorkspace",
)  # fmt: skip


@call_rule(*_OF_HOSTS)
def refuse_call(cg: KernelCode, node: tir.Call) -> str:
    """Raise `NotSupportedByNvptx`."""
    name = node.args[0].value if node.args and isinstance(node.args[0], tir.StringImm) else ""
    cg.refuse(f"a call of {name or node.op} in a kernel", node)


def _emit_ptx(cg: KernelCode, node: tir.Call, path: str) -> str:
    """Write a call of `T.ptx`."""
    if path == "ptx.addr":
        base, offset = node.args
        if not base.dtype.is_handle:
            return cg.expr(tir.Add(base, tir.Cast(base.dtype, offset)))
        return cg.text.value(f"getelementptr i8, ptr {cg.expr(base)}, {cg.typed(offset)}")
    write_instruction(_Assembly(cg, node), node, path)
    return NOTHING


class _Assembly(Assembly):
    """A statement of LLVM's inline assembly under construction."""

    sigil = "$"

    def __init__(self, cg: KernelCode, node: tir.Call) -> None:
        super().__init__()
        self._cg, self._node = cg, node
        #: registers that are set: letters, types, and the elements that they are stored to
        self._outputs: list[tuple[str, str, tir.BufferLoad]] = []
        self._inputs: list[tuple[str, str, str]] = []

    def refuse(self, what: str) -> NoReturn:
        self._cg.refuse(what, self._node)

    def output(self, target: tir.BufferLoad, *, is_read: bool) -> str:
        letter = self.letter(target)
        mark = self._set(letter, value_type(target.dtype), target)
        if is_read:
            self._inputs.append((str(len(self._outputs) - 1), value_type(target.dtype), self._cg.expr(target)))
        return mark

    def _set(self, letter: str, kind: str, target: tir.BufferLoad) -> str:
        self._outputs.append((letter, kind, target))
        return f"${len(self._outputs) - 1}"

    def input(self, value: Expr) -> str:
        return self._read(self.letter(value), value_type(value.dtype), self._cg.expr(value))

    def _read(self, letter: str, kind: str, operand: str) -> str:
        self._inputs.append((letter, kind, operand))
        return mark_input(len(self._inputs) - 1)

    def immediate(self, value: Expr) -> str:
        self.refuse("an operand of an instruction that has to be a constant")

    def address(self, value: Expr) -> str:
        is_short = value.dtype.bits == 32 and not value.dtype.is_handle
        return self._read("r" if is_short else "l", value_type(value.dtype), self._cg.expr(value))

    def predicate(self, value: Expr) -> str:
        name = self.new_predicate()
        flag = self._cg.convert.cast(self._cg.expr(value), value.dtype, _BOOL)
        operand = self._cg.text.value(f"zext i1 {flag} to i32")
        self.before.append(f"setp.ne.b32 {name}, {self._read('r', 'i32', operand)}, 0;")
        return name

    def predicate_output(self, target: tir.BufferLoad) -> str:
        name = self.new_predicate()
        self.after.append(f"selp.b32 {self._set('r', 'i32', target)}, 1, 0, {name};")
        return name

    def write(self, instruction: str) -> None:
        text = self.format_statement(instruction, len(self._outputs), len(self._inputs))
        outputs = [(letter, kind) for letter, kind, _ in self._outputs]
        results = emit_assembly(self._cg, text, self._inputs, outputs)
        for result, (_, kind, target) in zip(results, self._outputs, strict=True):
            dtype = target.dtype
            if dtype.is_bool and kind == "i32":
                result = self._cg.text.value(f"icmp ne i32 {result}, 0")
            elif kind == "i32" and value_type(dtype) != "i32":
                result = self._cg.convert.cast(result, DType("int32"), dtype)
            place = locate(self._cg, target.buffer, target.indices, dtype, is_store=True)
            store(self._cg, place.pointer, result, dtype, place.memory, place.align)
