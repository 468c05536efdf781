# pass: tir.LowerIntrin
# differs from TVM: it has no text for constants of bfloat16
# values: not compared: both round intermediate results to bfloat16
# Functions of bfloat16 are computed in float32, with as many lanes.
@T.prim_func
def main(A: T.Buffer((16,), "bfloat16"), B: T.Buffer((16,), "bfloat16")):
    T.func_attr({"target": T.target("llvm")})
    for i in range(4):
        B[i] = T.sigmoid(A[i])
        B[4 + i] = T.exp10(A[4 + i])
    B[8:12] = T.tanh(A[8:12])
    B[12:16] = T.cosh(A[12:16])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "bfloat16"), B: T.Buffer((16,), "bfloat16")):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "llvm", "tag": ""})})
    for i in range(4):
        B[i] = T.bfloat16(1) / (T.bfloat16(1) + T.Cast("bfloat16", T.call_llvm_pure_intrin("float32", "llvm.exp", T.uint32(1), T.Cast("float32", T.bfloat16(0) - A[i]))))
        B[4 + i] = T.Cast("bfloat16", T.call_llvm_pure_intrin("float32", "llvm.exp", T.uint32(1), T.Cast("float32", A[4 + i] * T.bfloat16(2.3025850929999998))))
    B[8:12] = T.Select(A[8:12] >= T.Broadcast(T.bfloat16(0), 4), (T.Broadcast(T.bfloat16(1), 4) - T.Cast("bfloat16x4", T.call_llvm_pure_intrin("float32x4", "llvm.exp", T.uint32(1), T.Cast("float32x4", T.Broadcast(T.bfloat16(-2), 4) * A[8:12])))) / (T.Broadcast(T.bfloat16(1), 4) + T.Cast("bfloat16x4", T.call_llvm_pure_intrin("float32x4", "llvm.exp", T.uint32(1), T.Cast("float32x4", T.Broadcast(T.bfloat16(-2), 4) * A[8:12])))), (T.Cast("bfloat16x4", T.call_llvm_pure_intrin("float32x4", "llvm.exp", T.uint32(1), T.Cast("float32x4", T.Broadcast(T.bfloat16(2), 4) * A[8:12]))) - T.Broadcast(T.bfloat16(1), 4)) / (T.Cast("bfloat16x4", T.call_llvm_pure_intrin("float32x4", "llvm.exp", T.uint32(1), T.Cast("float32x4", T.Broadcast(T.bfloat16(2), 4) * A[8:12]))) + T.Broadcast(T.bfloat16(1), 4)))
    B[12:16] = (T.Cast("bfloat16x4", T.call_llvm_pure_intrin("float32x4", "llvm.exp", T.uint32(1), T.Cast("float32x4", A[12:16]))) + T.Cast("bfloat16x4", T.call_llvm_pure_intrin("float32x4", "llvm.exp", T.uint32(1), T.Cast("float32x4", T.Broadcast(T.bfloat16(-1), 4) * A[12:16])))) / T.Broadcast(T.bfloat16(2), 4)
