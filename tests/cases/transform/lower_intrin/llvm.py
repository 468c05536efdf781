# pass: tir.LowerIntrin
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "int32")):
    T.func_attr({"target": T.target("llvm -mtriple=x86_64-unknown-linux-gnu")})
    for i in range(16):
        A[i] = T.exp(A[i]) + T.tan(A[i])
        A[i] = T.sigmoid(A[i]) * A[0] + A[1]
        A[i] = T.tanh(A[i]) - T.erf(A[i])
        B[i] = T.clz(B[i]) + T.popcount(B[i])
    A[0:4] = T.rsqrt(A[4:8] * A[4:8] + T.Broadcast(A[0], 4))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "int32")):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "tag": ""})})
    for i in range(16):
        A[i] = T.call_llvm_pure_intrin("float32", "llvm.exp", T.uint32(1), A[i]) + T.call_llvm_pure_intrin("float32", "llvm.sin", T.uint32(1), A[i]) / T.call_llvm_pure_intrin("float32", "llvm.cos", T.uint32(1), A[i])
        A[i] = T.call_llvm_pure_intrin("float32", "llvm.fmuladd", T.uint32(3), T.float32(1) / (T.float32(1) + T.call_llvm_pure_intrin("float32", "llvm.exp", T.uint32(1), T.float32(0) - A[i])), A[0], A[1])
        A[i] = T.Select(A[i] >= T.float32(0), (T.float32(1) - T.call_llvm_pure_intrin("float32", "llvm.exp", T.uint32(1), T.float32(-2) * A[i])) / (T.float32(1) + T.call_llvm_pure_intrin("float32", "llvm.exp", T.uint32(1), T.float32(-2) * A[i])), (T.call_llvm_pure_intrin("float32", "llvm.exp", T.uint32(1), T.float32(2) * A[i]) - T.float32(1)) / (T.call_llvm_pure_intrin("float32", "llvm.exp", T.uint32(1), T.float32(2) * A[i]) + T.float32(1))) - T.call_pure_extern("float32", "erff", A[i])
        B[i] = T.call_llvm_intrin("int32", "llvm.ctlz", T.uint32(2), B[i], T.int1(1)) + T.call_llvm_pure_intrin("int32", "llvm.ctpop", T.uint32(1), B[i])
    A[0:4] = T.Broadcast(T.float32(1), 4) / T.call_llvm_pure_intrin("float32x4", "llvm.sqrt", T.uint32(1), T.call_llvm_pure_intrin("float32x4", "llvm.fmuladd", T.uint32(3), A[4:8], A[4:8], T.Broadcast(A[0], 4)))
