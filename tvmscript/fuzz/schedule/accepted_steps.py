"""Steps that must be accepted: for each primitive, programs of drawn sizes that it is meant for.

Random steps drop what is refused, so that they do not see a primitive that refuses legal programs. These do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tvmscript.fuzz.programs.stages import Pick
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir.tensor_intrin import TensorIntrin
from tvmscript.parser import from_source

#: an elementwise block that others read
_DOUBLED: Final = """\
    B = T.alloc_buffer(({n}, {m}))
    for i, j in T.grid({n}, {m}):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
"""
#: an elementwise producer and an elementwise consumer
CHAIN: Final = (
    """
@T.prim_func
def main(A: T.Buffer(({n}, {m}), "float32"), C: T.Buffer(({n}, {m}), "float32")):
"""
    + _DOUBLED
    + """\
    for i, j in T.grid({n}, {m}):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + T.float32(1)
"""
)
#: a matrix product
PRODUCT: Final = """
@T.prim_func
def main(A: T.Buffer(({n}, {k}), "float32"), B: T.Buffer(({k}, {m}), "float32"), C: T.Buffer(({n}, {m}), "float32")):
    for i, j, k in T.grid({n}, {m}, {k}):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
"""
#: two consumers of one input, and a consumer of both
BESIDE: Final = (
    """
@T.prim_func
def main(A: T.Buffer(({n}, {m}), "float32"), D: T.Buffer(({n}, {m}), "float32")):
    C = T.alloc_buffer(({n}, {m}))
"""
    + _DOUBLED
    + """\
    for i, j in T.grid({n}, {m}):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] + T.float32(1)
    for i, j in T.grid({n}, {m}):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = B[vi, vj] - C[vi, vj]
"""
)
#: a consumer of windows of {k} elements
WINDOWS: Final = """
@T.prim_func
def main(A: T.Buffer(({n} + {k},), "float32"), C: T.Buffer(({n},), "float32")):
    B = T.alloc_buffer(({n} + {k},))
    for i in range({n} + {k}):
        with T.block("B"):
            vi = T.axis.spatial({n} + {k}, i)
            B[vi] = A[vi] * T.float32(2)
    for i in range({n}):
        with T.block("C"):
            vi = T.axis.spatial({n}, i)
            C[vi] = B[vi] + B[vi + {k}]
"""
#: zeros around a matrix
_PADDING: Final = """
@T.prim_func
def main(A: T.Buffer(({n}, {m}), "float32"), P: T.Buffer(({n} + 2, {m} + 2 * {k}), "float32")):
    for i, j in T.grid({n} + 2, {m} + 2 * {k}):
        with T.block("P"):
            vi, vj = T.axis.remap("SS", [i, j])
            P[vi, vj] = T.if_then_else(
                1 <= vi and vi < {n} + 1 and {k} <= vj and vj < {m} + {k}, A[vi - 1, vj - {k}], T.float32(0)
            )
"""
#: a block that changes a buffer in place
_IN_PLACE: Final = """
@T.prim_func
def main(A: T.Buffer(({n},), "float32"), C: T.Buffer(({n},), "float32")):
    B = T.alloc_buffer(({n},))
    for i in range({n}):
        with T.block("B"):
            vi = T.axis.spatial({n}, i)
            B[vi] = A[vi] * T.float32(2)
    for i in range(1):
        with T.block("twice"):
            T.reads(B[0:{n}])
            T.writes(B[0:{n}])
            for j in range({n}):
                B[j] = B[j] + B[j]
    for i in range({n}):
        with T.block("C"):
            vi = T.axis.spatial({n}, i)
            C[vi] = B[vi]
"""
#: rows gathered by an index
_GATHER: Final = """
@T.prim_func
def main(A: T.Buffer(({n} * {m},), "float32"), C: T.Buffer(({n}, {m}), "float32")):
    for i, j in T.grid({n}, {m}):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vj * {n} + vi] + A[(vj * {n} + vi) // 2]
"""
#: products of tiles that `_DOT` computes
_TILES: Final = """
@T.prim_func
def main(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, ({n} * 4, {k} * 4), "float32")
    B = T.match_buffer(b, ({k} * 4, {m} * 4), "float32")
    C = T.match_buffer(c, ({n} * 4, {m} * 4), "float32")
    for i, j, k in T.grid({n} * 4, {m} * 4, {k} * 4):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
"""
_DOT: Final = "fuzz_dot_4x4x4"
_DOT_HEAD: Final = """
@T.prim_func
def dot(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, (4, 4), "float32", offset_factor=1)
    B = T.match_buffer(b, (4, 4), "float32", offset_factor=1)
    C = T.match_buffer(c, (4, 4), "float32", offset_factor=1)
    with T.block("root"):
        T.reads(C[0:4, 0:4], A[0:4, 0:4], B[0:4, 0:4])
        T.writes(C[0:4, 0:4])
"""
_DOT_DESC: Final = (
    _DOT_HEAD
    + """\
        for i, j, k in T.grid(4, 4, 4):
            with T.block("step"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
"""
)
_DOT_IMPL: Final = (
    _DOT_HEAD
    + """\
        for i, j in T.grid(4, 4):
            C[i, j] = C[i, j] + A[i, 0] * B[0, j] + A[i, 1] * B[1, j] + A[i, 2] * B[2, j] + A[i, 3] * B[3, j]
"""
)


@dataclass(frozen=True)
class Accepted:
    """A program and a step that its primitive must accept."""

    program: str
    apply: Callable[[Schedule, Pick], object]
    #: whether the program is another one afterwards
    is_changing: bool = True

    def text(self, pick: Pick) -> str:
        """Return the program with sizes that are drawn."""
        return sized(self.program, pick)


def sized(program: str, pick: Pick) -> str:
    """Return a program with sizes that are drawn."""
    return program.format(n=4 + pick(9), m=3 + pick(6), k=2 + pick(3))


def _loop(sch: Schedule, block: str, place: int) -> LoopRV:
    return sch.get_loops(block)[place]


def _tiles(sch: Schedule, block: str, pick: Pick) -> LoopRV:
    """Split the first loop of a block, and return the loop over the tiles."""
    return sch.split(sch.get_loops(block)[0], [None, pick(3) + 2])[0]


def _roll(sch: Schedule, pick: Pick) -> None:
    tiles, _ = sch.split(sch.get_loops("C")[0], [None, 2 + pick(2)])  # two tiles at least
    sch.compute_at("B", tiles)
    sch.rolling_buffer("B", 0)


def _factor(sch: Schedule, pick: Pick) -> None:
    """Factor a reduction, whole or split by a divisor of its extent, with a loop of one iteration in it or not."""
    loop = sch.get_loops("C")[2]
    if pick(3) == 0:
        sch.add_unit_loop(sch.get_block("C"))
    if pick(2):
        loop = sch.split(loop, sch.sample_perfect_tile(loop, 2))[pick(2)]
    sch.rfactor(loop, (0, 1, -1)[pick(3)])


def _decompose_at(place: int) -> Callable[[Schedule, Pick], object]:
    return lambda sch, pick: sch.decompose_reduction("C", sch.get_loops("C")[place])


def _annotate(sch: Schedule, pick: Pick) -> None:
    loop = sch.get_loops("C")[pick(2)]
    sch.annotate(loop, "note", pick(5))
    sch.unannotate(loop, "note")


def _padded(block: str, side: str) -> Callable[[Schedule, Pick], object]:
    """Split the last dimension of a buffer into blocks of four."""
    return lambda sch, pick: sch.transform_layout(
        block, (side, 0), lambda *axes: (*axes[:-1], axes[-1] // 4, axes[-1] % 4), pad_value=1.0
    )


def _copy_into_tile(method: str, block: str) -> Callable[[Schedule, Pick], object]:
    def step(sch: Schedule, pick: Pick) -> None:
        i, j, k = sch.get_loops("C")
        outer = [sch.split(loop, sch.sample_perfect_tile(loop, 2)) for loop in (i, j, k)]
        sch.reorder(*(pair[0] for pair in outer), *(pair[1] for pair in outer))
        getattr(sch, method)(outer[2][0] if method == "read_at" else outer[1][0], block, 0, "shared")

    return step


#: what makes of `_TILES` something that `_DOT` does not compute
_OTHER_TILES: Final = (
    ("A[vi, vk] * B[vk, vj]", "A[vi, vk] - B[vk, vj]"),
    ("A[vi, vk] * B[vk, vj]", "B[vi, vk] * A[vk, vj]"),
    ("A[vi, vk] * B[vk, vj]", "A[vi, vk] * B[vj, vk]"),
    ("A[vi, vk] * B[vk, vj]", "A[vk, vi] * B[vk, vj]"),
    ("A[vi, vk] * B[vk, vj]", "A[vi, vk] * A[vk, vj]"),
    ("A[vi, vk] * B[vk, vj]", "A[vi, vk] * B[vk, vj] + T.float32(1)"),
    ("A[vi, vk] * B[vk, vj]", "A[vi, vk] * T.float32(2)"),
    ("A[vi, vk] * B[vk, vj]", "A[vi, vk] * B[vk, vj] * B[vk, vj]"),
    ("A[vi, vk] * B[vk, vj]", "A[vi, 0] * B[vk, vj]"),
    ("A[vi, vk] * B[vk, vj]", "A[vi, T.max(vk - 1, 0)] * B[vk, vj]"),
    ("A[vi, vk] * B[vk, vj]", "T.if_then_else(vi < vj, A[vi, vk], B[vk, vj])"),
    ("C[vi, vj] + A", "C[vi, vj] - A"),
    ("C[vi, vj] + A", "T.float32(2) * C[vi, vj] + A"),
    ("C[vi, vj] = C[vi, vj] +", "C[vi, vj] = T.float32(1) +"),
    ('T.axis.remap("SSR", [i, j, k])', 'T.axis.remap("SSR", [j, i, k])'),
    ("            C[vi, vj] = C[vi, vj] +", "            T.where(i < j + 3)\n            C[vi, vj] = C[vi, vj] +"),
)


def tensorize_other(pick: Pick) -> tuple[str, Callable[[Schedule], None]]:
    """Return a program that the instruction of `tensorize` does not compute, and the step that must not change it."""
    old, new = _OTHER_TILES[pick(len(_OTHER_TILES))]
    return _TILES.format(n=2, m=2, k=2).replace(old, new), lambda sch: _tensorize(sch, pick)


def _tensorize(sch: Schedule, pick: Pick) -> None:
    """Let an instruction compute tiles of a product: of a loop nest, or of the block that is around it."""
    TensorIntrin.register(_DOT, from_source(_DOT_DESC), from_source(_DOT_IMPL), override=True)
    outer, inner = zip(*(sch.split(loop, [None, 4]) for loop in sch.get_loops("C")), strict=True)
    sch.reorder(*outer, *inner)
    if pick(2):
        sch.decompose_reduction("C", outer[2])
        tile: LoopRV | BlockRV = sch.get_loops("C_update")[3]
    else:
        sch.decompose_reduction("C", outer[pick(3)])
        tile = sch.blockize(sch.get_loops("C_update")[3])
    sch.tensorize(tile, _DOT)


#: primitive -> programs and steps
ACCEPTED: Final[dict[str, tuple[Accepted, ...]]] = {
    "split": (
        Accepted(CHAIN, lambda sch, pick: sch.split(_loop(sch, "C", pick(2)), [None, pick(5) + 1])),
        Accepted(PRODUCT, lambda sch, pick: sch.split(_loop(sch, "C", pick(3)), [pick(5) + 1, None])),
    ),
    "fuse": (Accepted(PRODUCT, lambda sch, pick: sch.fuse(*sch.get_loops("C")[: pick(2) + 2])),),
    "reorder": (
        Accepted(PRODUCT, lambda sch, pick: sch.reorder(*sch.get_loops("C")[::-1][: pick(2) + 2])),
        Accepted(CHAIN, lambda sch, pick: sch.reorder(*sch.get_loops("B")[::-1])),
    ),
    "merge": (
        Accepted(BESIDE, lambda sch, pick: sch.merge(*(sch.get_loops(name)[1] for name in ("B", "C")))),
        Accepted(BESIDE, lambda sch, pick: sch.merge(*(sch.get_loops(name)[0] for name in ("B", "C")))),
    ),
    "loop_partition": (Accepted(CHAIN, lambda sch, pick: sch.loop_partition(_loop(sch, "C", 0), [1 + pick(3), None])),),
    "add_unit_loop": (
        Accepted(CHAIN, lambda sch, pick: sch.add_unit_loop(_loop(sch, "C", pick(2)))),
        Accepted(CHAIN, lambda sch, pick: sch.add_unit_loop(sch.get_block("B"))),
    ),
    "parallel": (
        Accepted(PRODUCT, lambda sch, pick: sch.parallel(_loop(sch, "C", pick(2)))),
        Accepted(CHAIN, lambda sch, pick: sch.parallel(sch.fuse(*sch.get_loops("B")))),
    ),
    "vectorize": (
        Accepted(CHAIN, lambda sch, pick: sch.vectorize(sch.split(_loop(sch, "C", 1), [None, 4])[1])),
        Accepted(PRODUCT, lambda sch, pick: sch.vectorize(_loop(sch, "C", 1))),
    ),
    "unroll": (Accepted(PRODUCT, lambda sch, pick: sch.unroll(_loop(sch, "C", pick(3)))),),
    "bind": (
        Accepted(PRODUCT, lambda sch, pick: sch.bind(_loop(sch, "C", pick(2)), ("threadIdx.x", "blockIdx.y")[pick(2)])),
    ),
    "annotate": (Accepted(CHAIN, lambda sch, pick: sch.annotate(sch.get_block("C"), "note", pick(4))),),
    "unannotate": (Accepted(CHAIN, _annotate, is_changing=False),),
    "cache_read": (
        Accepted(PRODUCT, lambda sch, pick: sch.cache_read("C", pick(2), "shared")),
        Accepted(BESIDE, lambda sch, pick: sch.cache_read("B", "A", "local", ["C"])),
    ),
    "cache_write": (
        Accepted(PRODUCT, lambda sch, pick: sch.cache_write("C", 0, "local")),
        Accepted(CHAIN, lambda sch, pick: sch.cache_write("B", "B", "shared")),
    ),
    "cache_index": (Accepted(_GATHER, lambda sch, pick: sch.cache_index("C", "global", 0)),),
    "cache_inplace": (Accepted(_IN_PLACE, lambda sch, pick: sch.cache_inplace("twice", 0, "local")),),
    "reindex": (
        Accepted(_GATHER, lambda sch, pick: sch.reindex("C", ("write", 0))),
        Accepted(PRODUCT, lambda sch, pick: sch.reindex("C", ("read", pick(2)))),
    ),
    "compute_at": (
        Accepted(CHAIN, lambda sch, pick: sch.compute_at("B", _loop(sch, "C", pick(2)))),
        Accepted(CHAIN, lambda sch, pick: sch.compute_at("B", _tiles(sch, "C", pick))),
        Accepted(WINDOWS, lambda sch, pick: sch.compute_at("B", _tiles(sch, "C", pick))),
    ),
    "reverse_compute_at": (
        Accepted(CHAIN, lambda sch, pick: sch.reverse_compute_at("C", _loop(sch, "B", pick(2)))),
        Accepted(CHAIN, lambda sch, pick: sch.reverse_compute_at("C", _tiles(sch, "B", pick))),
    ),
    "compute_inline": (
        Accepted(CHAIN, lambda sch, pick: sch.compute_inline("B")),
        Accepted(BESIDE, lambda sch, pick: sch.compute_inline(("B", "C")[pick(2)])),
        Accepted(WINDOWS, lambda sch, pick: sch.compute_inline("B")),
    ),
    "reverse_compute_inline": (
        Accepted(CHAIN, lambda sch, pick: sch.reverse_compute_inline("C")),
        Accepted(BESIDE, lambda sch, pick: (sch.compute_inline("C"), sch.reverse_compute_inline("D"))),
    ),
    "decompose_reduction": tuple(Accepted(PRODUCT, _decompose_at(place)) for place in range(3)),
    "rfactor": (Accepted(PRODUCT, _factor),),
    "decompose_padding": (
        Accepted(_PADDING, lambda sch, pick: sch.decompose_padding("P", _loop(sch, "P", 0))),
        Accepted(_PADDING, lambda sch, pick: sch.decompose_padding("P", _loop(sch, "P", 1))),
    ),
    "pad_einsum": (Accepted(PRODUCT, lambda sch, pick: sch.pad_einsum("C", [13, 1 + pick(4), 9])),),
    "blockize": (
        Accepted(PRODUCT, lambda sch, pick: sch.blockize(_loop(sch, "C", pick(3)))),
        Accepted(CHAIN, lambda sch, pick: sch.blockize(sch.split(_loop(sch, "B", 1), [None, 1])[1])),
        Accepted(CHAIN, lambda sch, pick: sch.blockize([sch.get_block("B"), sch.get_block("C")], pick(2) == 0)),
    ),
    "set_scope": (Accepted(CHAIN, lambda sch, pick: sch.set_scope("B", 0, "shared")),),
    "storage_align": (Accepted(CHAIN, lambda sch, pick: sch.storage_align("B", 0, 0, 8, pick(8))),),
    "transform_layout": (
        Accepted(CHAIN, lambda sch, pick: sch.transform_layout("B", ("write", 0), lambda i, j: (j, i))),
        Accepted(PRODUCT, lambda sch, pick: sch.transform_layout("C", ("read", 1), lambda i, j: (j, i))),
        Accepted(
            CHAIN,
            lambda sch, pick: sch.transform_layout("C", ("read", 0), lambda i, j: (i // 2, j, i % 2), pad_value=0.0),
        ),
        *(
            Accepted(program, _padded(block, side))
            for program, block, side in (
                (CHAIN, "B", "write"),
                (BESIDE, "D", "write"),
                (WINDOWS, "C", "read"),
                (_IN_PLACE, "C", "read"),
                (PRODUCT, "C", "write"),
            )
        ),
    ),
    "transform_block_layout": (
        Accepted(CHAIN, lambda sch, pick: sch.transform_block_layout("C", lambda i, j: (j, i))),
    ),
    "reorder_block_iter_var": (
        Accepted(PRODUCT, lambda sch, pick: sch.reorder_block_iter_var(sch.get_block("C"), [1, 2, 0])),
        Accepted(CHAIN, lambda sch, pick: sch.reorder_block_iter_var(sch.get_block("B"), [1, 0])),
    ),
    "sample_perfect_tile": (
        Accepted(PRODUCT, lambda sch, pick: sch.sample_perfect_tile(_loop(sch, "C", pick(3)), pick(3) + 2), False),
    ),
    "reindex_cache_read": (
        Accepted(
            PRODUCT, lambda sch, pick: sch.reindex_cache_read("C", 1, "shared", lambda i, j, k: (j, k // 2, k % 2))
        ),
    ),
    "reindex_cache_write": (
        Accepted(PRODUCT, lambda sch, pick: sch.reindex_cache_write("C", 0, "shared", lambda i, j, k: (j, i))),
    ),
    "read_at": (Accepted(PRODUCT, _copy_into_tile("read_at", "C")),),
    "write_at": (Accepted(PRODUCT, _copy_into_tile("write_at", "C")),),
    "rolling_buffer": (Accepted(WINDOWS, _roll),),
    "tensorize": (Accepted(_TILES, _tensorize),),
    "annotate_buffer_access": (
        Accepted(
            CHAIN,
            lambda sch, pick: sch.annotate_buffer_access("C", 0, "read", lambda i, j: ((i, i + 1), (0, 3 + pick(2)))),
        ),
    ),
    "unsafe_hide_buffer_access": (Accepted(CHAIN, lambda sch, pick: sch.unsafe_hide_buffer_access("C", "read", [0])),),
    "set_axis_separator": (
        Accepted(CHAIN, lambda sch, pick: sch.set_axis_separator("B", ("write", 0), [1])),
        Accepted(CHAIN, lambda sch, pick: sch.set_axis_separator("C", ("read", 0), [1])),
    ),
    "unsafe_set_dtype": (Accepted(CHAIN, lambda sch, pick: sch.unsafe_set_dtype("B", 0, "float64")),),
}
