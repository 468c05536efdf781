from __future__ import annotations

from tvmscript import I, T


def make(extent, dtype):
    only_in_annotations = extent * 2
    offsets = (0, extent)

    @I.ir_module
    class Module:
        @T.prim_func
        def copy(A: T.Buffer((only_in_annotations,), dtype), B: T.Buffer((extent,), dtype)):
            for i in range(extent):
                for offset in offsets:
                    B[i] = A[i + offset]

        @T.prim_func(private=True)
        def nothing():
            pass

    return Module


program = make(8, "float16")

EXPECTED = """
@I.ir_module
class Module:
    @T.prim_func
    def copy(A: T.Buffer((16,), "float16"), B: T.Buffer((8,), "float16")):
        for i in range(8):
            B[i] = A[i + 0]
            B[i] = A[i + 8]

    @T.prim_func(private=True)
    def nothing():
        pass
"""
