"""Add two vectors with tensor expressions."""

from __future__ import annotations

import numpy as np

import tvmscript as tvm
from tvmscript import te

# 1. Define the computation: C = A + B
n = te.var("n")
A = te.placeholder((n,), name="A")
B = te.placeholder((n,), name="B")
C = te.compute(A.shape, lambda i: A[i] + B[i], name="C")

# 2. Schedule it: loops in order
s = te.create_schedule(C.op)

# 3. Build it
target = "llvm"
fadd = tvm.build(s, [A, B, C], target, name="matrix_add")

# 4. Run it
ctx = tvm.cpu(0)
n_value = 1024
a = tvm.nd.array(np.random.uniform(size=n_value).astype(A.dtype), ctx)
b = tvm.nd.array(np.random.uniform(size=n_value).astype(B.dtype), ctx)
c = tvm.nd.array(np.zeros(n_value, dtype=C.dtype), ctx)
fadd(a, b, c)

np.testing.assert_allclose(c.asnumpy(), a.asnumpy() + b.asnumpy())
print("Result matches with NumPy calculation.")
