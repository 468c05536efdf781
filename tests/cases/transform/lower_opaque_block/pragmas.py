# pass: tir.LowerOpaqueBlock
# differs from TVM: its attributes of a loop name the loop variable outside of the loop
@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    for i in T.serial(4, annotations={"pragma_unroll_explicit": 1, "pragma_auto_unroll_max_step": 16, "other": "x"}):
        for j in T.serial(1, annotations={"kept": 2}):
            for k in range(4):
                with T.block():
                    T.reads()
                    T.writes(A[i * 4 + k])
                    T.block_attr({"pragma_hint": "fast", "dropped": 1})
                    A[i * 4 + k + j] = T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    T.attr(0, "pragma_auto_unroll_max_step", 16)
    T.attr(0, "pragma_unroll_explicit", 1)
    for i in T.serial(4, annotations={"other": "x"}):
        for j in T.serial(1, annotations={"kept": 2}):
            for k in range(4):
                T.attr(0, "pragma_hint", "fast")
                A[i * 4 + k + j] = T.float32(1)
