# pass: tir.TextureFlatten
# values: not compared: textures are memory of a device
# differs from TVM: it counts from the beginning of the buffer
@T.prim_func
def main(A: T.Buffer((8, 16, 4), "float32"), B: T.Buffer((8, 16, 4), "float32")):
    T.func_attr({"from_legacy_te_schedule": True})
    for j in range(8):
        C = T.Buffer((8, 16, 4), "float32", scope="global.texture")
        T.realize(C[j:j + 1, 0:16, 0:4], "")
        for k, l in T.grid(16, 4):
            C[j, k, l] = A[j, k, l]
        for k, l in T.grid(16, 4):
            B[j, k, l] = C[j, k, l]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8, 16, 4), "float32"), B: T.Buffer((8, 16, 4), "float32")):
    T.func_attr({"from_legacy_te_schedule": T.bool(True)})
    for j in range(8):
        C: T.handle("float32", "global.texture") = T.nd_mem_alloc_with_scope("global.texture", T.int64(2), T.tvm_stack_make_shape(16, 1))
        for k, l in T.grid(16, 4):
            T.Call("handle", "tir.texture2d_store", [C, k, 0, A[j, k, l]])
        for k, l in T.grid(16, 4):
            B[j, k, l] = T.texture2d_load(C, k, 0, l)
