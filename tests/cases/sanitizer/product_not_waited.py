# finds: TS5048 C[i * 128 + tx] = d[i]
# from tvm.script import tirx as T

@T.prim_func
def main(A: T.Buffer((2304,), "float16"), C: T.Buffer((512,), "float32")):
    tx = T.launch_thread("threadIdx.x", 128)
    S = T.decl_buffer((2304,), "float16", scope="shared")
    desc = T.decl_buffer((4,), "uint64", scope="local")
    d = T.decl_buffer((4,), "float32", scope="local")
    for i in range(18):
        S[i * 128 + tx] = A[i * 128 + tx]
    for i in range(4):
        d[i] = T.float32(0)
    T.ptx.fence.proxy.async_()
    T.cuda.cta_sync()
    for i in range(2):
        T.cuda.wgmma.encode_matrix_descriptor(T.address_of(desc[i]), T.address_of(S[i * 1152]), 8, 16, 0)
        T.cuda.wgmma.encode_matrix_descriptor(T.address_of(desc[2 + i]), T.address_of(S[i * 1152 + 1024]), 8, 16, 0)
    T.ptx.wgmma.fence.sync.aligned()
    T.ptx.wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16(d[0], d[1], d[2], d[3], desc[0], desc[2], True, 1, 1, 0, 0)
    T.ptx.wgmma.commit_group.sync.aligned()
    T.ptx.wgmma.wait_group.sync.aligned(1)
    for i in range(4):
        C[i * 128 + tx] = d[i]
    T.ptx.wgmma.wait_group.sync.aligned(0)
