# pass: tir.LowerIntrin
@T.prim_func
def main(A: T.Buffer((16,), "float32"), H: T.Buffer((16,), "float16"), B: T.Buffer((16,), "int32"), S: T.Buffer((16,), "int8")):
    T.func_attr({"target": T.target("llvm -mtriple=x86_64-unknown-linux-gnu")})
    A[0:4] = A[4:8] + T.Broadcast(T.Cast("float32", H[0]), 4) * A[0:4]
    B[0:4] = T.Broadcast(T.Cast("int32", S[0]), 4) * B[0:4] + B[4:8]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), H: T.Buffer((16,), "float16"), B: T.Buffer((16,), "int32"), S: T.Buffer((16,), "int8")):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "tag": ""})})
    A[0:4] = T.call_llvm_pure_intrin("float32x4", "llvm.fmuladd", T.uint32(3), T.Cast("float32x4", T.Broadcast(H[0], 4)), A[0:4], A[4:8])
    B[0:4] = T.Cast("int32x4", T.Broadcast(S[0], 4)) * B[0:4] + B[4:8]
