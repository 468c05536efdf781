"""Numbers of NumPy that Python code captures are constants."""

import numpy as np

from tvmscript import T

N, SHAPE, SCALE = np.int64(4), np.array([4, 8]), np.float32(2.5)


@T.prim_func
def program(A: T.Buffer((SHAPE[0], SHAPE[1]), "float32")):
    for i in range(N):
        for j in T.serial(np.prod(SHAPE) // N):
            A[i, j] = A[i, j] * SCALE + np.float32(1)


EXPECTED = """
@T.prim_func
def program(A: T.Buffer((4, 8), "float32")):
    for i in range(4):
        for j in range(8):
            A[i, j] = A[i, j] * T.float32(2.5) + T.float32(1)
"""
