"""VMBuiltinLower: lower operators of memory, shapes and closures to builtins of the virtual machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tvmscript.ir.core import DType, IRModule, on
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.expr import Call, DataTypeImm, ExternFunc, PrimValue, Tuple, TupleGetItem
from tvmscript.ir.relax.op import builtin, memory, vm
from tvmscript.ir.relax.op.call_packed import call_builtin_with_ctx, invoke_closure, make_closure
from tvmscript.ir.relax.op.reshape import reshape
from tvmscript.ir.relax.op.value import shape_of, to_vdevice
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import ObjectStructInfo, TupleStructInfo
from tvmscript.ir.relax.transform.base import RelaxRewriterPass
from tvmscript.ir.relax.transform.errors import NotLoweredBefore


@dataclass(frozen=True)
class VMBuiltinLower(RelaxRewriterPass):
    """Replace operators that compute nothing by operators of `R.vm` and calls of `vm.builtin.*`.

    Raises `NotLoweredBefore` for `R.builtin.alloc_tensor`.

    rewrite:
        y = R.reshape(x, R.shape([4]))
          -->  y = R.call_packed("vm.builtin.reshape", x, R.shape([4]), sinfo_args=(R.Tensor((4,), "float32"),))
    """

    name = "relax.VMBuiltinLower"
    is_idempotent = True

    def rewriter(self, mod: IRModule) -> RelaxRewriter:
        return _Lowering()


class _Lowering(RelaxRewriter):
    """Rewriter of calls."""

    @on(Call)
    def call(self, node: Call) -> Any:
        call = self.descend(node)
        rule = _RULES.get(call.op)
        return call if rule is None else rule(call)


def _packed(name: str) -> Callable[[Call], Call]:
    """Return the rule of an operator that a packed function computes from the same arguments."""

    def lower(call: Call) -> Call:
        return _call_packed(name, call.args, call.struct_info)

    return lower


def _call_packed(name: str, args: Sequence[Any], info: StructInfo | None) -> Call:
    return Call(ExternFunc(name), args, {}, () if info is None else (info,), info)


def _fields(value: Any) -> Sequence[RelaxExpr]:
    """Return the values of a tuple."""
    if isinstance(value, Tuple):
        return value.fields
    assert isinstance(value.struct_info, TupleStructInfo)
    return [TupleGetItem(value, index) for index in range(len(value.struct_info.fields))]


def _alloc_storage(call: Call) -> Call:
    """Return storage of bytes, as sizes are those of bytes."""
    size, device, scope, _ = call.args
    return Call(vm.alloc_storage, [size, device, DataTypeImm(DType("uint8")), scope])


def _renamed(operator: Any) -> Callable[[Call], Call]:
    return lambda call: Call(operator, call.args)


def _call_tir_dyn(call: Call) -> Call:
    return _call_packed("vm.builtin.call_tir_dyn", [call.args[0], *_fields(call.args[1])], TupleStructInfo(()))


def _make_closure(call: Call) -> Call:
    return _call_packed("vm.builtin.make_closure", [call.args[0], *_fields(call.args[1])], ObjectStructInfo())


def _invoke_closure(call: Call) -> Call:
    closure: Any = call.args[0]
    args = Tuple((closure, *_fields(call.args[1])))
    return Call(call_builtin_with_ctx, [ExternFunc("vm.builtin.invoke_closure"), args], {}, [ObjectStructInfo()])


def _to_device(call: Call) -> Call:
    device = call.attrs["dst_vdevice"]
    numbers = [PrimValue(device.target.get_target_device_type()), PrimValue(device.vdevice_id)]
    return _call_packed("vm.builtin.to_device", [*call.args, *numbers], call.struct_info)


def _refuse(call: Call) -> Call:
    raise NotLoweredBefore(
        pass_name="relax.VMBuiltinLower", what=call.op.script_name, before="relax.LowerAllocTensor", span=call.span
    )


#: operator -> what replaces its call
_RULES: Final[Mapping[object, Callable[[Call], Call]]] = {
    reshape: _packed("vm.builtin.reshape"),
    shape_of: _packed("vm.builtin.shape_of"),
    memory.view: _packed("runtime.TVMArrayCreateView"),
    memory.ensure_zero_offset: _packed("vm.builtin.ensure_zero_offset"),
    to_vdevice: _to_device,
    memory.alloc_storage: _alloc_storage,
    memory.alloc_tensor: _renamed(vm.alloc_tensor),
    memory.kill_storage: _renamed(vm.kill_object),
    memory.kill_tensor: _renamed(vm.kill_object),
    vm.call_tir_dyn: _call_tir_dyn,
    make_closure: _make_closure,
    invoke_closure: _invoke_closure,
    builtin.alloc_tensor: _refuse,
}
