# finds: TS5051 T.ptx.cp.async_.bulk.global_.shared__cta.bulk_group(T.address_of(C[0]), T.address_of(S[0]), T.uint32(512))
# from tvm.script import tirx as T

@T.prim_func
def main(A: T.Buffer((256,), "uint32"), C: T.Buffer((128,), "uint32"), D: T.Buffer((128,), "uint32")):
    tx = T.launch_thread("threadIdx.x", 32)
    S = T.decl_buffer((256,), "uint32", scope="shared")
    T.ptx.fence.proxy.async_.shared__cta()
    T.ptx.stmatrix(T.address_of(S[tx * 4]), A[tx], A[32 + tx], A[64 + tx], A[96 + tx], "sync", "aligned", "m8n8", "x4", "", "shared", "b16", "")
    T.ptx.fence.proxy.async_.global_()
    T.cuda.cta_sync()
    if tx == 0:
        T.ptx.cp.async_.bulk.global_.shared__cta.bulk_group(T.address_of(C[0]), T.address_of(S[0]), T.uint32(512))
        T.ptx.cp.async_.bulk.commit_group()
    for i in range(4):
        S[128 + i * 32 + tx] = A[128 + i * 32 + tx]
    T.ptx.fence.proxy.async_.shared__cta()
    T.cuda.cta_sync()
    if tx == 0:
        T.ptx.cp.async_.bulk.global_.shared__cta.bulk_group(T.address_of(D[0]), T.address_of(S[128]), T.uint32(512))
        T.ptx.cp.async_.bulk.commit_group()
        T.ptx.cp.async_.bulk.wait_group.read(0)
