# decorated
from tvmscript import I, T


@I.ir_module
class Module:
    @T.prim_func
    def f(A: T.Buffer((16,), "float32")):
        A[0, 1] = 1.0  # error: TS1005 "A[0, 1]"
