# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((128, 128), "float32")):
    T.func_attr({"tir.noalias": T.bool(True)})
    # with T.block("root"):
    C_local = T.alloc_buffer((128, 128), scope="local")
    A_shared = T.alloc_buffer((128, 128), scope="shared")
    for bx in T.thread_binding(16, thread="blockIdx.x"):
        for tx in T.thread_binding(64, thread="threadIdx.x"):
            for ax in range(8):
                with T.block("A_shared"):
                    v0 = T.axis.spatial(128, bx * 8 + ax)
                    v1 = T.axis.spatial(128, tx)
                    T.reads(A[v0, v1])
                    T.writes(A_shared[v0, v1])
                    A_shared[v0, v1] = A[v0, v1]
            for k in T.serial(128, annotations={"software_pipeline_order": [0, 1], "software_pipeline_stage": [0, 1]}):
                with T.block("C"):
                    vi = T.axis.spatial(128, bx * 8)
                    vk = T.axis.reduce(128, k)
                    T.reads(A_shared[vi, vk])
                    T.writes(C_local[vi, vi])
                    T.block_attr({"auto_tensorize": "wmma", "script_parsing_detect_access": 1})
                    with T.init():
                        C_local[vi, vi] = T.float32(0)
                    C_local[vi, vi] = C_local[vi, vi] + A_shared[vi, vk]
