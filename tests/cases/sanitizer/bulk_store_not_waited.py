# finds: TS5042 D[32 + tx] = C[tx]
# finds: TS5042 S[tx] = A[32 + tx]
# from tvm.script import tirx as T

@T.prim_func
def main(A: T.Buffer((128,), "uint32"), C: T.Buffer((32,), "uint32"), D: T.Buffer((128,), "uint32")):
    tx = T.launch_thread("threadIdx.x", 32)
    S = T.decl_buffer((32,), "uint32", scope="shared")
    S[tx] = A[tx]
    T.ptx.fence.proxy.async_.shared__cta()
    T.cuda.cta_sync()
    if tx == 0:
        T.ptx.cp.async_.bulk.global_.shared__cta.bulk_group(T.address_of(C[0]), T.address_of(S[0]), T.uint32(128))
        T.ptx.cp.async_.bulk.commit_group()
    D[tx] = S[31 - tx]
    T.cuda.cta_sync()
    D[32 + tx] = C[tx]
    S[tx] = A[32 + tx]
    T.cuda.cta_sync()
    if tx == 0:
        T.ptx.cp.async_.bulk.wait_group.read(0)
    T.cuda.cta_sync()
    S[tx] = A[64 + tx]
    D[64 + tx] = S[tx]
