"""Tensor maps (TMA): native functions of tvm-ffi's calling convention that let the driver make them."""

from __future__ import annotations

from typing import Final, NamedTuple

from tvmscript.backends.cuda.device_state import DeviceState, Loader, fail_with_status, write_device_state
from tvmscript.backends.cuda.errors import NotSupportedByCuda
from tvmscript.backends.llvm.assembly import ModuleText
from tvmscript.backends.llvm.calling_convention import abi
from tvmscript.backends.llvm.calling_convention.runtime_function import RuntimeFunction
from tvmscript.ir.tir import Call, Expr, IntImm, StringImm, Var
from tvmscript.ir.tir.intrin.device import INSTRUCTIONS
from tvmscript.ir.tir.tile import TensorMapType

#: CUtensorMapDataType of cuda.h; floats of 8 bits are copied as bytes
_DTYPES: Final = {
    "uint8": 0, "int8": 0, "e4m3_float8": 0, "e5m2_float8": 0, "uint16": 1, "uint32": 2, "int32": 3, "uint64": 4,
    "int64": 5, "float16": 6, "float32": 7, "float64": 8, "bfloat16": 9,
}  # fmt: skip
ENCODE: Final = INSTRUCTIONS["tensormap_encode_tiled"]
_OPTIONS: Final = tuple(param.name for param in ENCODE.params)


class Encoding(NamedTuple):
    """What a function encodes: tensor maps of so many dimensions, with codes of cuda.h."""

    dtype: int
    rank: int
    interleave: int
    swizzle: int
    l2_promotion: int
    oob_fill: int

    @staticmethod
    def from_call(node: Call) -> Encoding:
        """Return what a call encodes. Raises `NotSupportedByCuda`."""
        options = dict(zip(_OPTIONS, node.args[-len(_OPTIONS) :], strict=True))
        dtype = options.pop("descriptor_dtype")
        numbers = {name: value.value for name, value in options.items() if isinstance(value, IntImm)}
        code = _DTYPES.get(dtype.value) if isinstance(dtype, StringImm) else None
        if numbers.get("force_cu_dtype", -1) >= 0:
            code = numbers["force_cu_dtype"]
        if code is None or len(numbers) != len(options):
            raise NotSupportedByCuda(what=f"a tensor map of {dtype}", span=node.span)
        return Encoding(code, *[numbers[name] for name in Encoding._fields[1:]])

    def define(self, module: ModuleText, loader: Loader, name: str) -> None:
        """Add the function to a module of LLVM code.

        It takes the map, the data, sizes, strides in bytes, the box, steps between its elements, and the device.
        """
        text = RuntimeFunction(module)
        _, state = write_device_state(text, loader, 1 + 4 * self.rank, name)

        def argument(kind: str, place: int) -> str:
            return text.load(kind, "%args", 16 * place + abi.ANY_VALUE)

        arrays: list[str] = []
        place, rank = 2, self.rank
        for kind, size, count in (("i64", 8, rank), ("i64", 8, rank - 1), ("i32", 4, rank), ("i32", 4, rank)):
            array = text.slot(f"[{max(count, 1)} x {kind}], align 8")
            for number in range(count):
                value = argument("i64", place + number)
                narrow = value if kind == "i64" else text.value(f"trunc i64 {value} to i32")
                text.store(kind, narrow, array, size * number)
            arrays.append(array)
            place += count
        encode = text.load("ptr", state, DeviceState.encode.offset)
        pointers = ", ".join(f"ptr {array}" for array in (argument("ptr", 1), *arrays))
        codes = ", ".join(f"i32 {code}" for code in self[2:])
        status = text.value(
            f"call i32 {encode}(ptr {argument('ptr', 0)}, i32 {self.dtype}, i32 {rank}, {pointers}, {codes})"
        )
        with text.unless(f"icmp eq i32 {status}, 0"):
            what = "a tensor map; its array begins at a multiple of 16 bytes, and so do its rows"
            fail_with_status(text, state, status, what)
        text.do("ret i32 0")
        text.define(f"i32 @{name}(ptr %self, ptr %args, i32 %count, ptr %result)")


def call_arguments(node: Call) -> tuple[Expr, ...]:
    """Return the arguments of the function that encodes what a call says."""
    return node.args[: -len(_OPTIONS)]


def is_tensor_map(param: Var) -> bool:
    """Return whether a parameter of a kernel is a tensor map."""
    return isinstance(param.pointer_type, TensorMapType)
