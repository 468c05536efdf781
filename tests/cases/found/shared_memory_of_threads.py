# Found by: tvmscript fuzz schedule
# cause: RaceMade[TS8055] at testing/fuzzing/schedule.py:_check_races
#
# tvmscript.fuzz.schedule.area.RaceMade: error[TS8055]: after the steps iterations run side by side that wait for each other: iterations of threadIdx.x race: B1_shared[v0, v1] is written for i1 = 0 and read for i1 = 1

from tvmscript.fuzz.schedule.area import again, check

PROGRAM = """\
@T.prim_func
def main(A0: T.Buffer((4,), "float32"), A1: T.Buffer((4, 4), "float32"), A2: T.Buffer((4, 4), "float32"), A3: T.Buffer((4, 4), "float32"), B2: T.Buffer((4, 4), "float32"), B3: T.Buffer((4, 4), "float32")):
    B0 = T.alloc_buffer((5,), "float32")
    B1 = T.alloc_buffer((4, 4), "float32")
    for i0 in T.grid(5):
        with T.block("B0"):
            v0 = T.axis.remap("S", [i0])
            B0[v0] = T.if_then_else(1 <= v0 and v0 < 5, A0[v0 - 1], T.float32(0))
    for i0, i1, i2 in T.grid(4, 4, 4):
        with T.block("B1"):
            v0, v1, r0 = T.axis.remap("SSR", [i0, i1, i2])
            with T.init():
                B1[v0, v1] = T.float32(0)
            B1[v0, v1] = B1[v0, v1] + A1[v0, r0] * A2[r0, v1]
    for i0, i1, i2 in T.grid(4, 4, 4):
        with T.block("B2"):
            v0, v1, r0 = T.axis.remap("SSR", [i0, i1, i2])
            with T.init():
                B2[v0, v1] = T.float32(0)
            B2[v0, v1] = B2[v0, v1] + B1[v0, r0] * A3[r0, v1]
    for i0, i1 in T.grid(4, 4):
        with T.block("B3"):
            v0, v1 = T.axis.remap("SS", [i0, i1])
            B3[v0, v1] = B2[v0, v1] * T.float32(2)
"""
# what is done before it goes wrong:
# # from tvm import tir
# def apply_trace(sch: tir.Schedule) -> None:
#   b0 = sch.get_block(name="B0", func_name="main")
#   l1, = sch.get_loops(block=b0)
#   l2, l3 = sch.split(loop=l1, factors=[None, 2], preserve_unit_iters=True, disable_predication=False)
#   b4 = sch.get_block(name="B0", func_name="main")
#   l5, l6 = sch.get_loops(block=b4)
#   l7, l8 = sch.split(loop=l5, factors=[None, 2], preserve_unit_iters=True, disable_predication=False)
#   b9 = sch.get_block(name="B1", func_name="main")
#   sch.set_scope(block=b9, buffer_index=0, storage_scope="shared")
#   b10 = sch.get_block(name="B1", func_name="main")
#   b11, = sch.get_consumers(block=b10)
#   l12, l13, l14 = sch.get_loops(block=b11)
#   sch.compute_at(block=b10, loop=l13, preserve_unit_loops=False, index=-1)
#   b15 = sch.get_block(name="B1", func_name="main")
#   l16, l17, l18, l19 = sch.get_loops(block=b15)
#   sch.bind(loop=l17, thread_axis="threadIdx.x")
check(again('values', PROGRAM, [4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 23, 1, 1, 0, 1, 14, 0, 1, 0, 0, 0, 1, 8, 0, 1, 0], {}))
