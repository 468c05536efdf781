@T.prim_func
def main(A: T.Buffer((4, 4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    for iters in T.grid(*A.shape):
        A[iters] = 1
    for *spatial, reduction in T.grid(*A.shape):
        with T.block("reduce"):
            *spatial, reduction = T.axis.remap("SSR", [*spatial, reduction])
            with T.init():
                B[spatial] = 0
            B[spatial] = B[spatial] + A[(*spatial, reduction)]
    for first, *others in T.grid(4, 4):
        B[first, others[0]] = 2

# output
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    # with T.block("root"):
    for iters_0, iters_1, iters_2 in T.grid(4, 4, 4):
        A[iters_0, iters_1, iters_2] = 1
    for spatial_0, spatial_1, reduction in T.grid(4, 4, 4):
        with T.block("reduce"):
            spatial_0_1, spatial_1_1, reduction_1 = T.axis.remap("SSR", [spatial_0, spatial_1, reduction])
            T.reads(A[spatial_0_1, spatial_1_1, reduction_1])
            T.writes(B[spatial_0_1, spatial_1_1])
            with T.init():
                B[spatial_0_1, spatial_1_1] = 0
            B[spatial_0_1, spatial_1_1] = B[spatial_0_1, spatial_1_1] + A[spatial_0_1, spatial_1_1, reduction_1]
    for first, others_0 in T.grid(4, 4):
        B[first, others_0] = 2
