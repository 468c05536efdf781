# pass: tir.LowerOpaqueBlock
# differs from TVM: its text of virtual threads on an axis does not read back
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    for v in T.thread_binding(4, thread="vthread.x"):
        for tx in T.thread_binding(1, thread="threadIdx.x"):
            for i in range(4):
                A[v * 4 + i + tx] = T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    v = T.launch_thread("vthread.x", 4)
    tx = T.launch_thread("threadIdx.x", 1)
    for i in range(4):
        A[T.Add(v * 4 + i, 0)] = T.float32(1)
