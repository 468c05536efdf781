"""UpdateVDevice: replace a virtual device of the module."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.core import IRModule, Rewriter, WrongType, on, structural_equal
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.core.python_settings import without_collection
from tvmscript.ir.relax.function import Function
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True, eq=False)
class UpdateVDevice(Pass):
    """Replace the virtual device of the module at an index, and in the struct info of all tensors on it.

    Raises `WrongType` for an index without a device.

    rewrite:
        x: R.Tensor((4,), vdevice="llvm:0")  -->  x: R.Tensor((4,), vdevice="cuda:0")
    """

    name = "relax.UpdateVDevice"
    new_vdevice: VDevice
    index: int

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        devices = mod.global_infos.get("vdevice", ())
        if not 0 <= self.index < len(devices):
            expected = f"an index from 0 to {len(devices) - 1}" if devices else "a module with virtual devices"
            raise WrongType(where=f"{self.name}.index", expected=expected, got=self.index)
        old = devices[self.index]
        if not isinstance(old, VDevice) or structural_equal(old, self.new_vdevice):
            return mod
        replacer = _DeviceReplacer(old, self.new_vdevice)
        functions = {
            var: replacer.rewrite(func) if isinstance(func, Function) else func for var, func in mod.functions.items()
        }
        infos = (*devices[: self.index], self.new_vdevice, *devices[self.index + 1 :])
        return mod.replace(functions=functions, global_infos={**mod.global_infos, "vdevice": infos})


class _DeviceReplacer(Rewriter):
    """Replaces a device in struct info and attributes."""

    def __init__(self, old: VDevice, new: VDevice) -> None:
        super().__init__()
        self.old = old
        self.new = new

    @on(VDevice)
    def device(self, node: VDevice) -> VDevice:
        return self.new if structural_equal(node, self.old) else node
