# pass: tir.VectorizeLoop
@T.prim_func
def main(X: T.Buffer((16,), "float32x4")):
    for i in T.vectorized(4):
        X[i] = X[i] + T.Broadcast(T.float32(1), 4)

# after
# from tvm.script import tir as T

@T.prim_func
def main(X: T.Buffer((16,), "float32x4")):
    X[0:4] = X[0:4] + T.Broadcast(T.float32(1), 16)
