# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def f(x: T.int32, f: T.float32, h: T.handle("float32", "shared"), u: T.uint32, w: T.uint64, b: T.bool, H: T.handle):
    T.metal.make_filled_simdgroup_matrix(h, x, x, x, x)
    T.metal.simd_shuffle(h, x)
    T.metal.simd_shuffle_down(h, x)
    T.metal.simd_shuffle_up(h, x)
    T.metal.simdgroup_load(h, x, x, x, x, x, x)
    T.metal.simdgroup_multiply_accumulate(h, x, x, x, x, x, x, x)
    T.metal.simdgroup_store(h, x, x, x, x, x, x)
    T.webgpu.subgroup_shuffle(h, x)
    T.webgpu.subgroup_shuffle_down(h, x)
    T.webgpu.subgroup_shuffle_up(h, x)
