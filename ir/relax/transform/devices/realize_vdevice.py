"""RealizeVDevice: place tensors on virtual devices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule, UnknownName, on, structural_equal
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.core.python_settings import without_collection
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.expr import Call, If, MatchCast, Tuple, TupleGetItem, Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.value import hint_on_device, to_vdevice
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.variables import all_vars, get_var2val, iter_bindings
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True)
class RealizeVDevice(Pass):
    """Place tensors on the virtual devices of the module, and insert copies between devices.

    Devices are known by struct info and by `R.hint_on_device`; the operands of a value are on its device, unless it is
    a hint or a copy. Tensors that nothing places take the device that a hint asks of them. A hint becomes a copy,
    `R.to_vdevice`, where the tensor is on another device. Modules without virtual devices stay. Raises `UnknownName`
    for a hint with a device that the module does not have.

    rewrite:
        lv = R.hint_on_device(x, R.cuda(0))  -->  lv: R.Tensor((4,), vdevice="cuda:0") = x
        lv1 = R.add(lv, y)                        lv1: R.Tensor((4,), vdevice="cuda:0") = R.add(lv, y)
        lv2 = R.hint_on_device(lv1, R.cpu(0))     lv2 = R.to_vdevice(lv1, dst_vdevice="llvm:0")
    """

    name = "relax.RealizeVDevice"

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        devices = [info for info in mod.global_infos.get("vdevice", ()) if isinstance(info, VDevice)]
        functions = dict(mod.functions)
        for var, func in mod.functions.items():
            if isinstance(func, Function):
                placement = _Placement(func, devices)
                if placement.known:
                    functions[var] = _DeviceRealizer(placement).rewrite(func)
        if all(functions[var] is func for var, func in mod.functions.items()):
            return mod
        return mod.replace(functions=functions)


class _Placement:
    """The devices of the variables of a function."""

    def __init__(self, func: Function, devices: Iterable[VDevice]) -> None:
        self.devices = {(_device_type(device), device.vdevice_id): device for device in reversed(list(devices))}
        #: variable -> its device
        self.known: dict[Var, VDevice] = {}
        #: variable -> those on the same device
        self.links: dict[Var, list[Var]] = {}
        hinted: list[tuple[Var, VDevice]] = []
        values = get_var2val(func)
        explicit: list[tuple[Var, VDevice]] = [(param, place) for param in func.params for place in _places(param)]
        for binding in iter_bindings(func):
            explicit += [(binding.var, place) for place in _places(binding.var)]
            value = binding.value
            if isinstance(value, Call) and value.op is hint_on_device:
                device = self.hinted_device(value)
                explicit.append((binding.var, device))
                hinted += [(arg, device) for arg in value.args if isinstance(arg, Var)]
            elif not (isinstance(value, Call) and value.op is to_vdevice):
                for operand in _operands(value, values):
                    self.links.setdefault(binding.var, []).append(operand)
                    self.links.setdefault(operand, []).append(binding.var)
        explicit += _annotated(func.body.body, func.ret_struct_info, values)
        self._place(explicit)
        self._place(hinted)

    def hinted_device(self, call: Call) -> VDevice:
        """Return the device of a hint. Raises `UnknownName`."""
        key = (call.attrs["dev_type"], call.attrs["dev_id"])
        if key not in self.devices:
            hint = "declare it by I.module_global_infos"
            raise UnknownName(kind="virtual device", name=f"R.device({key[0]}, {key[1]})", hint=hint, span=call.span)
        return self.devices[key]

    def _place(self, places: Iterable[tuple[Var, VDevice]]) -> None:
        """Place variables, then those on the same devices. Variables that are placed already stay."""
        worklist: list[Var] = []
        for var, device in places:
            if var not in self.known:
                self.known[var] = device
                worklist.append(var)
        while worklist:
            var = worklist.pop()
            for other in self.links.get(var, ()):
                if other not in self.known:
                    self.known[other] = self.known[var]
                    worklist.append(other)


def _device_type(device: VDevice) -> int:
    return int(getattr(device.target, "device_type", 0))


def _places(value: RelaxExpr) -> list[VDevice]:
    """Return the device of a tensor, as a list of one."""
    info = value.struct_info
    return [info.vdevice] if isinstance(info, TensorStructInfo) and info.vdevice is not None else []


def _operands(value: RelaxExpr, values: Mapping[Var, RelaxExpr]) -> list[Var]:
    """Return the variables that have the device of a value: its operands, the results of branches, the field that an
    item of a tuple is.
    """
    if isinstance(value, TupleGetItem):
        fields: Any = values.get(value.tuple_value) if isinstance(value.tuple_value, Var) else None
        return all_vars(fields.fields[value.index] if isinstance(fields, Tuple) else value.tuple_value)
    if isinstance(value, If):
        return [var for branch in (value.true_branch, value.false_branch) for var in all_vars(branch.body)]
    return [] if isinstance(value, (Tuple, Function)) else all_vars(value)


def _annotated(value: RelaxExpr, info: StructInfo | None, values: Mapping[Var, RelaxExpr]) -> list[tuple[Var, VDevice]]:
    """Return the variables of a result whose devices the annotation of the function tells."""
    if isinstance(info, TensorStructInfo):
        return [(value, info.vdevice)] if isinstance(value, Var) and info.vdevice is not None else []
    while isinstance(value, Var) and value in values:
        value = values[value]
    if not isinstance(info, TupleStructInfo) or not isinstance(value, Tuple):
        return []
    fields = zip(value.fields, info.fields, strict=True)
    return [place for field, field_info in fields for place in _annotated(field, field_info, values)]


class _DeviceRealizer(RelaxRewriter):
    """Rewriter of struct info and hints."""

    def __init__(self, placement: _Placement) -> None:
        super().__init__()
        self.placement = placement

    def placed(self, var: Var, info: StructInfo | None) -> StructInfo | None:
        """Return the struct info of a variable on its device."""
        device = self.placement.known.get(var)
        if device is None or not isinstance(info, TensorStructInfo) or info.vdevice is not None:
            return info
        return info.replace(vdevice=device)

    @on(Function)
    def function(self, node: Function) -> Function:
        rewritten = super().function(node)
        return rewritten if rewritten is node else rewritten.replace(ret_struct_info=None, struct_info=None)

    def define(self, name: Any) -> Any:
        """Define a parameter."""
        info = self.placed(name, name.struct_info) if isinstance(name, Var) else None
        if info is None or info is name.struct_info:
            return super().define(name)
        self.renamed[name] = param = name.replace(struct_info=info)
        return param

    @on(Call)
    def call(self, node: Call) -> RelaxExpr:
        call: Call = self.descend(node)
        if call.op is not hint_on_device:
            return call
        device = self.placement.hinted_device(call)
        value: Any = call.args[0]
        if any(structural_equal(place, device) for place in _places(value)):
            hinted: RelaxExpr = value
            return hinted
        return Call(to_vdevice, (value,), {"dst_vdevice": device}, span=call.span)

    @on(VarBinding)
    def var_binding(self, node: VarBinding) -> None:
        value = node.value
        if isinstance(value, Call) and len(value.sinfo_args) == 1:
            info = self.placed(node.var, value.sinfo_args[0])
            if info is not None and info is not value.sinfo_args[0]:
                value = Call(value.op, value.args, value.attrs, (info,), span=value.span)
        new_value = self.builder.normalize(self.value(value))
        info = self.placed(node.var, new_value.struct_info)
        var = node.var
        if info is not None and not structural_equal(info, var.struct_info):
            self.renamed[node.var] = var = var.replace(struct_info=info)
        unchanged = var is node.var and new_value is node.value
        self.builder.emit_normalized(node if unchanged else node.replace(var=var, value=new_value))

    @on(MatchCast)
    def match_cast(self, node: MatchCast) -> None:
        info = self.placed(node.var, node.struct_info)
        if info is not None and info is not node.struct_info:
            self.renamed[node.var] = var = node.var.replace(struct_info=info)
            node = node.replace(var=var, struct_info=info)
        super().match_cast(node)
