"""Calls of intrinsics: control, bits, vectors, pointers, functions of C and of LLVM."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NoReturn

from tvmscript.backends.llvm.codegen.codegen import on, operators
from tvmscript.backends.llvm.codegen.memory import Memory
from tvmscript.backends.llvm.errors import NotSupportedByLLVM
from tvmscript.backends.llvm.types import element_bytes, integer_constant, is_encoded, memory_type, value_type
from tvmscript.ir.core.dtype import FLOAT32, FLOAT64, INT64, DType
from tvmscript.ir.core.op import Op
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir.base import Expr

#: A value where there is none: the result of calls for effect.
NOTHING = ""

_BITWISE = {"bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor"}
#: Roundings and others that LLVM has as one instruction or expands exactly, scalar and vector.
_EXACT = {
    "sqrt": "llvm.sqrt",
    "floor": "llvm.floor",
    "ceil": "llvm.ceil",
    "trunc": "llvm.trunc",
    "round": "llvm.round",
    "nearbyint": "llvm.roundeven",
    "fabs": "llvm.fabs",
}
#: Hints that a CPU kernel may ignore.
_IGNORED = ("assume", "start_profile_intrinsic", "end_profile_intrinsic", "tvm_storage_sync", "prefetch")
#: For looking at a program while it runs.
_INTERPRETED = ("tir.print", "tir.breakpoint")


class Intrinsics(Memory, ABC):
    """Expressions with calls of intrinsics."""

    @on(tir.Call)
    def _call(self, node: tir.Call) -> str:
        op = node.op
        if not isinstance(op, Op):
            return self.call_function(node)
        rule = self.calls.get(op.name)
        if rule is None:
            hint = 'only the interpreter has it: target="interp"' if op.name in _INTERPRETED else None
            raise NotSupportedByLLVM(what=f"the operator {op.name}", span=node.span, hint=hint)
        operand: str = rule(self, node)
        return operand

    def refuse(self, what: str, node: tir.Call) -> NoReturn:
        """Raise `NotSupportedByLLVM`."""
        raise NotSupportedByLLVM(what=what, span=node.span)

    def call_function(self, node: tir.Call) -> str:
        """A call of another function of the module."""
        raise NotSupportedByLLVM(what=f"a call of {node.op!r}", span=node.span)

    @operators("if_then_else")
    def _choose(self, node: tir.Call) -> str:
        return self.choose(node.args[0], node.args[1], node.args[2])

    @operators("likely", "tvm_thread_invariant")
    def _first(self, node: tir.Call) -> str:
        return self.expr(node.args[0])

    @operators(*_IGNORED)
    def _nothing(self, node: tir.Call) -> str:
        return integer_constant(node.dtype, 0) if node.dtype.is_integer else NOTHING

    @operators("undef")
    def _undefined(self, node: tir.Call) -> str:
        return self.text.value(f"freeze {value_type(node.dtype)} poison")

    @operators(**_BITWISE)
    def _bitwise(self, node: tir.Call, op: str) -> str:
        a, b = self.expr(node.args[0]), self.expr(node.args[1])
        return self.text.value(f"{op} {value_type(node.dtype)} {a}, {b}")

    @operators("bitwise_not")
    def _complement(self, node: tir.Call) -> str:
        ones = 1 if node.dtype.is_bool else -1
        a = self.expr(node.args[0])
        return self.text.value(f"xor {value_type(node.dtype)} {a}, {integer_constant(node.dtype, ones)}")

    def _shift(self, node: tir.Call, op: str) -> str:
        dtype = node.dtype
        a, amount = self.expr(node.args[0]), self.expr(node.args[1])
        shifted = self.text.value(f"{op} {value_type(dtype)} {a}, {amount}")
        low, high = self.ranges.of(node.args[1])
        # An amount outside of the dtype has no meaning, but must not make the compiler drop what follows.
        if low >= 0 and high < dtype.bits:
            return shifted
        return self.text.value(f"freeze {value_type(dtype)} {shifted}")

    @operators("shift_left")
    def _shift_left(self, node: tir.Call) -> str:
        return self._shift(node, "shl")

    @operators("shift_right")
    def _shift_right(self, node: tir.Call) -> str:
        return self._shift(node, "ashr" if node.dtype.is_signed else "lshr")

    @operators("popcount", "ctpop")
    def _popcount(self, node: tir.Call) -> str:
        return self.overloaded("llvm.ctpop", node.dtype, [self.expr(node.args[0])])

    @operators("clz")
    def _leading_zeros(self, node: tir.Call) -> str:
        dtype = node.args[0].dtype
        count = self.overloaded("llvm.ctlz", dtype, [self.expr(node.args[0])], ", i1 false")
        unsigned = DType(f"uint{dtype.bits}").with_lanes(dtype.lanes)
        return self.convert.cast(count, unsigned, node.dtype)

    @operators("reinterpret")
    def _reinterpret(self, node: tir.Call) -> str:
        return self.reinterpreted(self.expr(node.args[0]), node.args[0].dtype, node.dtype)

    def reinterpreted(self, operand: str, source: DType, target: DType) -> str:
        """The same bits as a value of another dtype."""
        if source.is_handle or target.is_handle:
            return self.convert.cast(operand, source, target)
        before, after = value_type(source), value_type(target)
        return operand if before == after else self.text.value(f"bitcast {before} {operand} to {after}")

    @operators("large_uint_imm")
    def _large_uint(self, node: tir.Call) -> str:
        low, high = node.args
        if isinstance(low, tir.IntImm) and isinstance(high, tir.IntImm):
            return str((high.value << 32) | (low.value & 0xFFFFFFFF))
        raise NotSupportedByLLVM(what="large_uint_imm of values that are no constants", span=node.span)

    @operators("q_multiply_shift")
    def _multiply_shift(self, node: tir.Call) -> str:
        """round(x * y * 2 ** (s - q)), with 64-bit intermediates."""
        x, y, q, s = (self._int64(arg) for arg in node.args)
        kind = value_type(INT64.with_lanes(node.dtype.lanes))
        zero = integer_constant(INT64.with_lanes(node.dtype.lanes), 0)
        wide = INT64.with_lanes(node.dtype.lanes)
        left = self.overloaded("llvm.smax", wide, [s, zero])
        back = self.overloaded("llvm.smax", wide, [self.text.value(f"sub {kind} {zero}, {s}"), zero])
        shift = self.text.value(f"add {kind} {q}, {back}")
        return self._rounded_product(self.text.value(f"shl {kind} {x}, {left}"), y, shift, node.dtype)

    @operators("q_multiply_shift_per_axis")
    def _multiply_shift_per_axis(self, node: tir.Call) -> str:
        x, y, left, right, q, has_left, has_right = (self._int64(arg) for arg in node.args)
        wide = INT64.with_lanes(node.dtype.lanes)
        kind, zero = value_type(wide), integer_constant(wide, 0)
        flags = wide.lanes
        more = self.text.value(f"icmp ne {kind} {has_left}, {zero}")
        shifted = self.select(more, self.text.value(f"shl {kind} {x}, {left}"), x, wide, flags)
        less = self.text.value(f"icmp ne {kind} {has_right}, {zero}")
        shift = self.text.value(f"add {kind} {q}, {self.select(less, right, zero, wide, flags)}")
        return self._rounded_product(shifted, y, shift, node.dtype)

    def _int64(self, node: Expr) -> str:
        return self.convert.cast(self.expr(node), node.dtype, INT64.with_lanes(node.dtype.lanes))

    def _rounded_product(self, x: str, y: str, shift: str, dtype: DType) -> str:
        wide = INT64.with_lanes(dtype.lanes)
        kind, one = value_type(wide), integer_constant(wide, 1)
        product = self.text.value(f"mul {kind} {x}, {y}")
        half = self.text.value(f"shl {kind} {one}, {self.text.value(f'sub {kind} {shift}, {one}')}")
        total = self.text.value(f"ashr {kind} {self.text.value(f'add {kind} {product}, {half}')}, {shift}")
        return self.convert.cast(total, wide, dtype)

    @operators(**_EXACT)
    def _exact(self, node: tir.Call, intrinsic: str) -> str:
        operand = self.expr(node.args[0])
        return operand if node.dtype.is_integer else self.float_unary(intrinsic, operand, node.dtype)

    @operators("copysign")
    def _copysign(self, node: tir.Call) -> str:
        return self._wide_call("llvm.copysign", node)

    @operators("fma")
    def _fma(self, node: tir.Call) -> str:
        if node.dtype.is_integer:
            a, b, c = (self.expr(arg) for arg in node.args)
            kind = value_type(node.dtype)
            return self.text.value(f"add {kind} {self.text.value(f'mul {kind} {a}, {b}')}, {c}")
        if node.dtype.bits < 32:
            # The product of two narrow floats is exact in a double; odd rounding makes the second rounding harmless.
            wide = FLOAT64.with_lanes(node.dtype.lanes)
            a, b, c = (self.convert.cast(self.expr(arg), arg.dtype, wide) for arg in node.args)
            return self.convert.cast(self.overloaded("llvm.fma", wide, [a, b, c]), wide, node.dtype)
        return self._wide_call("llvm.fma", node)

    def _wide_call(self, intrinsic: str, node: tir.Call) -> str:
        """An LLVM intrinsic of several floats, in float32 for the narrow ones."""
        dtype = node.dtype
        wide = FLOAT32.with_lanes(dtype.lanes) if is_encoded(dtype) else dtype
        operands = [self.convert.cast(self.expr(arg), arg.dtype, wide) for arg in node.args]
        return self.convert.cast(self.overloaded(intrinsic, wide, operands), wide, dtype)

    @operators(isnan="uno", isinf="oeq", isfinite="one")
    def _classify(self, node: tir.Call, which: str) -> str:
        """isnan, isinf, isfinite by what `which` says: a predicate against the infinite magnitude."""
        dtype = node.args[0].dtype
        operand = self.expr(node.args[0])
        if dtype.is_integer:
            return integer_constant(node.dtype, int(which == "one"))
        if which == "uno":
            return self.compare("fcmp uno", operand, operand, dtype)
        wide = FLOAT32.with_lanes(dtype.lanes) if is_encoded(dtype) else dtype
        magnitude = self.overloaded("llvm.fabs", wide, [self.convert.cast(operand, dtype, wide)])
        return self.compare(f"fcmp {which}", magnitude, self.float_value(wide, float("inf")), wide)

    @operators(vectorlow=0, vectorhigh=1)
    def _half(self, node: tir.Call, start: int) -> str:
        vector = node.args[0]
        lanes = node.dtype.lanes
        order = ", ".join(f"i32 {lane}" for lane in range(start * lanes, start * lanes + lanes))
        kind = value_type(vector.dtype)
        picked = f"shufflevector {kind} {self.expr(vector)}, {kind} poison, <{lanes} x i32> <{order}>"
        if lanes > 1:
            return self.text.value(picked)
        return self.text.value(f"extractelement {kind} {self.expr(vector)}, i32 {start}")

    @operators("vectorcombine")
    def _combine(self, node: tir.Call) -> str:
        if node.args[0].dtype.lanes == 1:
            return self.gathered([self.expr(arg) for arg in node.args], node.dtype)
        order = ", ".join(f"i32 {lane}" for lane in range(node.dtype.lanes))
        a, b = (self.typed(arg) for arg in node.args)
        return self.text.value(f"shufflevector {a}, {b}, <{node.dtype.lanes} x i32> <{order}>")

    @operators("get_active_lane_mask")
    def _lane_mask(self, node: tir.Call) -> str:
        base, limit = node.args
        wide = base.dtype.with_lanes(node.dtype.lanes)
        # Without wrapping around: lane k counts where k < limit - base.
        kind = value_type(wide)
        lanes = self.ramp("0", tir.IntImm(base.dtype, 1), wide)
        sign = "s" if base.dtype.is_signed else "u"
        low, high = self.expr(base), self.expr(limit)
        scalar = value_type(base.dtype)
        some = self.text.value(f"icmp {sign}lt {scalar} {low}, {high}")
        left = self.text.value(
            f"select i1 {some}, {scalar} {self.text.value(f'sub {scalar} {high}, {low}')}, {scalar} 0"
        )
        return self.text.value(f"icmp ult {kind} {lanes}, {self.splat(left, wide)}")

    @operators("address_of")
    def _address_of(self, node: tir.Call) -> str:
        load = node.args[0]
        if isinstance(load, tir.BufferLoad):
            return self.place(load.buffer, load.indices, load.dtype).pointer
        raise NotSupportedByLLVM(what="address_of of something that is no element of a buffer", span=node.span)

    @operators("isnullptr")
    def _is_null(self, node: tir.Call) -> str:
        return self.text.value(f"icmp eq ptr {self.expr(node.args[0])}, null")

    @operators("tvm_access_ptr")
    def _access_pointer(self, node: tir.Call) -> str:
        kind, data, offset = node.args[:3]
        element = memory_type(kind.dtype)
        scale = f"[{kind.dtype.lanes} x {memory_type(kind.dtype.element)}]" if kind.dtype.lanes > 1 else element
        return self.text.value(f"getelementptr {scale}, ptr {self.expr(data)}, {self.typed(offset)}")

    @operators("ret")
    def _return(self, node: tir.Call) -> str:
        if self.is_nested:
            self.refuse("T.ret inside of a parallel loop", node)
        value = node.args[0]
        operand = self.expr(value)
        self.text.do(f"store {value_type(value.dtype)} {operand}, ptr %result, align {element_bytes(value.dtype)}")
        self.returned = value.dtype
        self.leave("0")
        self.text.place(self.text.label("after"))
        return NOTHING

    #: dtype of what the function returns, once a return was written
    returned: DType | None = None

    @property
    def is_nested(self) -> bool:
        """Whether this is a part of a function that cannot return from it."""
        return False

    @abstractmethod
    def leave(self, status: str) -> None:
        """Return from the function with this status."""

    @operators("call_extern", "call_pure_extern")
    def _extern(self, node: tir.Call) -> str:
        name, *args = node.args
        if not isinstance(name, tir.StringImm):
            raise NotSupportedByLLVM(what="call_extern of a name that is no constant", span=node.span)
        kinds = ", ".join(value_type(arg.dtype) for arg in args)
        result = "void" if node.dtype.code == "void" else value_type(node.dtype)
        symbol = self.program.text.declare(name.value, f"{result} {{}}({kinds})")
        call = f"call {result} ({kinds}) {symbol}({', '.join(self.typed(arg) for arg in args)})"
        if result == "void":
            self.text.do(call)
            return NOTHING
        return self.text.value(call)

    @operators("call_llvm_intrin", "call_llvm_pure_intrin")
    def _llvm_intrinsic(self, node: tir.Call) -> str:
        """`call_llvm_intrin("llvm.fma", ...)`: LLVM completes the names of other overloads."""
        name, *args = node.args
        if not isinstance(name, tir.StringImm) or not name.value.startswith("llvm."):
            raise NotSupportedByLLVM(what="an LLVM intrinsic that is not given by its name", span=node.span)
        if args and isinstance(args[0], tir.IntImm) and args[0].dtype == "uint32" and len(args) > 1:
            args = args[1:]  # TVM writes the number of arguments first
        kinds = [value_type(arg.dtype) for arg in args]
        result = "void" if node.dtype.code == "void" else value_type(node.dtype)
        full = name.value
        if node.dtype.code != "void" and not full.startswith(
            ("llvm.x86.", "llvm.aarch64.", "llvm.arm.", "llvm.riscv.")
        ):
            lanes = f"v{node.dtype.lanes}" if node.dtype.lanes > 1 else ""
            suffix = f"{lanes}{'i' if node.dtype.is_integer else 'f'}{node.dtype.bits}"
            full = full if full.endswith(suffix) else f"{full}.{suffix}"
        symbol = self.program.text.declare(full, f"{result} {{}}({', '.join(kinds)})")
        call = f"call {result} {symbol}({', '.join(self.typed(arg) for arg in args)})"
        if result == "void":
            self.text.do(call)
            return NOTHING
        return self.text.value(call)

    @operators("atomic_add")
    def _atomic_add(self, node: tir.Call) -> str:
        pointer, value = node.args[0], node.args[1]
        op = "fadd" if value.dtype.is_floating else "add"
        operands = f"ptr {self.expr(pointer)}, {self.typed(value)}"
        return self.text.value(f"atomicrmw {op} {operands} monotonic, align {element_bytes(value.dtype)}")
