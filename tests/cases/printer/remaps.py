# from tvm.script import tir as T

@T.prim_func(private=True)
def main():
    # with T.block("root"):
    for i, j in T.grid(4, 4):
        for k in T.parallel(2, 6):
            with T.block("mixed"):
                vi, vj, vk = T.axis.remap("SRS", [i, j, k])
                o = T.axis.opaque(4, i)
                p, q = T.axis.remap("RR", [i, j])
                r = T.axis.spatial(5, i)
                s = T.axis.spatial(4, j)
                T.reads()
                T.writes()
                T.evaluate(vi + vj + vk + o + p + q + r + s)
