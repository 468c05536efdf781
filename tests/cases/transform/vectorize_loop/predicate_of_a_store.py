# pass: tir.VectorizeLoop
# differs from TVM: its parser has no predicates of stores
@T.prim_func
def main(A: T.Buffer((16,), "int32")):
    for i in T.vectorized(4):
        A.vstore([T.Ramp(i * 4, 1, 4)], T.Broadcast(3, 4), predicate=T.Broadcast(T.bool(True), 4))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "int32")):
    for i_s in range(4):
        A.vstore([T.Ramp(i_s * 4, 1, 4)], T.Broadcast(3, 4), predicate=T.Broadcast(T.bool(True), 4))
