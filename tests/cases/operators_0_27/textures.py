# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def main(A: T.Buffer((4, 5, 4), "float32", scope="global.texture"), B: T.Buffer((4, 5, 4), "float32", scope="global.texture")):
    for i in T.thread_binding(4, thread="blockIdx.x"):
        for j in T.thread_binding(5, thread="threadIdx.x"):
            T.texture2d_store(B.data, j, i, 0, 128, T.texture2d_load(A.data, j, i, 0, 128, T.Ramp(0, 1, 4)) + T.Broadcast(T.float32(1.0), 4))
