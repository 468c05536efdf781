"""The text of the C backend."""

from __future__ import annotations

from pathlib import Path

import pytest

import tvmscript
from tvmscript.backends.runtime.errors import NoSource


def text_of(program: str) -> str:
    """The C text of a program."""
    return tvmscript.build(tvmscript.from_source(program), target="c").get_source()


SOFTMAX = """
@T.prim_func
def softmax(a: T.handle, c: T.handle):
    T.func_attr({"global_symbol": "softmax", "tir.noalias": T.bool(True)})
    n = T.int32()
    A = T.match_buffer(a, (n, 16), "float32")
    C = T.match_buffer(c, (n, 16), "float32")
    assert n > 0, 'no "rows"'
    largest = T.alloc_buffer((1,), "float32")
    total = T.alloc_buffer((n,), "float32")
    for i in range(n):
        largest[0] = T.min_value("float32")
        total[i] = T.float32(0)
        for j in T.vectorized(16):
            largest[0] = T.max(largest[0], A[i, j])
        for j in range(16):
            C[i, j] = T.exp(A[i, j] - largest[0])
            total[i] += C[i, j]
    for i, j in T.grid(n, 16):
        C[i, j] = C[i, j] / total[i]
"""
SOFTMAX_IN_C = """\
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Memory for so many elements, NULL where there is none. */
static inline void *allocate(int64_t count, size_t size) {
    return (uint64_t)count > SIZE_MAX / size ? NULL : malloc(count == 0 ? size : (size_t)count * size);
}

static inline float max_float32(float a, float b) {
    return a > b ? a : b;
}

/* Returns NULL, or the message of what went wrong. */
const char *softmax(const float *restrict A, float *restrict C, int32_t n) {
    float *total = allocate(n, sizeof(float));
    if (total == NULL) {
        return "out of memory for the buffer total";
    }
    if (!(0 < n)) {
        free(total);
        return "no \\042rows\\042";
    }
    for (int32_t i = 0; i < n; ++i) {
        float largest[1];
        largest[0] = -3.4028235e+38f;
        total[i] = 0.0f;
        for (int32_t j = 0; j < 16; ++j) {
            largest[0] = max_float32(largest[0], A[(int64_t)i * 16 + j]);
        }
        for (int32_t j = 0; j < 16; ++j) {
            C[(int64_t)i * 16 + j] = expf(A[(int64_t)i * 16 + j] - largest[0]);
            total[i] = total[i] + C[(int64_t)i * 16 + j];
        }
    }
    for (int32_t i = 0; i < n; ++i) {
        for (int32_t j = 0; j < 16; ++j) {
            C[(int64_t)i * 16 + j] = C[(int64_t)i * 16 + j] / total[i];
        }
    }
    free(total);
    return NULL;
}
"""

MODULE = """
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def half(x: T.int32) -> T.int32:
        if x > 100:
            T.ret(x)
        T.ret(x // 2)

    @T.prim_func
    def main(A: T.Buffer((4,), "int32"), exp: T.int32, double: T.uint8):
        for i in range(4):
            with T.LetStmt(Module.half(A[i] - exp)) as half:
                A[i] = T.if_then_else(half > 3, T.call_pure_extern("int32", "abs", half), A[i] & 7)
            A[i] = A[i] + T.Cast("int32", double + T.uint8(200))
"""
MODULE_IN_C = """\
#include <stdint.h>
#include <stdlib.h>

/* The quotient, rounded down; divisors 0 and -1 do not trap. */
static inline int32_t floordiv_int32(int32_t a, int32_t b) {
    if (b == 0 || b == -1) {
        return b == 0 ? 0 : (int32_t)(0 - (uint32_t)a);
    }
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static int32_t half(int32_t x);

static int32_t half(int32_t x) {
    if (100 < x) {
        return x;
    }
    return floordiv_int32(x, 2);
}

void main_1(int32_t *A, int32_t exp_1, uint8_t double_1) {
    for (int32_t i = 0; i < 4; ++i) {
        {
            const int32_t half_1 = half((int32_t)((uint32_t)A[i] - (uint32_t)exp_1));
            A[i] = 3 < half_1 ? abs(half_1) : A[i] & 7;
        }
        A[i] = (int32_t)((uint32_t)A[i] + (uint32_t)(int32_t)(uint8_t)(double_1 + 200));
    }
}
"""


@pytest.mark.parametrize(
    ("program", "expected"), [(SOFTMAX, SOFTMAX_IN_C), (MODULE, MODULE_IN_C)], ids=["softmax", "module"]
)
def test_text(program: str, expected: str) -> None:
    assert text_of(program) == expected


def test_files(tmp_path: Path) -> None:
    module = tvmscript.build(tvmscript.from_source(SOFTMAX), target=tvmscript.target.Target("c"))
    assert (module.type_key, module.format, module.source_kinds) == ("c", "c", ("c",))
    module.save(str(tmp_path / "softmax.c"))
    assert (tmp_path / "softmax.c").read_text() == SOFTMAX_IN_C
    with pytest.raises(NoSource, match="kind 'o'"):
        module.save(str(tmp_path / "softmax.o"))
    with pytest.raises(NoSource, match="kind 'll'"):
        module.get_source("ll")


def test_lowered_for_c() -> None:
    """The input of the backend has no vectors, and its buffers have their names."""
    lowered = tvmscript.lower(tvmscript.from_source(SOFTMAX), "c").script()
    assert "total" in lowered
    assert "T.Ramp" not in lowered
