# pass: tir.VectorizeLoop
# differs from TVM: the oracle takes the target of a context
# values: not compared: the length of vectors is not known
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    T.func_attr({"target": T.target("llvm -mtriple=aarch64-linux-gnu -mattr=+v8.2a,+sve")})
    for i in T.vectorized(4 * T.vscale()):
        A[i] = A[i] + n

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    T.func_attr({"target": T.target({"keys": ["arm_cpu", "cpu"], "kind": "llvm", "mattr": ["+v8.2a", "+sve"], "mtriple": "aarch64-linux-gnu", "tag": ""})})
    A[0:T.vscale() * 4] = A[0:T.vscale() * 4] + T.Broadcast(n, T.vscale() * 4)
