"""A program and a step for every error of schedules that TVM has: class -> (program, the lines of the script)."""

from __future__ import annotations

STAGES = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), E: T.Buffer((16, 16), "float32")):
    D = T.alloc_buffer((16, 16))
    C = T.alloc_buffer((16, 16))
    for i, j in T.grid(16, 16):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = A[vi, vj] + T.float32(1)
    for i, j, k in T.grid(16, 16, 16):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + D[vi, vk] * B[vk, vj]
    for i, j in T.grid(16, 16):
        with T.block("E"):
            vi, vj = T.axis.remap("SS", [i, j])
            E[vi, vj] = C[vi, vj] + D[vi, vj]
"""
LINE = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    B = T.alloc_buffer((16,))
    for i in range(16):
        with T.block("B"):
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi] * T.float32(2)
    for i in range(16):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            C[vi] = B[vi] + T.float32(1)
"""


def _line(*changes: tuple[str, str]) -> str:
    """`LINE` with other texts in it."""
    text = LINE
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def _stages(*changes: tuple[str, str]) -> str:
    """`STAGES` with other texts in it."""
    text = STAGES
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


_IN_B = 'for i in range(16):\n        with T.block("B")'
_IN_C = _IN_B.replace("B", "C")
#: the second block reads what the first one did not write
_UNCOVERED = _line(('for i in range(16):\n        with T.block("B")', 'for i in range(8):\n        with T.block("B")'))
#: B is written by two blocks
_TWICE = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    B = T.alloc_buffer((16,))
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi] * T.float32(2)
    for i in range(8):
        with T.block("B2"):
            vi = T.axis.spatial(16, i + 8)
            B[vi] = A[vi] * T.float32(3)
    for i in range(16):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            C[vi] = B[vi] + T.float32(1)
"""
_TRIANGLE = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
    for i in range(16):
        for j in range(i + 1):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)
"""
_SHARED_LOOP = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    for i in range(16):
        for j in range(16):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)
        for j in range(16):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] + T.float32(1)
"""
_OPAQUE_KIND = _line(("vi = T.axis.spatial(16, i)\n            C", "vi = T.axis.opaque(16, i)\n            C"))
_VIEW = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
    for i in range(16):
        with T.block("B"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi, 0:16])
            T.writes(B[vi, 0:16])
            row = T.match_buffer(B[vi, 0:16], (16,), offset_factor=1)
            for j in range(16):
                with T.block("row"):
                    vj = T.axis.spatial(16, j)
                    row[vj] = A[vi, vj]
"""
_STENCIL = _line(("B[vi] + T.float32(1)", "B[vi] + B[15 - vi]"))
_EXTERN = _line(
    ("C[vi] = B[vi] + T.float32(1)", 'T.reads(B[vi])\n            T.writes(C[vi])\n            '
     'T.evaluate(T.call_extern("int32", "f", B.data, C.data))'),
)  # fmt: skip
_INNER_LOOP = _line(
    ("B[vi] = A[vi] * T.float32(2)", "for u in range(1):\n                B[vi] = A[vi] * T.float32(2)")
)
_FROM_ONE = _line(
    ('for i in range(16):\n        with T.block("C")', 'for i in range(1, 16):\n        with T.block("C")')
)
_SUM_FROM_ONE = _stages(("C[vi, vj] = T.float32(0)", "C[vi, vj] = T.float32(1)"))
_SCAN = _line(
    ('vi = T.axis.spatial(16, i)\n            B[vi] = A[vi] * T.float32(2)',
     'vi = T.axis.scan(16, i)\n            B[vi] = A[vi] * T.float32(2)')
)  # fmt: skip
_TWO_WRITES = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    B = T.alloc_buffer((16,))
    B2 = T.alloc_buffer((16,))
    for i in range(16):
        with T.block("B"):
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi] * T.float32(2)
            B2[vi] = A[vi] * T.float32(3)
    for i in range(16):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            C[vi] = B[vi] + B2[vi]
"""
_ALONE = """
@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    B = T.alloc_buffer((16,))
    for i in range(16):
        with T.block("B"):
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi] * T.float32(2)
"""
_SYMBOLIC = """
@T.prim_func
def main(a: T.handle, c: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,))
    C = T.match_buffer(c, (n,))
    for i in range(n):
        with T.block("C"):
            vi = T.axis.spatial(n, i)
            C[vi] = A[vi] + T.float32(1)
"""
_POOLED = """
@T.prim_func
def main(A: T.Buffer((12, 16), "int8"), C: T.Buffer((8, 16), "int8")):
    B = T.alloc_buffer((10, 16), "int8")
    for i, j, k in T.grid(10, 16, 3):
        with T.block("B"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                B[vi, vj] = T.int8(-127)
            B[vi, vj] = T.max(B[vi, vj], A[vi + vk, vj])
    for i, j, k in T.grid(8, 16, 3):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.int8(-127)
            C[vi, vj] = T.max(C[vi, vj], B[vi + vk, vj])
"""
_NOT_AFFINE = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
    for i, j in T.grid(16, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, i])
            B[vi, vj] = A[vi, vj] * T.float32(2)
"""
_SQUARES = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 256), "float32")):
    for i, j in T.grid(16, 16):
        with T.block("B"):
            vi = T.axis.spatial(16, i)
            vj = T.axis.spatial(256, i * j)
            B[vi, vj] = A[vi, vj % 16] * T.float32(2)
"""
_TWO_SUMS = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    for i, k in T.grid(16, 16):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.float32(0)
                C[vi] = T.float32(0)
            B[vi] = B[vi] + A[vi, vk]
            C[vi] = C[vi] * A[vi, vk] + B[vi]
"""
_ALIGNED = LINE.replace(
    '        with T.block("B"):\n', '        with T.block("B"):\n            T.block_attr({"buffer_dim_align": 0})\n'
)
_L = 'i, j, k = sch.get_loops(sch.get_block("C"))'
_D = 'i, j = sch.get_loops(sch.get_block("D"))'
_C = '(i,) = sch.get_loops(sch.get_block("C"))'
_B = '(i,) = sch.get_loops(sch.get_block("B"))'

ERRORS: dict[str, tuple[str, tuple[str, ...]]] = {
    "NotSingleResult": (STAGES, ('sch.get_block("F")',)),
    "RootBlockError": (STAGES, ('sch.get_consumers("root")',)),
    "NotStagePipelineError": (_UNCOVERED, ('sch.compute_inline("B")',)),
    "NotRegionCoverError": (_UNCOVERED, ('sch.cache_read("C", 0, "local")',)),
    "NotAffineBindingError": (_SQUARES, ('sch.reorder(*sch.get_loops("B")[::-1])',)),
    "IncompleteBlockError": (_SCAN, ('sch.compute_inline("B")',)),
    "NotReductionBlockError": (STAGES, (_D, 'sch.decompose_reduction("D", j)')),
    "NotCompleteOrReductionBlockError": (_SCAN, (_C, 'sch.compute_at("B", i)')),
    "NotCompactDataFlowError": (_SCAN, (_B, "sch.parallel(i)")),
    "OutputBlockError": (LINE, ('sch.compute_inline("C")',)),
    "NotTrivialBindingError": (
        LINE,
        (_B, "sch.split(i, [4, 4])", 'sch.transform_block_layout("B", lambda i: (i // 2, i % 2))'),
    ),
    # loops
    "LoopNotStartWithZeroError": (_FROM_ONE, (_C, "sch.split(i, [4, 4])")),
    "HasAnnotationOrThreadBindingError": (LINE, (_C, 'sch.bind(i, "threadIdx.x")', "sch.split(i, [4, 4])")),
    "NotSingleInferFactorError": (LINE, (_C, "sch.split(i, [None, None])")),
    "NonPositiveFactorError": (LINE, (_C, "sch.split(i, [0, None])")),
    "WrongFactorError": (LINE, (_C, "sch.split(i, [3, 5])")),
    "SymbolicShapeError": (_SYMBOLIC, (_C, "sch.loop_partition(i, [2, None])")),
    "OuterNotInnerParent": (STAGES, (_L, "sch.fuse(i, k)")),
    "NotOnlyChildError": (_SHARED_LOOP, ('sch.fuse(*sch.get_loops("B"))',)),
    "DependentLoopError": (_TRIANGLE, ('sch.fuse(*sch.get_loops("B"))',)),
    "LoopMultiAppearanceError": (STAGES, (_L, "sch.reorder(i, j, i)")),
    "LoopsNotAChainError": (STAGES, ('sch.reorder(sch.get_loops("D")[0], sch.get_loops("C")[0])',)),
    "BlockPropertyError": (
        _OPAQUE_KIND.replace(_IN_C, _IN_C.replace("i in range(16)", "i, u in T.grid(16, 1)")),
        ('sch.reorder(*sch.get_loops("C")[::-1])',),
    ),
    "InvalidReorderIndex": (STAGES, ('sch.reorder_block_iter_var(sch.get_block("C"), [0, 0, 1])',)),
    "WrongBlockIterTypeError": (STAGES, (_L, "sch.parallel(k)")),
    # reductions
    "NotSerialLoopKindError": (STAGES, (_L, "sch.unroll(k)", "sch.rfactor(k, 0)")),
    "FactorAxisOutOfRangeError": (STAGES, (_L, "sch.rfactor(k, 5)")),
    "NoMatchedReducerError": (_SUM_FROM_ONE, (_L, "sch.rfactor(k, 0)")),
    "RFactorNotApplicableError": (_TWO_SUMS, ('sch.rfactor(sch.get_loops("B")[1], 0)',)),
    "LoopPropertyError": (STAGES, (_L, "sch.rfactor(i, 0)")),
    "LoopHeightError": (STAGES, (_L, "sch.reorder(k, j)", 'sch.decompose_reduction("C", j)')),
    "LoopPositionError": (STAGES, (_D, 'sch.decompose_reduction("C", j)')),
    # padding
    "PaddingPatternMatchError": (LINE, (_B, 'sch.decompose_padding("B", i)')),
    "NonEinsumError": (_POOLED, ('sch.pad_einsum("B", [3, 3, 2])',)),
    "InvalidPaddingError": (STAGES, ('sch.pad_einsum("C", [3, 3])',)),
    # moving and inlining
    "InsertionPointNotFoundError": (LINE, (_C, 'sch.compute_at("B", i, index=7)')),
    "NotInSameScopeError": (LINE, (_B, 'sch.compute_at("B", i)')),
    "NotAllRequiredBlocksAreVisitedError": (STAGES, (_L, 'sch.compute_at("D", i)')),
    "NonSingleProducerError": (_TWICE, ('sch.reverse_compute_inline("C")',)),
    "HasInitBlock": (STAGES, ('sch.compute_inline("C")',)),
    "BodyAnalysisError": (_INNER_LOOP, ('sch.compute_inline("B")',)),
    "OpaqueAccessError": (_EXTERN, ('sch.compute_inline("B")',)),
    "NotSingleReadWriteBuffer": (_TWO_WRITES, ('sch.compute_inline("B")',)),
    "OnlyLeafError": (_ALONE, ('sch.compute_inline("B")',)),
    # caches and storage
    "BufferIndexOutOfRangeError": (LINE, ('sch.cache_read("C", 1, "local")',)),
    "InvalidStorageScopeError": (LINE, ('sch.cache_read("C", 0, "nowhere")',)),
    "InvalidBufferAccessError": (_STENCIL, ('sch.reindex("C", ("read", 0))',)),
    "NotReadWriteError": (LINE, ('sch.cache_inplace("C", 0, "local")',)),
    "NotSinglePointAccess": (_STENCIL, ('sch.reindex_cache_read("C", 0, "local", lambda i: i)',)),
    "NotSingleWriteBlock": (_TWICE, ('sch.cache_read("C", 0, "local")',)),
    "NotLeafBlockError": (LINE, (_C, 'sch.reindex(sch.blockize(i), ("read", 0))')),
    "ReindexCacheReadWriteNotMatchError": (STAGES, ('sch.reindex_cache_read("E", 0, "local", lambda i, j: (i, i))',)),
    "NonAllocatedBufferError": (LINE, ('sch.set_scope("C", 0, "shared")',)),
    "StorageAlignInvalidAnnotationError": (_ALIGNED, ('sch.storage_align("B", 0, 0, 16, 1)',)),
    "StorageAlignInvalidFactorError": (LINE, ('sch.storage_align("B", 0, 0, 0, 1)',)),
    "StorageAlignAxisOutOfRangeError": (LINE, ('sch.storage_align("B", 0, 3, 16, 1)',)),
    "BufTypeError": (LINE, ('sch.unsafe_hide_buffer_access(sch.get_block("C"), "both", [0])',)),
    "InvalidIndexError": (LINE, ('sch.unsafe_hide_buffer_access(sch.get_block("C"), "read", [3])',)),
    "RollingBufferInsertionError": (_POOLED, ('sch.rolling_buffer("B", 0)',)),
    "RollingBufferMatchError": (LINE, (_C, 'sch.compute_at("B", i)', 'sch.rolling_buffer("B", 0)')),
    "RollingBufferDependencyError": (
        _TWICE,
        (_C, 'sch.rolling_buffer("B", 0)'),
    ),
    # layouts and tensors
    "SubspaceNotDivisibleError": (
        LINE,
        (_C, "i = sch.split(i, [3, 6])[1]", "sch.blockize(i)"),
    ),
    "NonSingleChildBlockError": (_SHARED_LOOP, ('sch.blockize(sch.get_loops("B")[0])',)),
    "BufferIsSubregionError": (_VIEW, ('sch.set_axis_separator("row", ("write", 0), [])',)),
    "IndexMapNotApplicableToBlockIterError": (STAGES, ('sch.transform_block_layout("D", lambda i: i)',)),
    "OpaqueNewIterTypeError": (STAGES, ('sch.transform_block_layout("C", lambda i, j, k: (i, j * 16 + k))',)),
    "NotBijectiveAffineIndexMapError": (STAGES, ('sch.transform_block_layout("D", lambda i, j: (i, j // 2))',)),
    "TensorIntrinMismatchError": (
        STAGES,
        (
            # TVM knows its intrinsics where this is imported
            "try:\n    import tvm.tir.tensor_intrin\nexcept ImportError:\n    pass",
            _D,
            'sch.tensorize(i, "dot_16x4_vnni")',
        ),
    ),
    "TransformationIntroducesPaddingError": (
        LINE,
        ('sch.transform_layout("B", ("write", 0), lambda i: (i // 5, i % 5))',),
    ),
    "TransformationPaddingTypeError": (
        LINE,
        ('sch.transform_layout("B", ("write", 0), lambda i: (i // 5, i % 5), pad_value=lambda i, j: i)',),
    ),
    "TransformationPaddingIndexMapError": (
        LINE,
        ('sch.transform_layout("B", ("write", 0), lambda i: (i // 5, i % 5), pad_value=lambda i, j: (i, j))',),
    ),
    "TransformationPaddingExpressionError": (
        LINE,
        (
            "A = sch.get(sch.get_block('B')).reads[0].buffer",
            'sch.transform_layout("B", ("write", 0), lambda i: (i // 5, i % 5), pad_value=lambda i, j: A[i])',
        ),
    ),
}  # fmt: skip
