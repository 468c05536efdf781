# The axes of a block become the results of a map of them, each with a loop of its own.
@T.prim_func
def before(
    A: T.Buffer((1, 10, 10, 4), "float32"), W: T.Buffer((3, 3, 4, 8), "float32"), C: T.Buffer((1, 8, 8, 8), "float32")
):
    for n, h, w, o, p, q, c in T.grid(1, 8, 8, 8, 3, 3, 4):
        with T.block("C"):
            vn, vh, vw, vo, vp, vq, vc = T.axis.remap("SSSSRRR", [n, h, w, o, p, q, c])
            with T.init():
                C[vn, vh, vw, vo] = T.float32(0)
            C[vn, vh, vw, vo] = C[vn, vh, vw, vo] + A[vn, vh + vp, vw + vq, vc] * W[vp, vq, vc, vo]

# schedule
def schedule(sch):
    sch.transform_block_layout("C", lambda n, h, w, o, p, q, c: (n * 64 + h * 8 + w, o, p * 12 + q * 4 + c))

# after
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((1, 10, 10, 4), "float32"), W: T.Buffer((3, 3, 4, 8), "float32"), C: T.Buffer((1, 8, 8, 8), "float32")):
    # with T.block("root"):
    for ax0, ax1, ax2 in T.grid(64, 8, 36):
        with T.block("C"):
            v0, v1, v2 = T.axis.remap("SSR", [ax0, ax1, ax2])
            T.reads(A[0, v2 // 12 + v0 // 8, v2 % 12 // 4 + v0 % 8, v2 % 4], W[v2 // 12, v2 % 12 // 4, v2 % 4, v1])
            T.writes(C[0, v0 // 8, v0 % 8, v1])
            with T.init():
                C[0, v0 // 8, v0 % 8, v1] = T.float32(0)
            C[0, v0 // 8, v0 % 8, v1] = C[0, v0 // 8, v0 % 8, v1] + A[0, v2 // 12 + v0 // 8, v2 % 12 // 4 + v0 % 8, v2 % 4] * W[v2 // 12, v2 % 12 // 4, v2 % 4, v1]
