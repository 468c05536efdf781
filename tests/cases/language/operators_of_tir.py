from tvmscript import T, tir


@T.prim_func
def program(A: T.Buffer((200,), "float32")):
    A[T.Ramp(11, 2, 4 * tir.vscale())] = T.Broadcast(tir.exp(A[0]), 4 * tir.vscale())
    A[1] = tir.if_then_else(tir.floordiv(A.shape[0], 3) > 5, A[2], tir.const(2.0, "float32"))


EXPECTED = """
@T.prim_func
def program(A: T.Buffer((200,), "float32")):
    A[11:11 + T.vscale() * 4 * 2:2] = T.Broadcast(T.exp(A[0]), T.vscale() * 4)
    A[1] = T.if_then_else(T.GT(66, 5), A[2], T.float32(2))
"""
