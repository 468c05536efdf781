@I.ir_module
class Module:
    @T.prim_func
    def launch(A: T.Buffer((16,), "float32"), n: T.int32):
        tx = T.env_thread('threadIdx.x')
        T.launch_thread(tx, 16)
        A[tx] = 1.0

    @T.prim_func
    def launch2(A: T.Buffer((16,), "float32"), n: T.int32):
        with T.launch_thread('threadIdx.x', 16) as tx:
            A[tx] = 1.0

    @T.prim_func
    def launch3(A: T.Buffer((16,), "float32"), n: T.int32):
        bx = T.launch_thread('blockIdx.x', 4)
        tx = T.launch_thread('threadIdx.x', 16)
        A[bx + tx] = 1.0


# output
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def launch(A: T.Buffer((16,), "float32"), n: T.int32):
        tx = T.launch_thread("threadIdx.x", 16)
        A[tx] = T.float32(1)

    @T.prim_func
    def launch2(A: T.Buffer((16,), "float32"), n: T.int32):
        tx = T.launch_thread("threadIdx.x", 16)
        A[tx] = T.float32(1)

    @T.prim_func
    def launch3(A: T.Buffer((16,), "float32"), n: T.int32):
        bx = T.launch_thread("blockIdx.x", 4)
        tx = T.launch_thread("threadIdx.x", 16)
        A[bx + tx] = T.float32(1)
