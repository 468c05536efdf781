@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    for x0 in (0, 1, 2, 3, 4, 5, 6, 7):
        for x1 in (0, 1, 2, 3, 4, 5, 6, 7):
            for x2 in (0, 1, 2, 3, 4, 5, 6, 7):
                for x3 in (0, 1, 2, 3, 4, 5, 6, 7):
                    for y in (0, 1, 2, 3, 4, 5, 6, 7):  # error: TS2026 "for y"
                        A[y] = 1.0
