"""Bugs of the CUDA backend, of default schedules for GPUs, and of barriers: tests without a GPU look for them."""

from __future__ import annotations

from typing import Final

from tests.mutation.patch import Patch

_TEXT: Final = "tests/backends/cuda/test_text_on_cpu.py"
_SOURCE: Final = "tests/backends/cuda/test_source.py"
_LAUNCH: Final = "tests/backends/cuda/test_launch.py"
_RULES: Final = "tests/ir/schedule/default/gpu/test_rules.py"
_CORES: Final = "tests/ir/schedule/default/gpu/test_tensor_cores.py"
_INSTRUCTIONS: Final = "tests/backends/interp/test_ptx_instructions.py"
_BULK: Final = "tests/ir/transform/loops/inject_software_pipeline/test_bulk_copies.py"
_BULK_STORES: Final = "tests/ir/transform/loops/inject_software_pipeline/test_bulk_stores.py"
_PASSES: Final = "tests/ir/transform/test_cases.py"
_SANITIZER: Final = "tests/backends/interp/sanitizer/test_cases.py"
_PAGED: Final = "tests/tvmscript/kernels/test_paged_attention.py"
_FEW_ROWS: Final = "tests/ir/schedule/default/gpu/test_low_batch_gemv.py"
_LOOPS: Final = "tests/ir/schedule/default/gpu/test_parallel_loops.py"
_ARRAYS: Final = "tests/backends/runtime/test_cuda_array.py"
_GRAPHS: Final = "tests/backends/cuda/test_graphs.py"
_NVPTX: Final = "tests/backends/nvptx/test_kernels.py"


def _cpu(*names: str) -> tuple[str, ...]:
    """Return the arguments of pytest for some kernels on the CPU."""
    words = [f"({' and '.join(name.split())})" for name in names]
    return (_TEXT, "-m", "long or not long", "-k", " or ".join(words))


def _of(path: str, words: str) -> tuple[str, ...]:
    return (path, "-m", "long or not long", "-k", words)


PATCHES: Final = (
    # the text of kernels
    Patch("offset-in-elements", "backends/cuda/pointers.py",
          "unit = cg.pointees.get(data, dtype) if isinstance(data, tir.Var) else dtype", "unit = dtype",
          "offsets into merged memory count elements, not bytes", tests=_cpu("merged")),
    Patch("uncommitted-copies", "backends/cuda/statements.py", 'cg.line("cp_async_commit();")', "pass",
          "groups of copies are not committed", tests=_cpu("float16 to float32 nt")),
    Patch("waits-for-nothing", "backends/cuda/statements.py",
          'cg.line(f"cp_async_wait<{count}>();")', "pass",
          "a stage is read before its copies have arrived", tests=_cpu("float16 to float32 nt")),
    Patch("barrier-of-a-warp", "backends/cuda/intrinsics.py",
          '"shared": "__syncthreads()", "shared.dyn"', '"shared": "__syncwarp()", "shared.dyn"',
          "a barrier waits for the warp alone", tests=_cpu("tiled", "row_sum")),
    Patch("narrow-vector", "backends/cuda/vectors.py", "return max(min(size & -size, _WIDEST) // itemsize, 1)", "return 1",
          "vectors are accessed at places that are not aligned", tests=(_SOURCE,)),
    Patch("first-lane", "backends/cuda/vectors.py", 'cg.line(f"{name}[{index}] = {cg.expr(value).text};")',
          'cg.line(f"{name}[0] = {cg.expr(value).text};")', "all lanes are computed into the first", tests=_cpu("vector")),
    Patch("scattered-store", "backends/cuda/vectors.py", "if per_element != 1 or not is_const(last.stride, 1):",
          "if per_element != 1:", "vectors with a stride are accessed as neighbours", tests=(_SOURCE, _LAUNCH)),
    Patch("high-half", "backends/cuda/vectors.py", 'node.op.name == "tir.vectorlow" else', 'node.op.name == "tir.vectorhigh" else',
          "the halves of vectors are exchanged", tests=(_SOURCE,)),
    Patch("predicate-of-copies", "backends/cuda/tensor_cores.py",
          'guard = "".join(f", {cg.expr(flag).text}" for flag in predicate)', 'guard = ""',
          "copies ignore their condition", tests=_cpu("sizes of whole")),
    Patch("ldmatrix-transposed", "backends/cuda/tensor_cores.py",
          'name = "ldmatrix_transposed" if transposed.value else "ldmatrix"', 'name = "ldmatrix"',
          "matrices are not transposed when they are loaded", tests=_cpu("tn", "nn")),
    Patch("operands-of-mma", "backends/cuda/tensor_cores.py", "for name, place, letter in zip(names, (6, 8, 10), letters",
          "for name, place, letter in zip(names, (8, 6, 10), letters", "mma has its operands exchanged",
          tests=_cpu("float16 to float32 nt")),
    Patch("fill-once", "backends/cuda/tensor_cores.py", '{number} < {cg.expr(size).text}; ++{number}', '{number} < 1; ++{number}',
          "sums of tensor cores begin with what is in registers", tests=_cpu("float16 to float32 nt")),
    Patch("bounds-of-a-block", "backends/cuda/kernel.py", "return prod(sizes) if len(sizes) == len(extents) else None",
          "return sizes[0] if len(sizes) == len(extents) else None", "the bound of threads is that of an axis",
          tests=(_SOURCE, _CORES, "-m", "not long")),
    Patch("merged-bytes", "backends/cuda/kernel.py", "* node.dtype.element.itemsize", "* 1",
          "dynamic shared memory is counted in elements", tests=(_LAUNCH,)),
    Patch("axes-of-a-launch", "backends/cuda/launcher.py", "4 * (3 * number + place)", "4 * (3 * number + 2 - place)",
          "x and z of a launch are exchanged", tests=(_LAUNCH,)),
    # schedules
    Patch("tile-of-warps", "ir/schedule/default/gpu/matmul_tensorization.py",
          "row, [None, tile.row_warps, tile.rows // tile.row_warps // _FRAGMENT, _FRAGMENT]",
          "row, [None, 1, tile.rows // tile.row_warps // _FRAGMENT, _FRAGMENT]", "a warp leaves half of the rows out",
          tests=(_CORES,)),
    Patch("rows-without-padding", "ir/schedule/default/gpu/matmul_tensorization.py",
          "sch.storage_align(shared, 0, -2, 2 * vector, vector)", "pass", "rows in shared memory have conflicts of banks",
          tests=(_CORES,)),
    Patch("stored-rows", "ir/schedule/default/gpu/matmul_tensorization.py", "sch.split(row, [None, 2, 8])",
          "sch.split(row, [None, 8, 2])", "threads store rows that they do not have", tests=(_CORES,)),
    Patch("not-transposed-by-copy", "ir/schedule/default/gpu/matmul_tensorization.py",
          "is_transposed_by_copy = not kind.is_transposable and not is_terms_last", "is_transposed_by_copy = False",
          "int8 tiles are not transposed", tests=_of(_CORES, "int8")),
    Patch("padded-store", "ir/schedule/default/gpu/flat_product.py", "store = _pad(sch, block, padding, store) if is_padded else store",
          "is_padded and _pad(sch, block, padding, store)", "the block that crops a padded result is not scheduled",
          tests=_of(_RULES, "odd")),
    Patch("columns-of-another-product", "ir/schedule/default/gpu/flat_product.py", "not columns_last or uses", "True or uses",
          "rows are stored as columns", tests=_of(_RULES, "channels")),
    Patch("epilogue-before-the-sum", "ir/schedule/default/gpu/matmul.py", "sch.reverse_compute_at(store, thread_column)",
          "sch.reverse_compute_at(store, part_row)", "threads store what others have", tests=_of(_RULES, "matmul")),
    Patch("rows-side-by-side", "ir/schedule/default/gpu/matmul.py", "sch.storage_align(shared, 0, -2, 2 * _VECTOR, _VECTOR)", "pass",
          "tiles have conflicts of banks", tests=_of(_RULES, "conflicts")),
    Patch("largest-tiling", "ir/schedule/default/gpu/tile_model.py", "return min(tilings, key=cost)", "return max(tilings, key=cost)",
          "the most expensive tiling is chosen", tests=("--doctest-modules", "tvmscript/ir/schedule/default/gpu/tile_model.py")),
    Patch("threads-of-a-row", "ir/schedule/default/gpu/reduction.py", 'sch.set_scope(block, 0, "shared")\n        sch.reverse_compute_at(epilogue, rows)',
          'sch.reverse_compute_at(epilogue, rows)', "the total of a row goes through global memory", tests=_of(_RULES, "rows")),
    Patch("unaligned-tile", "ir/schedule/default/gpu/transpose.py", "sch.storage_align(tile, 0, 0, _COLUMNS, 1)", "pass",
          "columns of a transposed tile are in one bank", tests=_of(_RULES, "conflicts")),
    Patch("vectors-of-32-bytes", "ir/schedule/default/gpu/elementwise.py", "_VECTOR_BYTES: Final = 16", "_VECTOR_BYTES: Final = 32",
          "threads take more than an instruction moves", tests=(_SOURCE, _RULES, "-k", "add or vector or 16_bytes")),
    Patch("scheduled-again", "ir/schedule/default/gpu/gpu_rule.py", "or not is_unscheduled(func)", "", "schedules are scheduled once more",
          tests=_of(_RULES, "twice")),
    Patch("causal-by-a-tile", "tvmscript/kernels/attention.py", 'tiles=f"T.min(block + 1, {tiles})" if causal else tiles',
          'tiles=f"T.min(block, {tiles})" if causal else tiles', "causal attention leaves out the last tile", tests=("tests/tvmscript/kernels",)),
    Patch("mask-of-the-end", "tvmscript/kernels/attention.py", 'if keys % _TILE else []', "if False else []",
          "keys after the last one have weights", tests=_of("tests/tvmscript/kernels", "values")),
    # barriers and memory
    Patch("write-after-read", "ir/transform/threads/thread_sync/thread_sync.py", "return _conflicts_with_any(self.reads, access)", "return False",
          "memory is overwritten while others read it", tests=_of(_PASSES, "thread_sync")),
    Patch("barrier-on-one-path", "ir/transform/threads/thread_sync/thread_sync.py",
          "accesses += [access for case_accesses in summaries for access in case_accesses if access.kind is not _Kind.SYNC]",
          "accesses += [access for case_accesses in summaries for access in case_accesses]",
          "a barrier on one path counts for both", tests=_of(_PASSES, "thread_sync")),
    Patch("next-iteration", "ir/transform/threads/thread_sync/thread_sync.py",
          "inside = [_widen_over_loop(access, node) for access in self.summary(entries, is_loop=True)]",
          "inside = [_widen_over_loop(access, node) for access in self.summary(entries, is_loop=False)]",
          "iterations are not separated", tests=_of(_PASSES, "thread_sync")),
    Patch("pointers-that-read", "ir/transform/threads/thread_sync/thread_sync.py", "for bit, kind in ((1, _Kind.READ), (2, _Kind.WRITE)):",
          "for bit, kind in ((2, _Kind.WRITE),):", "what is read through pointers needs no barrier", tests=_of(_PASSES, "thread_sync")),
    Patch("address-of-bytes", "ir/transform/memory/merge_shared_memory_allocations.py",
          '_SHARED_DATA: Final = {"tir.ptx_ldmatrix": (5, _READ), ', '_SHARED_DATA: Final = {', "ldmatrix counts bytes", tests=_of(_PASSES, "merge_shared")),
    Patch("type-of-pointers", "ir/transform/dtypes/common/compute_legalize.py", "if node.op is tvm_access_ptr:", "if False:",
          "pointers to bfloat16 count float32", tests=_of(_CORES, "bfloat16")),
    Patch("asynchronous-never", "ir/transform/pipeline.py", "arch >= _FIRST_WITH_ASYNC_COPIES", "False",
          "pipelines copy synchronously", tests=(_SOURCE, _CORES, "-m", "not long")),
    # bulk copies
    Patch("copies-do-not-wait", "ir/transform/loops/inject_software_pipeline/bulk_barriers.py",
          "wait = self._wait(self.empty, 1)", "wait = self._wait(self.full, 1)",
          "tiles are copied over those that are read", tests=(_BULK,)),
    Patch("bytes-of-a-part", "ir/transform/loops/inject_software_pipeline/bulk_copies.py",
          "elements = prod(self.box) * prod(constant_extent(loop) for loop in self.parts)", "elements = prod(self.box)",
          "a tile is thought to have arrived with its first part", tests=("tests/ir/schedule/default/gpu/test_matmul_wgmma.py", "-m", "long or not long", "-k", "two_groups and tn")),
    Patch("excluded-elements", "ir/transform/loops/inject_software_pipeline/bulk_copies.py",
          "if not analyzer.can_prove(condition):", "if False:", "elements that a condition excludes are copied", tests=(_BULK,)),
    Patch("strides-of-tensor-maps", "ir/transform/loops/inject_software_pipeline/bulk_copies.py",
          "stride: Expr = IntImm(INT64, array.dtype.itemsize)", "stride: Expr = IntImm(INT64, 1)",
          "strides of tensor maps count elements", tests=(_BULK, _LAUNCH)),
    Patch("everyone-copies", "ir/transform/loops/inject_software_pipeline/warp_specialization.py",
          "IfThenElse(is_first, self.copies)", "self.copies", "all threads of a group copy",
          tests=("tests/ir/transform/loops/inject_software_pipeline/test_warp_specialization.py",)),
    Patch("blocks-without-copies", "ir/transform/loops/inject_software_pipeline/warp_specialization.py",
          'if "threadIdx" < _thread_tag(each) < _thread_tag(self.groups)', "if _thread_tag(each) < _thread_tag(self.groups)",
          "the first block alone copies",
          tests=("tests/ir/transform/loops/inject_software_pipeline/test_warp_specialization.py",)),
    Patch("blocks-in-turn", "backends/cuda/launcher.py",
          "return any(isinstance(node, Call) and node.op is _GRID_SYNC for node in nodes(func.body))", "return False",
          "blocks wait for others that do not run", tests=(_LAUNCH,)),
    Patch("last-turn", "ir/transform/loops/inject_software_pipeline/persistent_blocks.py",
          "extent=make_op(FloorDiv, last, grid)", "extent=make_op(FloorDiv, loop.extent, grid)",
          "no block runs the iterations that are no multiple of the grid",
          tests=("tests/ir/transform/loops/inject_software_pipeline/test_persistent_blocks.py",)),
    Patch("leaves-too-early", "ir/transform/loops/inject_software_pipeline/inject_software_pipeline.py",
          "if node is self.stores_in:", "if False:", "a block ends while its results are copied", tests=(_BULK_STORES,)),
    Patch("rows-of-another-warp", "ir/transform/loops/inject_software_pipeline/bulk_stores.py",
          "warp = make_op(FloorDiv, threads.loop_var, _WARP)", "warp = make_op(FloorMod, threads.loop_var, constant_extent(nest))",
          "the first warp alone stores rows", tests=(_BULK_STORES,)),
    Patch("map-by-its-address", "backends/cuda/launcher.py", 'cell = text.load("ptr", cell)', "pass",
          "kernels get the address of a tensor map", tests=(_LAUNCH,)),
    # arrays of a device, graphs
    Patch("memory-of-a-view", "backends/runtime/cuda_array.py", "tensor_over(self.tensor, address,", "tensor_over(None, address,",
          "memory goes back while a view has it", tests=(_ARRAYS,)),
    Patch("block-of-another-stream", "backends/vm/cuda_memory.py", "self._free.pop(current_stream(self.device), None)", "self._free.pop(0, None)",
          "temporary storage is used again while another stream uses it", tests=(_GRAPHS, "-m", "not long")),
    Patch("captures-of-other-weights", "backends/vm/cuda_graphs.py", "if capture is not None and capture.addresses == tuple(_addresses(args)):",
          "if capture is not None:", "captured launches read the weights of the first call", tests=(_GRAPHS, "-m", "not long")),
    Patch("one-row", "ir/schedule/default/gpu/matmul.py", "if 1 in extents[:2]:", "if False:",
          "threads store rows that they do not have", tests=_of(_RULES, "one_row")),
    # models of instructions
    Patch("parity", "backends/interp/ptx_barriers.py", "return barrier.phases % 2 != parity", "return barrier.phases % 2 == parity",
          "threads wait for the phase before", tests=(_INSTRUCTIONS,)),
    Patch("missing-bytes", "backends/interp/mbarriers.py", "barrier.pending_bytes -= size", "barrier.pending_bytes = 0",
          "copies of other sizes complete a phase", tests=(_INSTRUCTIONS,)),
    Patch("swizzle", "backends/interp/warp_groups.py", "return address ^ (address >> 7 & self.width // _CHUNK - 1) << 4", "return address",
          "swizzled matrices are read as if they were not", tests=(_INSTRUCTIONS,)),
    Patch("leading-and-stride", "backends/interp/warp_groups.py", "apart = (self.stride, self.leading) if self.width == _CHUNK else (self.leading, self.stride)",
          "apart = (self.leading, self.stride)", "distances of matrices that are not swizzled are exchanged", tests=(_INSTRUCTIONS,)),
    Patch("named-for-all", "backends/interp/cooperative_threads.py", "if len(group) == group[0].given:", "if len(group) >= 1:",
          "named barriers do not wait", tests=(_INSTRUCTIONS,)),
    Patch("conflicts-of-rows", "backends/interp/sanitizer/warp_requests.py", "add(_passes(rows), max(words // _BANKS, 1))", "add(1, 1)",
          "conflicts of ldmatrix are not counted", tests=("tests/backends/interp/sanitizer",)),
    # products of warp groups that run on
    Patch("registers-of-factors", "backends/interp/sanitizer/products.py", "for used in (*self.registers.sums, *self.registers.factors))",
          "for used in self.registers.sums)", "factors in registers may be overwritten", tests=_of(_SANITIZER, "product")),
    Patch("first-to-wait", "backends/interp/sanitizer/products.py", "if threads > 1:", "if threads < 1:",
          "tiles are free when the first thread has waited", tests=_of(_SANITIZER, "product")),
    Patch("fence-after-the-write", "backends/interp/sanitizer/observer.py", "write.time >= fence", "write.time > fence",
          "what is written right after a fence needs no other", tests=_of(_SANITIZER, "product")),
    Patch("stores-without-fence", "ir/schedule/intrinsics/wgmma.py", 'fence = _ptx("fence", ("proxy", "async", "shared::cta"))',
          'fence = _ptx("fence", ("proxy", "async", "global"))', "bulk copies do not see what was stored by stmatrix",
          tests=("tests/ir/schedule/default/gpu/test_matmul_wgmma.py", "-m", "long or not long", "-k", "16_bits")),
    Patch("fenced-before-the-write", "backends/interp/sanitizer/observer.py", "if write.time > thread.fenced[write.thread.number]:",
          "if not thread.fenced[write.thread.number]:", "a fence orders later writes, too", tests=(_SANITIZER, "tests/backends/interp/test_tensor_maps.py")),
    Patch("waits-for-all", "backends/interp/sanitizer/products.py", "count = max(len(groups) - 1 - pending, 0)", "count = len(groups) - 1",
          "waiting for some groups counts for all", tests=_of(_SANITIZER, "product")),
    # schedules and kernels of their own
    Patch("end-of-a-part", "tvmscript/kernels/paged_attention.py", "end[0] = T.min((part + 1) * count[0], Lengths[sequence])",
          "end[0] = (part + 1) * count[0]", "a part has keys after the last one", tests=(_PAGED, "-k", "values")),
    Patch("weight-of-parts", "tvmscript/kernels/paged_attention.py", "weight[0] = T.exp2(Sums[sequence_1, head_1, p, 0] - most[0])",
          "weight[0] = T.float32(1)", "parts are added with equal weights", tests=(_PAGED, "-k", "values")),
    Patch("neighbours-of-other-rows", "ir/schedule/default/gpu/low_batch_gemv.py",
          "or not has_terms_last(stmt, product.operands[1 - few], product.terms)", "", "threads read columns of a matrix", tests=(_FEW_ROWS,)),
    Patch("total-in-global-memory", "ir/schedule/default/gpu/low_batch_gemv.py", 'sch.set_scope(block, 0, "shared")\n            ', "",
          "totals of a row go through global memory", tests=(_FEW_ROWS,)),
    Patch("iterations-beyond", "ir/schedule/default/gpu/parallel_loops.py", "return IfThenElse(fold.make(LT, number, loop.extent), body)", "return body",
          "threads have iterations that the loop does not have", tests=(_LOOPS,)),
    Patch("steps-without-barrier", "ir/schedule/default/gpu/parallel_loops.py", 'seq(inner, Evaluate(tvm_storage_sync("shared")))', "inner",
          "a parallel loop begins before the one before has ended", tests=(_LOOPS,)),
    Patch("elements-that-are-read", "ir/schedule/default/gpu/parallel_loops.py", "if store.buffer.data in read:", "if False:",
          "iterations that read what others store are launched", tests=(_LOOPS,)),
    # kernels by LLVM
    Patch("alignment-of-a-step", "backends/nvptx/codegen.py", "for number in (place.factor, place.base)", "for number in (place.factor,)",
          "vectors behind an offset count as aligned", tests=(_NVPTX, "-k", "aligned")),
    Patch("lanes-of-a-warp", "backends/nvptx/threads.py", "(_WARP - width.value) << 8 | clamp", "(_WARP - width.value) << 8",
          "shuffles end at the first lane", tests=(_NVPTX, "-k", "row_sum")),
    Patch("shared-by-nobody", "backends/nvptx/statements.py", '"shared": _allocate_shared', '"shared": _allocate_local',
          "each thread has its own shared memory", tests=(_NVPTX, "-k", "tiled")),
    Patch("loops-over-registers", "backends/nvptx/statements.py", "if kind is stmt.ForKind.SERIAL and _selects_registers(cg, node):", "if False:",
          "sums of tiles are in memory", tests=(_NVPTX, "-k", "registers")),
    Patch("unseen-by-products", "backends/nvptx/threads.py", 'if cg.has_async_reads and scope.value != "warp":', "if False:",
          "products of warp groups miss what threads have written", tests=_of(_NVPTX, "groups and bfloat16")),
)  # fmt: skip
