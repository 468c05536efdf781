# decorated
from tvmscript import T


def helper(x):
    return [1, 2][x]


@T.prim_func
def f(A: T.Buffer((16,), "float32")):
    A[helper(5)] = 1.0  # error: TS2029 "helper(5)"

# output
error[TS2029]: helper raised IndexError: list index out of range
  --> python_failed.py:11:7
   |
11 |     A[helper(5)] = 1.0  # error: TS2029 "helper(5)"
   |       ^^^^^^^^^
