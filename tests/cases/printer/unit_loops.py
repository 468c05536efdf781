# from tvm.script import tir as T

@T.prim_func(private=True)
def main():
    # with T.block("root"):
    for i, j, k in T.grid(1, 1, 1):
        with T.block("x"):
            vi, vj = T.axis.remap("SS", [i, k])
            vk = T.axis.spatial(1, 0)
            T.reads()
            T.writes()
            T.evaluate(vi + vj + vk)
    for i in range(5):
        T.evaluate(i)
    for i in range(5, 5):
        T.evaluate(i)
