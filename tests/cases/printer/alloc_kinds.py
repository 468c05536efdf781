# from tvm.script import tir as T

@T.prim_func(private=True)
def main():
    # with T.block("root"):
    A = T.alloc_buffer((4, 4), "float16", scope="shared")
    B = T.alloc_buffer((4,), "int8", align=128)
    C = T.alloc_buffer((4,), strides=(2,))
    D = T.alloc_buffer((4, 4), axis_separators=[1])
    E = T.alloc_buffer(())
    F = T.alloc_buffer((4,), elem_offset=8, offset_factor=8)
    for i in range(4):
        with T.block("x"):
            vi = T.axis.spatial(4, i)
            T.reads()
            T.writes()
            E[()] = C[vi] + D[vi, 0] + F[vi]
