"""Real TVM builds and prints the same calls from the same text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import tvmscript

CALLS = """
T.exp(x)  T.exp(i)  T.sigmoid(x)  T.rsqrt(x)  T.erf(x)  T.abs(x)  T.abs(i)  T.abs(k)  T.ceil(x)  T.ceil(i)  T.round(x)
T.nearbyint(x)  T.trunc(x)  T.isnan(x)  T.isnan(h)  T.isinf(x)  T.isfinite(x)  T.clz(k)  T.popcount(i)  T.pow(x, y)
T.pow(x, T.float64(2.0))  T.atan2(x, y)  T.hypot(x, y)  T.copysign(x, y)  T.fmod(x, y)  T.ldexp(x, i)  T.nextafter(x, y)
T.q_multiply_shift(i, j, 31, 2)  T.bitwise_and(i, j)  T.shift_left(i, k)  T.shift_right(i, 3)  T.bitwise_not(i)
T.if_then_else(i > j, x, y)  T.if_then_else(i > j, i, k)  T.likely(i > j)  T.assume(i > j)  T.min(i, k)  T.max(x, y)
T.truncdiv(i, j)  T.truncmod(i, j)  T.floordiv(i, j)  T.floormod(i, j)  T.ceildiv(i, j)  T.ceildiv(i, 4)
T.reinterpret("float32", i)  T.reinterpret("int32", x)  T.call_extern("float32", "f", x, 1)
T.call_packed("g", x, "text")  T.cast(x, "int32")
T.call_pure_extern("float32", "sinf", x)  T.max_value("float16")  T.min_value("int8")  T.infinity("float32")  T.undef()
T.tvm_thread_invariant(i > j)  T.tvm_tuple(i, x)  T.tvm_storage_sync("shared")  T.tvm_warp_activemask()  T.vscale()
T.vectorlow("float32x2", T.Broadcast(x, 4))  T.vectorcombine("float32x8", T.Broadcast(x, 4), T.Broadcast(y, 4))
T.tvm_struct_get(p, 0, 1, "handle")  T.tvm_struct_set(p, 0, 1, x)  T.isnullptr(p)  T.address_of(A[i])
T.tvm_access_ptr(T.type_annotation("float32"), A.data, 0, 16, 1)  T.start_profile_intrinsic(3)  T.ptx_wait_group(0)
T.tvm_stack_alloca("shape", 4)  T.tvm_throw_last_error()  T.mma_fill("float32", 8, p, 0)  T.create_barriers(2)
T.ptx_ldmatrix("float16", T.bool(False), 4, ".b16", p, 0, p, 0)  T.tvm_warp_shuffle(T.uint32(1), x, i, 32, 32)
""".replace("\n", "  ").split("  ")


def program(calls: Sequence[str]) -> str:
    lines = [f"    T.evaluate({call})" for call in calls if call]
    scalars = "x: T.float32, y: T.float32, h: T.float16, i: T.int32, j: T.int32, k: T.int64"
    head = f"@T.prim_func\ndef main(p: T.handle, {scalars}"
    return f"{head}, A: T.Buffer((16,), 'float32')):\n" + "\n".join(lines) + "\n"


@pytest.mark.oracle
def test_calls_print_as_in_tvm(oracle: Any) -> None:
    source = program(CALLS)
    assert len(source.splitlines()) > 70
    assert tvmscript.from_source(source).script().splitlines() == oracle.print(source).splitlines()
