# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def f(x: T.int32, f: T.float32, h: T.handle("float32", "shared"), u: T.uint32, w: T.uint64, b: T.bool, H: T.handle):
    T.nvshmem.barrier_all()
    T.nvshmem.fence()
    T.nvshmem.getmem_nbi(h, x, x, x)
    T.nvshmem.getmem_nbi.block(h, x, x, x)
    T.nvshmem.getmem_nbi.warp(h, x, x, x)
    T.nvshmem.my_pe()
    T.nvshmem.n_pes()
    T.nvshmem.putmem_nbi(h, x, x, x)
    T.nvshmem.putmem_nbi.block(h, x, x, x)
    T.nvshmem.putmem_nbi.warp(h, x, x, x)
    T.nvshmem.putmem_signal_nbi(h, x, x, x, x, x, x)
    T.nvshmem.putmem_signal_nbi.block(h, x, x, x, x, x, x)
    T.nvshmem.putmem_signal_nbi.warp(h, x, x, x, x, x, x)
    T.nvshmem.quiet()
    T.nvshmem.signal_op(h, x, x, x)
    T.nvshmem.wait_until(h, x, x, x)
