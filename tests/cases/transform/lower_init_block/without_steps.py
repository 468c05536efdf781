# pass: tir.LowerInitBlock(runs_without_steps=True)
# differs from TVM: it has no such option
@T.prim_func
def main(a: T.handle, C: T.Buffer((16,), "int32")):
    n = T.int32()
    A = T.match_buffer(a, (16, n), "int32")
    for i, k in T.grid(16, n):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            T.where(i < 12)
            with T.init():
                C[vi] = 0
            C[vi] = C[vi] + A[vi, vk]

# after
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, C: T.Buffer((16,), "int32")):
    n = T.int32()
    A = T.match_buffer(a, (16, n), "int32")
    # with T.block("root"):
    for i in range(16):
        for k in range(n):
            with T.block("C"):
                vi, vk = T.axis.remap("SR", [i, k])
                T.where(i < 12)
                T.reads(A[vi, vk])
                T.writes(C[vi])
                if vk == 0:
                    C[vi] = 0
                C[vi] = C[vi] + A[vi, vk]
        if n <= 0:
            with T.block("C_init"):
                vi = T.axis.spatial(16, i)
                T.where(i < 12)
                T.reads()
                T.writes(C[vi])
                C[vi] = 0
