# pass: tir.ThreadSync("shared")
# elements in rows of an inner loop: which ones it has accessed, is not known behind it
# values: not compared: without barriers, what is read depends on the order in which threads run
@T.prim_func
def main(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    bx = T.launch_thread("blockIdx.x", 1)
    S = T.allocate([512], "float32", "shared")
    tx = T.launch_thread("threadIdx.x", 128)
    S1 = T.Buffer((4, 128), data=S, scope="shared")
    for o in range(4):
        for i in range(4):
            S1[(tx + i) % 4, tx] = A[tx] + S1[(tx + i) % 4, tx]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    bx = T.launch_thread("blockIdx.x", 1)
    S1 = T.allocate([512], "float32", "shared")
    tx = T.launch_thread("threadIdx.x", 128)
    for o in range(4):
        T.tvm_storage_sync("shared")
        for i in range(4):
            S1_1 = T.Buffer((4, 128), data=S1, scope="shared")
            S1_1[(tx + i) % 4, tx] = A[tx] + S1_1[(tx + i) % 4, tx]
