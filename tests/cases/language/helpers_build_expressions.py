from tvmscript import T

lane = T.int32(3)


def poly(x, coefficients):
    total = T.float32(0)
    for c in coefficients:
        total = total * x + T.float32(c)
    return total


class Layout:
    def __init__(self, stride):
        self.stride = stride

    def __call__(self, i, j):
        return i * self.stride + j


at = Layout(4)


@T.prim_func
def program(A: T.Buffer((16,), "float32")):
    for i, j in T.grid(4, 4):
        A[at(i, j)] = poly(A[lane], [1, 2])
        A[(lambda x: x + 1)(j)] = T.max(A[i], A[j])


EXPECTED = """
@T.prim_func
def program(A: T.Buffer((16,), "float32")):
    for i, j in T.grid(4, 4):
        A[i * 4 + j] = A[3] + T.float32(2)
        A[j + 1] = T.max(A[i], A[j])
"""
