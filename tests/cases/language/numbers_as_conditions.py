from tvmscript import T, tir


@T.prim_func
def program(A: T.Buffer((16,), "float32"), n: T.int32):
    T.int64()
    if (A[0] < 1.0) == 1:
        A[0] = 0.0
    if 0 == (n < 1):
        A[0] = 1.0
    if n:
        A[1] = 0.0
    elif n % 2:
        A[1] = 1.0
    while n - 1:
        A[2] = tir.ceildiv(255, 16)


EXPECTED = """
@T.prim_func
def program(A: T.Buffer((16,), "float32"), n: T.int32):
    if T.EQ(A[0] < T.float32(1), T.bool(True)):
        A[0] = T.float32(0)
    if T.EQ(T.bool(False), n < 1):
        A[0] = T.float32(1)
    if n != 0:
        A[1] = T.float32(0)
    else:
        if n % 2 != 0:
            A[1] = T.float32(1)
    while n - 1 != 0:
        A[2] = T.float32(16)
"""
