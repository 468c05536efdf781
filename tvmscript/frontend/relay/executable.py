"""`runtime.vm.Executable`: what `relay.vm.compile` returns."""

from __future__ import annotations

from typing import Any

from tvmscript.backends.vm.executable import Executable as GraphExecutable
from tvmscript.backends.vm.executable import VMFunction
from tvmscript.frontend.relay.errors import WrongBytecode
from tvmscript.ir.core import IRModule, WrongType
from tvmscript.ir.relax.analysis.visit import post_order_visit
from tvmscript.ir.relax.expr import Constant
from tvmscript.ir.relax.function import Function
from tvmscript.ir.tir import PrimFunc


class Executable:
    """Graph functions and their kernels: `runtime.vm.VirtualMachine` runs them, texts describe them.

    There is no bytecode of TVM's virtual machine: `bytecode` is the script of the graph functions, calls of kernels.
    """

    def __init__(self, mod: GraphExecutable) -> None:
        """Take what `relax.build` returns, or what `runtime.load_module` reads. Raises `WrongType`."""
        given: Any = mod
        if not isinstance(given, GraphExecutable):
            raise WrongType(where="Executable", expected="what relax.build returns", got=repr(given))
        self.mod = mod

    def __getitem__(self, name: str) -> VMFunction:
        """Return a function. Raises `UnknownFunction`."""
        return self.mod[name]

    def __contains__(self, name: object) -> bool:
        return name in self.mod

    @property
    def lib(self) -> GraphExecutable:
        """The machine code, with `export_library`."""
        return self.mod

    @property
    def module(self) -> GraphExecutable:
        """The machine code, TVM's further name of `mod`."""
        return self.mod

    @property
    def globals(self) -> list[str]:
        """The names of the graph functions."""
        return list(self.mod.functions)

    @property
    def primitive_ops(self) -> list[str]:
        """The names of the kernels."""
        return [var.name_hint for var, func in self.mod.program.items() if isinstance(func, PrimFunc)]

    @property
    def bytecode(self) -> str:
        """The script of the graph functions: calls of kernels in the order in which they run."""
        return IRModule(self._graphs()).script()

    @property
    def constants(self) -> str:
        """A line for each constant: its shape, its dtype, its device."""
        texts = [f"shape {list(constant.data.shape)} and dtype {constant.dtype}" for constant in self._constants()]
        return "".join(f"VM Constant[{index}]: has {text} on device index 0\n" for index, text in enumerate(texts))

    @property
    def virtual_devices(self) -> str:
        """A line for the device that all functions run on."""
        device = self.mod.device
        return f"VM VirtualDevice[0]: device type {device.device_type}, id {device.index}\n"

    @property
    def stats(self) -> str:
        """The shapes of the constants, the functions, the kernels, in TVM's form."""
        shapes = [constant.data.shape for constant in self._constants()]
        constants = ", \n".join(str(list(shape)) if shape else "scalar" for shape in shapes)
        functions = ", ".join(f'("{name}", {index})' for index, name in enumerate(self.globals))
        kernels = self.primitive_ops
        return (
            "Relay VM executable statistics:\n"
            f"  Constant shapes (# {len(shapes)}): [{constants}]\n"
            f"  Globals (#{len(self.globals)}): [{functions}]\n"
            f"  Primitive ops (#{len(kernels)}): [{', '.join(kernels)}]\n"
        )

    def get_function_params(self, func_name: str) -> list[str]:
        """Return the names of the parameters of a function. Raises `UnknownFunction`."""
        return list(self.mod[func_name].parameters)

    def save(self) -> tuple[bytearray, GraphExecutable]:
        """Return the bytecode as bytes, and the library, whose `export_library` writes a file."""
        return bytearray(self.bytecode, "utf-8"), self.mod

    @staticmethod
    def load_exec(bytecode: bytes | bytearray, lib: GraphExecutable) -> Executable:
        """Return the executable of saved bytecode and the library that `runtime.load_module` read.

        Raises `WrongBytecode` for bytes that were not saved with this library.
        """
        executable = Executable(lib)
        if bytearray(bytecode) != executable.save()[0]:
            raise WrongBytecode(functions=", ".join(executable.globals))
        return executable

    def _graphs(self) -> dict[Any, Any]:
        return {var: func for var, func in self.mod.program.items() if isinstance(func, Function)}

    def _constants(self) -> list[Constant]:
        constants: list[Constant] = []

        def visit(expr: object) -> None:
            if isinstance(expr, Constant):
                constants.append(expr)

        for func in self._graphs().values():
            post_order_visit(func, visit)
        return constants
