# decorated
from tvmscript import T


def make(size):
    @T.prim_func
    def f(A: T.Buffer((16,), "float32")):
# a comment at the margin
        for i in range(size):
            A[i] = B[i]  # error: TS2003 "B"

    return f


make(4)

# output
error[TS2003]: B is not defined
  --> decorated_in_function.py:10:20
   |
10 |             A[i] = B[i]  # error: TS2003 "B"
   |                    ^
hint: assign it before its use, or add a parameter
