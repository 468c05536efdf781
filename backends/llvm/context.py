"""State of one compilation that all its functions share: module text, target, helper routines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tvmscript.backends.llvm.assembly import FunctionText, ModuleText
from tvmscript.backends.llvm.calling_convention.abi import CPU
from tvmscript.backends.llvm.debug import DebugInfo
from tvmscript.backends.llvm.errors import NotSupportedByLLVM
from tvmscript.backends.llvm.vector_builder import Lanes, Value
from tvmscript.ir.core import Span
from tvmscript.ir.tir import PrimFunc, Var

if TYPE_CHECKING:
    from tvmscript.backends.llvm.target import Target

#: Writes the body of a routine: the lanes to compute in and the parameters; returns the value.
Body = Callable[..., Value]


@dataclass
class Callee:
    """A function of the module, for its callers."""

    func: PrimFunc
    #: the symbol of its kernel
    symbol: str
    #: variables that the kernel is given, in this order, once it is compiled
    params: list[Var] = field(default_factory=list)
    is_compiled: bool = False


class Program:
    """One LLVM module in the making."""

    def __init__(
        self, target: Target, *, has_debug_info: bool = False, part: int | None = None, before: Program | None = None
    ) -> None:
        """Begin a module; `part` is its number where it is one of several, after the module `before`."""
        self.text = ModuleText("" if part is None else f"{part}.")
        #: linkage of functions that other parts call
        self.linkage = "internal" if part is None else "hidden"
        #: key of a function that parts share -> its symbol
        self._shared: dict[str, str] = {} if before is None else before._shared
        #: where instructions come from, if anybody wants to know
        self.debug = DebugInfo(self.text) if has_debug_info else None
        self.target = target
        #: functions of the module by name
        self.functions: dict[str, Callee] = {}
        #: what compiles those that are not yet begun
        self.waiting: dict[str, Callable[[], None]] = {}
        #: symbols of functions with tvm-ffi's calling convention, by the name in the module
        self.checked: dict[str, str] = {}
        #: symbols of functions that check and unpack their arguments themselves, with how many they take (None: unsaid)
        self.packed: dict[str, int | None] = {}
        #: names of those that are called from inside
        self.called: set[str] = set()
        #: handle parameters that stand for arrays
        self.arrays: set[Var] = set()
        #: DLDeviceType of arrays that functions of the module hand over
        self.device_type = CPU
        #: symbols that functions of the module have
        self.symbols: set[str] = set()
        #: whether a loop around no other one computes without vectors, which LLVM may vectorize
        self.has_scalar_loops = False
        self._made: dict[str, str] = {}
        self._routines: dict[tuple[str, int], tuple[str, str]] = {}

    def refuse_name(self, name: str, span: Span | None) -> None:
        """Raise `NotSupportedByLLVM` for a C function that no program can call by this name."""
        if not name or "\0" in name:
            raise NotSupportedByLLVM(what=f"a C function with the name {name!r}", span=span)
        if name.startswith("llvm."):
            hint = "T.call_llvm_intrin calls intrinsics"
            raise NotSupportedByLLVM(what=f"call_extern of the LLVM intrinsic {name}", span=span, hint=hint)
        if name in self.symbols:
            hint = "call it by its name in the module"
            raise NotSupportedByLLVM(what=f"call_extern of {name}, a function of the module", span=span, hint=hint)

    def compile(self, name: str) -> None:
        """Compile a function before its caller, unless it is begun: functions may call each other in a cycle."""
        compile_kernel = self.waiting.pop(name, None)
        if compile_kernel is not None:
            compile_kernel()
            self.functions[name].is_compiled = True

    def once(self, key: str, make: Callable[[], str]) -> str:
        """Return the value of `make` for this key, computed once."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def share(self, key: str, signature: str, make: Callable[[], str]) -> str:
        """Return the symbol of a function that `make` writes, once in all parts of a program."""

        def find() -> str:
            symbol = self._shared.get(key)
            if symbol is None:
                symbol = self._shared[key] = make()
            else:
                self.text.declare_hidden(symbol, signature)
            return symbol

        return self.once(key, find)

    def call(self, caller: FunctionText, name: str, body: Body, lanes: int, args: list[tuple[str, str]]) -> Value:
        """Call the routine `name` for this many lanes; the first call writes it.

        `args` are pairs of scalar type and operand. Routines are inlined wherever they are called.
        """
        key = name, lanes
        if key not in self._routines:
            self._routines[key] = self._write(name, body, lanes, [kind for kind, _ in args])
        symbol, result = self._routines[key]
        width = self._lanes(caller, lanes)
        operands = ", ".join(f"{width.full(kind)} {operand}" for kind, operand in args)
        return width.value(result, caller.pure_value(f"call {width.full(result)} {symbol}({operands})"))

    def _lanes(self, text: FunctionText, count: int) -> Lanes:
        target = self.target
        return Lanes(
            text,
            count,
            has_fma=target.has_fma,
            has_scaling=target.has_fma and target.has_feature("avx512bw"),
            has_root_estimates=target.has_root_estimates,
            has_bfloat=target.has_feature("avx512bf16") and target.has_feature("avx512dq"),
        )

    def _write(self, name: str, body: Body, lanes: int, kinds: list[str]) -> tuple[str, str]:
        text = FunctionText(self.text)
        width = self._lanes(text, lanes)
        result = body(width, *[width.value(kind, f"%a{index}") for index, kind in enumerate(kinds)])
        full = width.full(result.type)
        text.do(f"ret {full} {result.operand}")
        params = (f"{width.full(kind)} %a{index}" for index, kind in enumerate(kinds))
        symbol = text.define_internal(full, f"{name}.x{lanes}", params, "alwaysinline nounwind memory(none)")
        return symbol, result.type
