"""Schedules of operators for any target: TVM's `topi.generic`."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.topi.generic import schedule_injective as schedule_injective
from tvmscript.ir.topi.generic import schedule_injective_from_existing as schedule_injective_from_existing

# TVM's paths of modules below this one are found by `tvm_names`
__path__: list[str] = []

_HOME: Final = "tvmscript.ir.topi.generic"
#: operators whose schedule has loops in the order of their definitions
_PLAIN: Final = (
    "adaptive_pool argsort argwhere batch_matmul batch_norm binarize_pack binary_dense bitpack bitserial_conv2d_nchw "
    "bitserial_conv2d_nhwc bitserial_dense conv1d_ncw conv1d_nwc conv1d_transpose_ncw conv2d_NCHWc conv2d_NCHWc_int8 "
    "conv2d_gemm_weight_transform conv2d_hwcn conv2d_nchw conv2d_nhwc conv2d_nhwc_pack conv2d_transpose_nchw "
    "conv2d_winograd_nnpack_weight_transform conv2d_winograd_weight_transform "
    "conv2d_winograd_without_weight_transform conv3d_ncdhw conv3d_ndhwc conv3d_transpose_ncdhw "
    "conv3d_winograd_weight_transform correlation_nchw deformable_conv2d_nchw deformable_conv2d_nhwc dense "
    "depthwise_conv2d_NCHWc depthwise_conv2d_nchw depthwise_conv2d_nhwc dilation2d_nchw dilation2d_nhwc einsum extern "
    "fast_softmax get_valid_counts group_conv1d_ncw group_conv1d_nwc group_conv1d_transpose_ncw group_conv2d_nchw "
    "group_conv2d_nhwc group_conv2d_transpose_nchw group_conv3d_transpose_ncdhw lrn lstm matmul multibox_detection "
    "multibox_prior multibox_transform_loc nms pool pool_grad proposal reduce reorg roi_align roi_pool softmax sort "
    "sparse_conv2d sparse_dense sparse_fill_empty_rows sparse_transpose topk unique"
)
_HOMES: Final = {
    **{f"schedule_{name}": f"{_HOME}:schedule_plain" for name in _PLAIN.split()},
    **dict.fromkeys(("schedule_broadcast", "schedule_elemwise"), f"{_HOME}:schedule_injective"),
}

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
