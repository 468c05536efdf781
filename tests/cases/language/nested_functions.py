from tvmscript import T

FACTOR = 2.0


@T.prim_func
def program(A: T.Buffer((16,), "float32"), n: T.int32):
    def scale(i, by=FACTOR, *more):
        A[i] = A[i] * by
        for offset in more:
            A[i + offset] = by

    @T.macro(hygienic=False)
    def here(i):
        A[i] = A[i] + last

    scale(0)
    scale(n, 3.0, 1, 2)
    last = T.meta_var(A[15])
    here(n)


EXPECTED = """
@T.prim_func
def program(A: T.Buffer((16,), "float32"), n: T.int32):
    A[0] = A[0] * T.float32(2)
    A[n] = A[n] * T.float32(3)
    A[n + 1] = T.float32(3)
    A[n + 2] = T.float32(3)
    A[n] = A[n] + A[15]
"""
