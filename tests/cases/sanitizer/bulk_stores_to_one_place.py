# finds: TS5042 T.ptx.cp.async_.bulk.global_.shared__cta.bulk_group(T.address_of(C[16]), T.address_of(S[32]), T.uint32(128))
# from tvm.script import tirx as T

@T.prim_func
def main(A: T.Buffer((64,), "uint32"), C: T.Buffer((64,), "uint32")):
    tx = T.launch_thread("threadIdx.x", 32)
    S = T.decl_buffer((64,), "uint32", scope="shared")
    S[tx] = A[tx]
    S[32 + tx] = A[32 + tx]
    T.ptx.fence.proxy.async_.shared__cta()
    T.cuda.cta_sync()
    if tx == 0:
        T.ptx.cp.async_.bulk.global_.shared__cta.bulk_group(T.address_of(C[0]), T.address_of(S[0]), T.uint32(128))
        T.ptx.cp.async_.bulk.commit_group()
        T.ptx.cp.async_.bulk.global_.shared__cta.bulk_group(T.address_of(C[16]), T.address_of(S[32]), T.uint32(128))
        T.ptx.cp.async_.bulk.commit_group()
        T.ptx.cp.async_.bulk.wait_group(0)
