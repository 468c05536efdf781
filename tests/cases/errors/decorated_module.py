# decorated
from tvmscript import I, T


@I.ir_module
class Module:
    @T.prim_func
    def f(A: T.Buffer((16,), "float32")):
        A[0, 1] = 1.0  # error: TS1005 "A[0, 1]"

# output
error[TS1005]: buffer A has 1 dimensions, but 2 indices are given
 --> decorated_module.py:9:9
  |
9 |         A[0, 1] = 1.0  # error: TS1005 "A[0, 1]"
  |         ^^^^^^^
hint: write one index for each dimension
