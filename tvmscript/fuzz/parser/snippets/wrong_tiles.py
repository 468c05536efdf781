"""Statements of tile kernels with a fault; `«` and `»` enclose the place of the error."""

from __future__ import annotations

from typing import Final

from tvmscript.fuzz.parser.snippets.pieces import pieces

#: statements of a kernel of TVM 0.27 with `TILE_HEAD`
TILES: Final = pieces("""
S = T.alloc_shared((64, 64), "float16")
V = S.rearrange(«3»)

S = T.alloc_shared((64, 64), "float16")
V = S.rearrange(«"a b c -> c b a"»)

S = T.alloc_shared((64, 64), "float16")
V = «S.rearrange("(a b) c -> a b c", a=7)»

S = T.alloc_local((32, 2), "float16", layout=T.TileLayout(T.S[(32, 2):(1 @ Axis.laneid, 1)]))
V = S.local(«7»)

S = T.alloc_shared((64, 64), "float16")
V = «S.sub[0, 0, 0]»

S = T.alloc_shared((64, 64), "float16")
V = «S.sub[0:8:3]»

S = T.alloc_shared((64, 64), "float16")
V = «S.tile(3)»

S = T.alloc_shared((64, 64), "float16")
V = «S.tile((0, (3, 8)))[0]»

S = T.alloc_shared((64, 64), "float16")
V = «S.chunk(3)»

S = T.alloc_shared((64, 64), "float16", layout=None)
V = «S.permute(1, 0)»

S = T.alloc_shared((64, 64), "float16")
«T.tile.of_no_name»(S[0:64, 0:64])

T.evaluate(«T.masked_load("float16x4", B, 0, T.Ramp(0, 1, 4), T.Broadcast(tx < 3, 4))»)

«T.attr(3)»

p: «T.let[3]» = tx
A[bx, p] = T.float16(1.0)

«T.cuda.of_no_name»()

«T.ptx.of_no_name»()

S = T.alloc_local((4, 4), "float16", layout=«3»)

S = T.alloc_local((4, 4), "float16", layout=T.TileLayout(«T.S[(4, 4):(1, 2, 3)]»))

A[bx, tx] = «T.float16(1.0) & tx»

with T.hint(«3»):
    A[bx, tx] = T.float16(1.0)

if «T.filter(tx)»:
    A[bx, tx] = T.float16(1.0)
""")
#: the head of a kernel of TVM 0.27
TILE_HEAD: Final = """\
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def main(A: T.Buffer((64, 64), "float16"), B: T.Buffer((64, 64), "float32")):
    T.attr({"tirx.device_entry": T.bool(True)})
    bx = T.cta_id([4])
    tx = T.thread_id([128])
"""
