# pass: tir.TextureFlatten
# values: not compared: textures are memory of a device
# differs from TVM: its text does not read back; the program is the same
@T.prim_func
def main(A: T.Buffer((2, 3, 8, 16, 4), "float16"), B: T.Buffer((2, 3, 8, 16, 4), "float16")):
    T.func_attr({"from_legacy_te_schedule": True})
    C = T.Buffer((2, 3, 8, 16, 4), "float16", scope="global.texture-nhwc")
    T.realize(C[0:2, 0:3, 0:8, 0:16, 0:4], "")
    for i, h, j, k, l in T.grid(2, 3, 8, 16, 4):
        C[i, h, j, k, l] = A[i, h, j, k, l]
    for i, h, j, k, l in T.grid(2, 3, 8, 16, 4):
        B[i, h, j, k, l] = C[i, h, j, k, l]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((2, 3, 8, 16, 4), "float16"), B: T.Buffer((2, 3, 8, 16, 4), "float16")):
    T.func_attr({"from_legacy_te_schedule": T.bool(True)})
    C: T.handle("float16", "global.texture-nhwc") = T.nd_mem_alloc_with_scope("global.texture-nhwc", T.int64(2), T.tvm_stack_make_shape(128, 6))
    for i, h, j, k, l in T.grid(2, 3, 8, 16, 4):
        T.Call("handle", "tir.texture2d_store", [C, j * 16 + k, i * 3 + h, A[i, h, j, k, l]])
    for i, h, j, k, l in T.grid(2, 3, 8, 16, 4):
        B[i, h, j, k, l] = T.texture2d_load(C, j * 16 + k, i * 3 + h, l)
