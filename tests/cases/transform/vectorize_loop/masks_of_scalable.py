# pass: tir.VectorizeLoop
# differs from TVM: the oracle is from before 0.17.0, which has masks
# values: not compared: the length of vectors is not known
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    T.attr(T.target("llvm -mtriple=aarch64-linux-gnu -mattr=+v8.2a,+sve"), "target", 0)
    for i in range(T.ceildiv(14, 4 * T.vscale())):
        for j in T.vectorized(4 * T.vscale()):
            if i * 4 * T.vscale() + j < 14:
                B[i * 4 * T.vscale() + j] = A[i * 4 * T.vscale() + j] + T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    T.attr(T.target({"keys": ["arm_cpu", "cpu"], "kind": "llvm", "mattr": ["+v8.2a", "+sve"], "mtriple": "aarch64-linux-gnu", "tag": ""}), "target", 0)
    for i in range((14 + 4 * T.vscale() - 1) // (4 * T.vscale())):
        B.vstore([T.Ramp(i * 4 * T.vscale(), 1, T.vscale() * 4)], A.vload([T.Ramp(i * 4 * T.vscale(), 1, T.vscale() * 4)], predicate=T.get_active_lane_mask("boolxvscalex4", i * 4 * T.vscale(), 14)) + T.Broadcast(T.float32(1), T.vscale() * 4), predicate=T.get_active_lane_mask("boolxvscalex4", i * 4 * T.vscale(), 14))
