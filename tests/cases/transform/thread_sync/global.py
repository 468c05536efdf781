# pass: tir.ThreadSync("global")
# a barrier of all blocks, which is set up before the launch
# values: not compared: the interpreter runs blocks one after the other
@T.prim_func
def main(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    C = T.allocate([1024], "float32", "global")
    bx = T.launch_thread("blockIdx.x", 8)
    tx = T.launch_thread("threadIdx.x", 128)
    C1 = T.Buffer((1024,), data=C)
    C1[tx + bx * 128] = A[tx]
    B[tx] = C1[127 - tx]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    C1 = T.allocate([1024], "float32", "global")
    T.call_packed("__tvm_prepare_global_barrier")
    bx = T.launch_thread("blockIdx.x", 8)
    T.tvm_global_barrier_kinit()
    T.attr(C1, "volatile_scope", 1)
    tx = T.launch_thread("threadIdx.x", 128)
    C1_1 = T.Buffer((1024,), data=C1)
    C1_1[tx + bx * 128] = A[tx]
    T.tvm_storage_sync("global", tx == 0, 8)
    B[tx] = C1_1[127 - tx]
