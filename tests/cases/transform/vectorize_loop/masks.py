# pass: tir.VectorizeLoop(has_masks=True)
# differs from TVM: the oracle is from before 0.17.0, which has masks; 0.27 gives the same for all but what is said here
# The first four are masked. The last ones need their condition: an element is not at the place of its lane, the limit
# is on the wrong side, something is divided by what is loaded, there are two conditions (0.27 loses the inner one), a
# call does something (0.27 calls it without asking), there is something else to do.
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), C: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(4):
        for j in T.vectorized(4):
            if i * 4 + j < 14:
                B[i * 4 + j] = A[j + 4 * i] + T.float32(1)
    for j in T.vectorized(4):
        if j < n:
            B[j + 0] = T.exp(A[j])
            B[j] = B[j] * T.float32(2)
    for j in T.vectorized(4):
        if j + 8 < n:
            x: T.float32 = A[j + 8]
            B[j + 8] = x + x
    for j in T.vectorized(4):
        if j < n:
            for k in range(3):
                B[j] = B[j] + T.Cast("float32", k)
    for j in T.vectorized(4):
        if j < n:
            B[j] = A[j + 4]
    for j in T.vectorized(4):
        if n > j:
            B[j] = A[j]
    for j in T.vectorized(4):
        if j < n:
            C[j] = 10 // C[j]
    for j in T.vectorized(4):
        if j < n:
            if j < 3:
                B[j] = A[j]
    for j in T.vectorized(4):
        if j < n:
            B[j] = A[j]
            T.evaluate(T.tvm_storage_sync("shared"))
    for j in T.vectorized(4):
        if j < n:
            B[j] = A[j]
        else:
            B[j] = T.float32(0)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), C: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(4):
        B.vstore([T.Ramp(i * 4, 1, 4)], A.vload([T.Ramp(4 * i, 1, 4)], predicate=T.get_active_lane_mask("boolx4", i * 4, 14)) + T.Broadcast(T.float32(1), 4), predicate=T.get_active_lane_mask("boolx4", i * 4, 14))
    B.vstore([T.Ramp(0, 1, 4)], T.exp(A.vload([T.Ramp(0, 1, 4)], predicate=T.get_active_lane_mask("boolx4", 0, n))), predicate=T.get_active_lane_mask("boolx4", 0, n))
    B.vstore([T.Ramp(0, 1, 4)], B.vload([T.Ramp(0, 1, 4)], predicate=T.get_active_lane_mask("boolx4", 0, n)) * T.Broadcast(T.float32(2), 4), predicate=T.get_active_lane_mask("boolx4", 0, n))
    with T.LetStmt(A.vload([T.Ramp(8, 1, 4)], predicate=T.get_active_lane_mask("boolx4", 8, n))) as x:
        B.vstore([T.Ramp(8, 1, 4)], x + x, predicate=T.get_active_lane_mask("boolx4", 8, n))
    for k in range(3):
        B.vstore([T.Ramp(0, 1, 4)], B.vload([T.Ramp(0, 1, 4)], predicate=T.get_active_lane_mask("boolx4", 0, n)) + T.Broadcast(T.Cast("float32", k), 4), predicate=T.get_active_lane_mask("boolx4", 0, n))
    for j_s in range(4):
        if j_s < n:
            B[j_s] = A[j_s + 4]
    for j_s in range(4):
        if n > j_s:
            B[j_s] = A[j_s]
    for j_s in range(4):
        if j_s < n:
            C[j_s] = 10 // C[j_s]
    for j_s in range(4):
        if j_s < n:
            if j_s < 3:
                B[j_s] = A[j_s]
    for j_s in range(4):
        if j_s < n:
            B[j_s] = A[j_s]
            T.tvm_storage_sync("shared")
    for j_s in range(4):
        if j_s < n:
            B[j_s] = A[j_s]
        else:
            B[j_s] = T.float32(0)
