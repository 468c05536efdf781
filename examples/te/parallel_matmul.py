"""Multiply two matrices with tensor expressions, the rows in parallel."""

from __future__ import annotations

import numpy as np

import tvmscript as tvm
from tvmscript import te

# 1. Define the computation: C[i, j] = sum(A[i, k] * B[k, j] for k in range(K))
N = te.var("N")
M = te.var("M")
K = te.var("K")

A = te.placeholder((N, K), name="A")
B = te.placeholder((K, M), name="B")
C = te.compute((N, M), lambda i, j: te.sum(A[i, k] * B[k, j] for k in range(K)), name="C")

# 2. Schedule it: rows in parallel
s = te.create_schedule(C.op)
s[C].parallel(C.op.axis[0])

# 3. Build it
target = "llvm"
fmatmul = tvm.build(s, [A, B, C], target, name="matrix_multiply")

# 4. Run it
ctx = tvm.cpu(0)
N_value = 1024
M_value = 1024
K_value = 1024
a = tvm.nd.array(np.random.uniform(size=(N_value, K_value)).astype(A.dtype), ctx)
b = tvm.nd.array(np.random.uniform(size=(K_value, M_value)).astype(B.dtype), ctx)
c = tvm.nd.array(np.zeros((N_value, M_value), dtype=C.dtype), ctx)
fmatmul(a, b, c)

np_c = np.dot(a.asnumpy(), b.asnumpy())
np.testing.assert_allclose(c.asnumpy(), np_c, rtol=1e-5)
print("Matrix multiplication result matches with NumPy.")
