"""What operators refuse: one case for each kind of reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from tvmscript import te, topi
from tvmscript.contrib.sparse import placeholder
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.topi.errors import InvalidOperand

A: Final = te.placeholder((4, 8), name="A")
IMAGE: Final = te.placeholder((1, 3, 8, 8), name="I")
V: Final = te.placeholder((4,), "int32", "V")
ROWS: Final = te.placeholder((2, 3, 8), name="R")
BOXES: Final = te.placeholder((1, 6, 4), name="B")
NO_CSR: Final[Any] = A
BOUNDS: Final[Any] = V
CSR: Final = placeholder((4, 5), 3)
CASES: Final[dict[str, tuple[Callable[[], Any], str]]] = {
    "axis": (lambda: topi.sum(A, axis=2), "topi.sum: the axis 2 is none of 2 dimensions"),
    "mode": (lambda: topi.take(A, A, mode="near"), "the mode 'near' is none of"),
    "no number": (lambda: topi.take(V, V, mode="nan"), 'take in the mode "nan" takes floats, but got int32'),
    "rank": (lambda: topi.gather(A, 0, IMAGE), "topi.gather: the indices have another rank than the data"),
    "sort of rank 0": (lambda: topi.sort(te.placeholder(())), "topi.sort: the tensor has no axis to sort along"),
    "topk": (lambda: topi.topk(A, 9), "topi.topk: there are no 9 elements in rows of 8"),
    "results of topk": (lambda: topi.topk(A, 1, ret_type="all"), "the type 'all' is none of"),
    "unique": (lambda: topi.unique(A), "topi.unique: the tensor has 2 dimensions, not 1"),
    "searchsorted": (lambda: topi.searchsorted(A, IMAGE), "the sequences and the values have different rows"),
    "rows of searchsorted": (
        lambda: topi.searchsorted(ROWS, te.placeholder((2, 5, 4))),
        "the sequences and the values have different rows",
    ),
    "outer rows of searchsorted": (
        lambda: topi.searchsorted(ROWS, te.placeholder((5, 3, 4))),
        "the sequences and the values have different rows",
    ),
    "gradient of pooling": (
        lambda: topi.nn.pool_grad(IMAGE, IMAGE, (2,), (2, 2), (0, 0, 0, 0), "max"),
        "topi.nn.pool_grad: kernel and stride have 2 values each, padding 4",
    ),
    "blocks": (lambda: topi.nn.space_to_batch_nd(A, [2, 2], [0, 0], [0, 0]), "2 blocks, 2 and 2 widths for 1"),
    "fifo_buffer": (lambda: topi.nn.fifo_buffer(A, IMAGE, 0), "the buffer has another rank than the data"),
    "dilation2d": (lambda: topi.image.dilation2d_nchw(A, A, 1, 0, 1), "the data have 2 dimensions, the weights 2"),
    "dft": (lambda: topi.dft(A, IMAGE, 0), "topi.dft: the parts are of one shape with an axis"),
    "stft": (lambda: topi.stft(A, 4, 2, 4, A, False, True, [4, 3, 3, 2]), "the window one"),
    "upsampling": (lambda: topi.nn.upsampling(IMAGE, 2, 2, "NCW"), "the layout NCW has not the dimensions H, W"),
    "sparse": (lambda: topi.nn.sparse_dense(A, A, A, A), "the elements have one dimension, or three of blocks"),
    "sparse_transpose": (
        lambda: topi.nn.sparse_transpose(A, V, V),
        "the elements have one dimension, or three of blocks",
    ),
    "sparse_conv2d": (
        lambda: topi.nn.sparse_conv2d(IMAGE, V, V, V),
        "the kernel is of size 1 and in blocks",
    ),
    "boxes": (lambda: topi.vision.get_valid_counts(A), "topi.vision.get_valid_counts: the boxes are [4, 8], not"),
    "format of boxes": (
        lambda: topi.vision.all_class_non_max_suppression(BOXES, BOXES, 1, 0.5, 0.1, "coco"),
        "the format 'coco' is neither",
    ),
    "argwhere": (lambda: topi.argwhere(A, IMAGE), "topi.argwhere: the result has rows of 4 indices"),
    "permutation": (lambda: topi.invert_permutation(A), "the tensor has 2 dimensions, not 1"),
    "sparse_reshape": (lambda: topi.sparse_reshape(V, V, V, [1, 4], [4]), "the indices are not rows of 4"),
    "sparse_fill_empty_rows": (
        lambda: topi.sparse_fill_empty_rows(A, A, V, V, [4, 8], [4], [4]),
        "the indices are a matrix, the values a vector",
    ),
    "affine_grid": (lambda: topi.image.affine_grid(BOXES, (2, 2)), "the maps are matrices of 2 rows and 3 columns"),
    "layout of a grid": (lambda: topi.image.grid_sample(IMAGE, A), "the layout NCHW is not that of 4 dimensions, or"),
    "method of a grid": (lambda: topi.image.grid_sample(IMAGE, IMAGE, "area"), "there is no method 'area'"),
    "padding of a grid": (
        lambda: topi.image.grid_sample(IMAGE, IMAGE, padding_mode="wrap"),
        "there is no padding mode 'wrap'",
    ),
    "crop_and_resize": (
        lambda: topi.image.crop_and_resize(IMAGE, A, V, (2, 2), "CHWN"),
        "there is no 'bilinear' for the layout 'CHWN'",
    ),
    "deformable": (
        lambda: topi.nn.deformable_conv2d_nchw(IMAGE, IMAGE, A, 1, 0, 1, 1, 1, None),
        "the data, the offsets and the kernel have 4 dimensions",
    ),
    "regions": (lambda: topi.vision.rcnn.roi_pool_nchw(IMAGE, V, 2, 1.0), "the regions are rows"),
    "mode of regions": (
        lambda: topi.vision.rcnn.roi_align_nchw(IMAGE, A, 2, 1.0, 2, 2),
        "the mode 2 is neither 0 (average) nor 1 (maximum)",
    ),
    "samples of regions": (
        lambda: topi.vision.rcnn.roi_align_nchw(IMAGE, A, 2, 1.0, 0),
        "the number of samples along a side of a bin is above 0",
    ),
    "reorg": (lambda: topi.vision.reorg(A, 2), "topi.vision.reorg: the images have 4 dimensions"),
    "binarize_pack": (lambda: topi.nn.binarize_pack(A), "the extent 8 is no multiple of 32"),
    "binary_dense": (lambda: topi.nn.binary_dense(A, V), "topi.nn.binary_dense: the operands are matrices"),
    "kernel of winograd": (
        lambda: topi.nn.conv2d_winograd_nchw(IMAGE, te.placeholder((2, 3, 5, 5)), 1, 1, 1, "float32"),
        "topi.nn.conv2d_winograd_nchw: the kernel is of 5 and 5 taps, not 3 and 3",
    ),
    "stride of winograd": (
        lambda: topi.nn.conv2d_winograd_nchw(IMAGE, te.placeholder((2, 3, 3, 3)), 2, 1, 1, "float32"),
        "strides and dilations are 1",
    ),
    "tile of winograd": (lambda: topi.nn.winograd_transform_matrices(9, 3, "float32"), "not 9"),
    "bitpack": (lambda: topi.nn.bitpack(V, 1, 0, 1, "uint8"), "the extent 4 is no multiple of 8"),
    "bitserial_dense": (lambda: topi.nn.bitserial_dense(V, V, 1, 1), "the data are a matrix"),
    "bitserial_conv2d": (lambda: topi.nn.bitserial_conv2d_nchw(A, A, 1, 1, 1, 1), "the data have 4 dimensions"),
    "blocks of channels": (
        lambda: topi.nn.conv2d_NCHWc(A, A, 1, 1, 1, "NCHW4c", "NCHW4c"),
        "the data have 5 dimensions, the kernel 6, or 7 of int8",
    ),
    "gemm_weight_transform": (
        lambda: topi.nn.conv2d_gemm_weight_transform(IMAGE, 4, 4, True),
        "tiles have a known size, so vectors are not scalable",
    ),
    "dense_pack": (lambda: topi.nn.dense_pack(A, A), "the data are a matrix, the weight has 3 dimensions"),
    "lstm": (lambda: topi.nn.lstm(A, A, A), "the sequences have 3 dimensions"),
    "generator": (lambda: topi.random.threefry_split(V), "topi.random.threefry_split: a generator is a vector of 10"),
    "dtype of uniform": (
        lambda: topi.random.uniform(te.placeholder((10,), "uint64"), 0.0, 1.0, (4,), "float16"),
        "the dtype is float32 or float64, not float16",
    ),
    "placeholder of CSR": (lambda: placeholder((4, 5)), "a matrix in CSR has 2 extents and a number of elements"),
    "CSR": (lambda: topi.sparse.csrmm(NO_CSR, A), "a matrix in CSR has data, indices, indptr and a shape"),
    "column of CSR": (lambda: topi.sparse.csrmv(CSR, A), "topi.sparse.csrmv: the other operand is a column"),
    "extents of CSR": (lambda: topi.sparse.dense(CSR, A), "topi.sparse.dense: the inner extents are 5 and 8"),
    "multibox_prior": (lambda: topi.vision.ssd.multibox_prior(A), "the images have 2 dimensions, not 4"),
    "multibox_transform_loc": (
        lambda: topi.vision.ssd.multibox_transform_loc(A, A, A),
        "probabilities have 3 dimensions, offsets 2, anchors 3",
    ),
    "proposal": (
        lambda: topi.vision.rcnn.proposal(A, A, A, (1.0,), (1.0,), 16, 0.5, 1, 1, 1, False),
        "probabilities and offsets have 4 dimensions",
    ),
    "boxes of scores": (
        lambda: topi.vision.regular_non_max_suppression(A, BOXES, 1, 1, 1, 0.5, 0.5),
        "not [batch, boxes, 4]",
    ),
    "boxes of classes": (
        lambda: topi.vision.all_class_non_max_suppression(A, BOXES, 1, 0.5, 0.5),
        "not [batch, boxes, 4]",
    ),
    "scores of boxes": (
        lambda: topi.vision.regular_non_max_suppression(BOXES, A, 1, 1, 1, 0.5, 0.5),
        "the scores have 2 dimensions, not 3",
    ),
    "type of pooling": (
        lambda: topi.nn.pool2d(IMAGE, (2, 2), (2, 2), (1, 1), (0, 0, 0, 0), "mean"),
        "the type 'mean' is neither",
    ),
    "padding of windows": (
        lambda: topi.nn.conv2d_nchw(IMAGE, IMAGE, 1, "FULL", 1),
        "topi.nn.conv2d_nchw: the padding 'FULL' has no widths for 2 dimensions",
    ),
    "bins of regions": (
        lambda: topi.vision.rcnn.roi_pool_nchw(IMAGE, A, te.var("n"), 1.0),
        "topi.vision.rcnn.roi_pool_nchw takes a known integer, but got n",
    ),
    "coordinates of resize": (
        lambda: topi.image.resize2d(IMAGE, (0, 0, 1, 1), (4, 4), coordinate_transformation_mode="middle"),
        "topi.image.resize: there is no coordinate mode 'middle'",
    ),
    "method of resize": (
        lambda: topi.image.resize2d(IMAGE, (0, 0, 1, 1), (4, 4), method="area"),
        "topi.image.resize2d: the method 'area' is none of",
    ),
    "rounding of resize": (
        lambda: topi.image.resize2d(IMAGE, (0, 0, 1, 1), (4, 4), method="nearest_neighbor", rounding_method="up"),
        "topi.image.resize2d: there is no rounding method 'up'",
    ),
    "ranks of concatenate": (lambda: topi.concatenate([A, V]), "topi.concatenate: the tensors have several ranks"),
    "sections of split": (lambda: topi.split(A, 3, 1), "topi.split: 8 elements are not 3 equal sections"),
    "terms of einsum": (lambda: topi.einsum("ij,jk->ik", A), "topi.einsum: 1 tensors are given for 2 terms"),
    "letters of einsum": (lambda: topi.einsum("ijk->k", A), "topi.einsum: ijk has not 2 letters"),
    "few letters of einsum": (lambda: topi.einsum("i->i", A), "topi.einsum: i has not 2 letters"),
    "layout of blocks": (
        lambda: topi.nn.space_to_depth(IMAGE, 2, "NCW"),
        "the layout 'NCW' is neither NCHW nor NHWC",
    ),
    "channels of a convolution": (
        lambda: topi.nn.conv2d_nchw(IMAGE, te.placeholder((2, 4, 3, 3)), 1, 1, 1),
        "3 channels in 1 groups are not those of the kernel, 4",
    ),
    "filters of groups": (
        lambda: topi.nn.group_conv2d_nchw(IMAGE, te.placeholder((2, 1, 3, 3)), 1, 1, 1, 3),
        "2 filters are not 3 equal groups",
    ),
    "channels of depthwise": (
        lambda: topi.nn.depthwise_conv2d_nchw(IMAGE, te.placeholder((2, 1, 3, 3)), 1, 1, 1),
        "3 channels, and a kernel of 2",
    ),
    "slopes of prelu": (lambda: topi.nn.prelu(IMAGE, A), "the slopes are no vector"),
    "inner extents": (lambda: topi.nn.dense(A, te.placeholder((2, 4))), "the inner extents are 8 and 4"),
    "groups of channels": (
        lambda: topi.nn.group_norm(IMAGE, None, None, 2, 1, [2, 3]),
        "topi.nn.group_norm: 3 channels are not 2 equal groups",
    ),
    "reduction of losses": (
        lambda: topi.nn.nll_loss(A, V, te.placeholder((8,)), "all", -1),
        "topi.nn.nll_loss: 'all' is none of",
    ),
    "widths of padding": (lambda: topi.nn.pad(A, [1], [1]), "topi.nn.pad: 1 and 1 widths for 2 dimensions"),
    "tails of padding": (lambda: topi.nn.pad(A, [1, 1], [1]), "topi.nn.pad: 2 and 1 widths for 2 dimensions"),
    "strides of dilate": (lambda: topi.nn.dilate(A, [2]), "topi.nn.dilate: 1 strides for 2 dimensions"),
    "type of a gradient": (
        lambda: topi.nn.pool_grad(IMAGE, IMAGE, (2, 2), (2, 2), (0, 0, 0, 0), "sum"),
        "topi.nn.pool_grad: the type 'sum' is neither",
    ),
    "windows of pooling": (
        lambda: topi.nn.pool2d(IMAGE, (2,), (2, 2), (1, 1), (0, 0, 0, 0), "max"),
        "topi.nn.pool2d: kernel, stride and dilation have 2 values each, padding 4",
    ),
    "type of global pooling": (lambda: topi.nn.global_pool(IMAGE, "sum"), "the type 'sum' is neither"),
    "kernel of a transposed convolution": (
        lambda: topi.nn.conv2d_transpose_nchw(IMAGE, te.placeholder((2, 2, 3, 3)), 1, 0, "float32", 0),
        "3 channels, and a kernel of 2",
    ),
    "values of windows": (
        lambda: topi.nn.conv2d_nchw(IMAGE, te.placeholder((2, 3, 3, 3)), [1, 1, 1], 1, 1),
        "3 values are given for 2 dimensions",
    ),
    "rank of winograd": (
        lambda: topi.nn.conv2d_winograd_nchw(IMAGE, A, 1, 1, 1, "float32"),
        "the data and the kernel have 4 dimensions",
    ),
    "channels of winograd": (
        lambda: topi.nn.conv2d_winograd_nchw(IMAGE, te.placeholder((2, 4, 3, 3)), 1, 1, 1, "float32"),
        "3 channels, and a kernel of 4",
    ),
    "reduction of scatter": (
        lambda: topi.scatter_elements(A, te.placeholder((4, 8), "int32"), A, 0, "sum"),
        "the reduction 'sum' is none of",
    ),
    "new axis": (lambda: topi.expand_dims(A, 3), "topi.expand_dims: the axis 3 is none of 3 dimensions"),
    "axes of squeeze": (lambda: topi.squeeze(A, [0]), "topi.squeeze: the axes [0] of [4, 8] are not of"),
    "order of axes": (lambda: topi.transpose(A, [0, 0]), "topi.transpose: [0, 0] is no order of 2 dimensions"),
    "elements of a shape": (
        lambda: topi.reshape(A, (4, 4)),
        "topi.reshape: 32 elements do not fill the shape ['4', '4']",
    ),
    "axes of expand_like": (lambda: topi.expand_like(V, A, [0, 1]), "2 axes are given, 1 are new"),
    "axes of equal ranks": (lambda: topi.expand_like(A, A, [0]), "1 axes are given, 0 are new"),
    "no new axes": (lambda: topi.expand_like(V, A, []), "0 axes are given, 1 are new"),
    "bounds of slices": (
        lambda: topi.strided_slice(A, BOUNDS, BOUNDS),
        "topi.strided_slice: bounds that are tensors: use dynamic_strided_slice",
    ),
    "step of slices": (lambda: topi.strided_slice(A, [0], [4], [0]), "topi.strided_slice: a step is 0"),
    "sliding windows": (
        lambda: topi.sliding_window(A, 0, [2], [1]),
        "a window has an extent for each dimension from the axis on",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_refusals(case: str) -> None:
    build, message = CASES[case]
    with pytest.raises((InvalidOperand, WrongType)) as caught:
        build()
    assert message in caught.value.text
