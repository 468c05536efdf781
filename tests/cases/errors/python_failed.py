# decorated
from tvmscript import T


def helper(x):
    return [1, 2][x]


@T.prim_func
def f(A: T.Buffer((16,), "float32")):
    A[helper(5)] = 1.0  # error: TS2029 "helper(5)"
