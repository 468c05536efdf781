# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def written(A: T.Buffer((64, 64), "float32")):
    T.device_entry()
    t = T.thread_id([128])
    addr: T.uint32
    pool = T.SMEMPool()
    tm = T.TMEMPool(pool, tmem_addr=addr, sync_after_alloc=False, alloc_warp=1)
    C = tm.alloc((128, 4, 64), "float16", layout=T.TileLayout(T.S[(128, 4, 64):(1 @ Axis.TLane, 64 @ Axis.TCol, 1 @ Axis.TCol)]))
    D = tm.alloc((128, tm.offset), "float16")
    tm.commit()
    A[0, 0] = T.float32(1.0)
    tm.dealloc()


@T.prim_func
def printed(A: T.Buffer((64, 64), "float32")):
    T.attr({"tirx.device_entry": T.bool(True)})
    t = T.thread_id([128])
    addr: T.uint32
    pool_buf = T.alloc_buffer((0,), "uint8", scope="shared.dyn")
    C = T.decl_buffer((128, 4, 64), "float16", scope="tmem", layout=T.TileLayout(T.S[(128, 4, 64):(1 @ Axis.TLane, 64 @ Axis.TCol, 1 @ Axis.TCol)]), allocated_addr=0)
    D = T.decl_buffer((128, 128), "float16", scope="tmem", layout=T.TileLayout(T.S[(128, 128):(1 @ Axis.TLane, 1 @ Axis.TCol)]), allocated_addr=128)
    v = T.warp_id()
    if v == 1:
        T.ptx.tcgen05(T.cuda.cvta_generic_to_shared(T.address_of(addr)), T.uint32(512), "alloc", "cta_group::1", "sync", "aligned", "shared::cta", "b32", "")
    A[0, 0] = T.float32(1.0)
    v_1 = T.warp_id()
    if v_1 == 1:
        T.ptx.tcgen05("relinquish_alloc_permit", "cta_group::1", "sync", "aligned", "")
        T.ptx.tcgen05(addr, T.uint32(512), "dealloc", "cta_group::1", "sync", "aligned", "b32", "")
