# pass: tir.VectorizeLoop
# differs from TVM: the oracle takes the target of a context
# values: not compared: the length of vectors is not known
@T.prim_func
def main(V: T.Buffer((64,), "int32x4")):
    T.func_attr({"target": T.target("llvm -mtriple=aarch64-linux-gnu -mattr=+v8.2a,+sve")})
    for i in T.vectorized(4 * T.vscale()):
        V[i] = V[i] + T.Broadcast(1, 4)

# after
# from tvm.script import tir as T

@T.prim_func
def main(V: T.Buffer((64,), "int32x4")):
    T.func_attr({"target": T.target({"keys": ["arm_cpu", "cpu"], "kind": "llvm", "mattr": ["+v8.2a", "+sve"], "mtriple": "aarch64-linux-gnu", "tag": ""})})
    for i_s in range(T.vscale() * 4):
        V[i_s] = V[i_s] + T.Broadcast(1, 4)
