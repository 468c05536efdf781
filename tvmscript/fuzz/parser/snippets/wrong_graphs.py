"""Bindings of graphs with a fault; `«` and `»` enclose the place of the error."""

from __future__ import annotations

from typing import Final

from tvmscript.fuzz.parser.snippets.pieces import pieces

#: what should give `u` in the graph that `same.GRAPHS` are for
GRAPHS: Final = pieces("""
u = R.exp(«nothing»)

u = R.add(x, «nothing»)

u = x + «nothing»

u = «R.exq»(x)

z = R.zeros((7, n), "float32")
u = R.add(x, «z»)

z = R.zeros((7, n), "float32")
u = x + «z»

z = R.zeros((4, n), "int8")
u = x * «z»

u = x + «t»

u = «t» + x

u = R.matmul(R.zeros((2, 3), "float32"), «R.zeros((4, 5), "float32")»)

u = R.exp(«t»)

u = R.exp(«R.shape([K1])»)

u = R.sum(x, axis=«7»)

u = R.concat((x, y), axis=«-9»)

u = R.concat(«x»)

u = R.astype(x, «"flaot32"»)

u = R.nn.conv2d(«x», y)

«u»: R.Tensor((9,), "int8") = R.exp(x)

«u»: R.Shape(ndim=2) = R.exp(x)

if c:
    w = R.exp(x)
    u = R.abs(w)
else:
    u = R.abs(«w»)

if c:
    w = R.exp(x)
    v = R.abs(w)
else:
    v = R.abs(y)
u = R.exp(«w»)

with R.dataflow():
    w = R.exp(x)
    v = R.abs(w)
    R.output(v)
u = R.exp(«w»)

«if c:
    u = x
else:
    v = y»

«if c:
    u = x»

u = t[«7»]

u = x
for k in «x»:
    u = R.exp(u)

«while c:
    u = x»

u = R.exp(x)
«v, w» = R.exp(x), R.exp(y), y

«x.y» = R.exp(x)
u = x

«R.exp(x)»
u = x

u = «R.exp(x, y)»

u = «R.exp()»

u = R.exp(x, «no=K1»)

with R.dataflow():
    «with R.dataflow():
        u = x
        R.output(u)»
    R.output(u)

u = R.match_cast(x, «R.Shape(ndim=2)»)

u = R.dist.annotate_sharding(x, device_mesh=«3», placement="R")

u = «R.dist.annotate_sharding(x, device_mesh="mesh[9]", placement="R")»

u = R.dist.annotate_sharding(x, device_mesh=R.device_mesh((2,), [0, 1]), placement=«3»)

u = R.dist.const(3, «R.Tensor((), "int32")»)

u: R.Tensor((4, n), "float32", vdevice=«3») = x

u: R.DTensor((4, n), "float32", «3», "R") = x

u = R.call_packed("f", x, sinfo_args=«3»)

u = R.call_packed("f", x, sinfo_args=«(3,)»)

with R.dataflow():
    u = R.exp(x)
    R.output(u)
    «R.output(u)»

«u = v = x»

u = R.call_tir(«x», (x,), out_sinfo=R.Tensor((4, n), "float32"))

u = R.shape(«[x]»)

u = R.const(«"text"»)

u = R.reshape(x, «(0, -1, -1)»)

u = R.reshape(x, «(-2, n)»)

u = R.permute_dims(x, «[0, 0]»)

u = R.squeeze(x, «[5]»)

u = R.split(x, 3, axis=«9»)

u = R.take(x, «y»)

u = R.concat(«()»)

u = R.where(«x», x, y)

u = R.full((2,), «x»)

u = R.expand_dims(x, «[9]»)

u = R.broadcast_to(x, «(3,)»)

u = R.nn.softmax(x, axis=«4»)

u = R.strided_slice(x, [0], [0], [1], «[0]»)

u = R.nn.batch_norm(x, «y», y, y, y, axis=1)

u = R.cumsum(x, axis=«4»)

u = R.flip(x, axis=«4»)

""")
