# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def written(A: T.Buffer((64, 64), "float32")):
    a = T.alloc_tcgen05_ldst_frag("32x32b", (128, 64), "float32")
    b = T.alloc_tcgen05_ldst_frag("32x32b", (64, 64), "float32")
    c = T.alloc_tcgen05_ldst_frag("32x32b", (128, 4), "float16")
    d = T.alloc_tcgen05_ldst_frag("16x64b", (64, 64), "float32")
    e = T.alloc_tcgen05_ldst_frag("16x64b", (128, 8), "bfloat16")
    g = T.alloc_tcgen05_ldst_frag("16x128b", (64, 4), "float32")
    h = T.alloc_tcgen05_ldst_frag("16x128b", (128, 64), "float16")
    i = T.alloc_tcgen05_ldst_frag("16x256b", (64, 256), "float32")
    j = T.alloc_tcgen05_ldst_frag("16x256b", (128, 32), "float16")
    k = T.alloc_cast_frag(j, "float32")
    l = T.alloc_cast_frag(a, "float8_e4m3fn")
    A[0, 0] = 1.0


@T.prim_func
def printed(A: T.Buffer((64, 64), "float32")):
    buffer = T.alloc_local((64,))
    a = buffer.view(128, 64, layout=T.TileLayout(T.S[(128, 64):(1 @ Axis.tid_in_wg, 1)]))
    buffer_1 = T.alloc_local((32,))
    b = buffer_1.view(64, 64, layout=T.TileLayout(T.S[(64, 2, 32):(1 @ Axis.tid_in_wg, 64 @ Axis.tid_in_wg, 1)]))
    buffer_2 = T.alloc_local((4,), "float16")
    c = buffer_2.view(128, 4, layout=T.TileLayout(T.S[(128, 4):(1 @ Axis.tid_in_wg, 1)]))
    buffer_3 = T.alloc_local((32,))
    d = buffer_3.view(64, 64, layout=T.TileLayout(T.S[(4, 2, 8, 32, 2):(1 @ Axis.wid_in_wg, 1 @ Axis.laneid, 4 @ Axis.laneid, 1, 2 @ Axis.laneid)]))
    buffer_4 = T.alloc_local((8,), "bfloat16")
    e = buffer_4.view(128, 8, layout=T.TileLayout(T.S[(4, 2, 2, 8, 2, 2, 2):(1 @ Axis.wid_in_wg, 4, 1 @ Axis.laneid, 4 @ Axis.laneid, 2, 2 @ Axis.laneid, 1)]))
    buffer_5 = T.alloc_local((2,))
    g = buffer_5.view(64, 4, layout=T.TileLayout(T.S[(4, 2, 8, 1, 4):(1 @ Axis.wid_in_wg, 1, 4 @ Axis.laneid, 2, 1 @ Axis.laneid)]))
    buffer_6 = T.alloc_local((64,), "float16")
    h = buffer_6.view(128, 64, layout=T.TileLayout(T.S[(4, 2, 2, 8, 8, 4, 2):(1 @ Axis.wid_in_wg, 32, 2, 4 @ Axis.laneid, 4, 1 @ Axis.laneid, 1)]))
    buffer_7 = T.alloc_local((128,))
    i = buffer_7.view(64, 256, layout=T.TileLayout(T.S[(4, 2, 8, 32, 4, 2):(1 @ Axis.wid_in_wg, 2, 4 @ Axis.laneid, 4, 1 @ Axis.laneid, 1)]))
    buffer_8 = T.alloc_local((32,), "float16")
    j = buffer_8.view(128, 32, layout=T.TileLayout(T.S[(4, 2, 2, 8, 2, 4, 2, 2):(1 @ Axis.wid_in_wg, 16, 4, 4 @ Axis.laneid, 8, 1 @ Axis.laneid, 2, 1)]))
    buffer_9 = T.alloc_local((32,))
    k = buffer_9.view(128, 32, layout=T.TileLayout(T.S[(4, 2, 2, 8, 2, 4, 2, 2):(1 @ Axis.wid_in_wg, 16, 4, 4 @ Axis.laneid, 8, 1 @ Axis.laneid, 2, 1)]))
    buffer_10 = T.alloc_local((64,), "float8_e4m3fn")
    l = buffer_10.view(128, 64, layout=T.TileLayout(T.S[(128, 64):(1 @ Axis.tid_in_wg, 1)]))
    A[0, 0] = T.float32(1.0)
