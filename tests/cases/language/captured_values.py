import math

from tvmscript import T

N = 4
SIZES = [2, 3]
TABLE = {"scale": 2.5}


class Config:
    lanes = 8


def shifted(x, by=1):
    return x + by


def rows(buffer):
    return buffer.shape[0]


@T.prim_func
def program(A: T.Buffer((N, Config.lanes), "float32"), B: T.Buffer(tuple(SIZES), "float32")):
    for i in range(N):
        A[i, 0] = T.float32(math.floor(3.7)) * B[0, 0]
        A[i, shifted(i)] = TABLE["scale"]
        A[i, shifted(i, by=2)] = float("inf")
    for size in SIZES:
        A[size, 0] = float(size)
    for index, (a, b) in enumerate(zip(SIZES, [x * 10 for x in SIZES])):
        A[index, a] = float(b)
    if len(SIZES) == 2:
        A[0, max(SIZES)] = float(sum({s for s in SIZES}))
    else:
        A[0, 0] = 100.0
    A[int(f"{N - 1}"), 0] = float(rows(A))
    for k in range(min(SIZES)):
        A[k, 0] = 1.0 if k == 0 else 2.0


EXPECTED = """
@T.prim_func
def program(A: T.Buffer((4, 8), "float32"), B: T.Buffer((2, 3), "float32")):
    for i in range(4):
        A[i, 0] = T.float32(3) * B[0, 0]
        A[i, i + 1] = T.float32(2.5)
        A[i, i + 2] = T.float32("inf")
    A[2, 0] = T.float32(2)
    A[3, 0] = T.float32(3)
    A[0, 2] = T.float32(20)
    A[1, 3] = T.float32(30)
    A[0, 3] = T.float32(5)
    A[3, 0] = T.float32(4)
    for k in range(2):
        A[k, 0] = T.if_then_else(k == 0, T.float32(1), T.float32(2))
"""
