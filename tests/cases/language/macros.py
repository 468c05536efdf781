from tvmscript import T

STEP = 3


@T.macro
def advance(A, i, value):
    x = i + STEP
    A[x] = A[x] + value


@T.macro(hygienic=False)
def clear(i):
    A[i] = 0.0


@T.prim_func
def program(A: T.Buffer((16,), "float32")):
    STEP = T.meta_var(7)
    for i in range(4):
        clear(i + STEP)
        advance(A, i, value=A[i])
        advance(A, i, 1.0)


EXPECTED = """
@T.prim_func
def program(A: T.Buffer((16,), "float32")):
    for i in range(4):
        A[i + 7] = 0.0
        x: T.int32 = i + 3
        A[x] = A[x] + A[i]
        x_1: T.int32 = i + 3
        A[x_1] = A[x_1] + T.float32(1)
"""
