# pass: tir.LowerOpaqueBlock
# differs from TVM: its threads of this tag are those of a device from here on
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8,), "int32")):
    for v in T.thread_binding(2, thread="cthread"):
        for i in range(4):
            A[v * 4 + i] = i

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8,), "int32")):
    v = T.launch_thread("cthread", 2)
    for i in range(4):
        A[v * 4 + i] = i
