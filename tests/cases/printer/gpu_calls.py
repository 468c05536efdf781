# from tvm.script import tir as T

@T.prim_func(private=True)
def main(f: T.float32, x: T.int32, A: T.Buffer((16,), "float32")):
    T.ptx_commit_group()
    T.ptx_wait_group(0)
    T.tvm_warp_activemask()
    T.tvm_warp_shuffle(T.tvm_warp_activemask(), f, 0, 32, 32)
    T.ptx_cp_async("float32", A.data, 0, A.data, 0, 16)
    T.tvm_thread_allreduce(T.uint32(1), f, T.bool(True), A.data, x)
