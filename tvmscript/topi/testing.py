"""What operators compute, in NumPy, and schedules for tests of operators: TVM's `topi.testing`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from tvmscript import driver
from tvmscript.backends.runtime.array import array as to_array
from tvmscript.ir.core import Target
from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.te.construct import placeholder
from tvmscript.topi import generic, nn
from tvmscript.tvm_names import Absent

Implementation = tuple[Callable[..., Any], Callable[..., Any]]


def dispatch(target: Target | str, dispatch_map: Mapping[str, Any]) -> Any:
    """Return what a table has for the first key of a target, else for "generic".

    Implementations for one kind of hardware that are absent here are passed over.
    """
    keys = Target(target).keys
    return next((dispatch_map[key] for key in keys if _is_present(dispatch_map.get(key))), dispatch_map["generic"])


def _is_present(implementation: Any) -> bool:
    parts = implementation if isinstance(implementation, (tuple, list)) else (implementation,)
    return not any(part is None or isinstance(part, Absent) for part in parts)


def get_injective_schedule(target: Target | str) -> Callable[..., Any]:
    """Return the schedule of operators without reductions."""
    return generic.schedule_injective


get_broadcast_schedule = get_elemwise_schedule = get_injective_schedule


def get_reduce_schedule(target: Target | str) -> Callable[..., Any]:
    """Return the schedule of reductions."""
    schedule: Callable[..., Any] = generic.schedule_reduce
    return schedule


def get_conv2d_nchw_implement(target: Target | str) -> Implementation:
    """Return the convolution of images and its schedule."""
    return nn.conv2d_nchw, generic.schedule_conv2d_nchw


def compare_numpy_tvm(
    inputs: Sequence[Any],
    output: Any,
    target: Target | str,
    device: Any,
    compute: Callable[..., Any],
    schedule: Callable[..., Any],
) -> None:
    """Build an operator and compare what it computes with an array. Raises `AssertionError`."""
    tensors = [placeholder(array.shape, str(array.dtype)) for array in inputs]
    with Target(target):
        result = compute(*tensors)
        function = driver.build(schedule([result]), [*tensors, result], target)
    computed = to_array(np.zeros(output.shape, output.dtype), device)
    function(*[to_array(values, device) for values in inputs], computed)
    np.testing.assert_allclose(computed.numpy(), output, rtol=1e-4, atol=1e-4)


_REFERENCES: Final = {
    "convolution": (
        "conv1d_ncw_python conv1d_transpose_ncw_python conv2d_backward_weight_python conv2d_hwcn_python "
        "conv2d_nchw_python conv2d_nhwc_python conv2d_transpose_nchw_python conv2d_transpose_nhwc_python "
        "conv3d_ncdhw_python conv3d_ndhwc_python conv3d_transpose_ncdhw_python depthwise_conv2d_python_nchw "
        "depthwise_conv2d_python_nchwc depthwise_conv2d_python_nhwc dilate_python group_conv1d_ncw_python "
        "group_conv1d_transpose_ncw_python"
    ),
    "normalization": (
        "batch_norm group_norm_python instance_norm_python l2_normalize_python layer_norm_python log_softmax_python "
        "lrn_python nll_loss rms_norm_python softmax_python"
    ),
    "pooling": "adaptive_pool pool_grad_nchw poolnd_python",
    "products": "batch_matmul dense lstm_python",
    "regions": (
        "correlation_nchw_python deformable_conv2d_nchw_python deformable_conv2d_nhwc_python roi_align_nchw_python "
        "roi_align_nhwc_python roi_pool_nchw_python"
    ),
    "reordering": (
        "batch_to_space_nd_python depth_to_space_python gather_nd_python gather_python matrix_set_diag one_hot "
        "reorg_python searchsorted_ref sequence_mask slice_axis_python space_to_batch_nd_python "
        "space_to_depth_python strided_set_python strided_slice_python"
    ),
    "sampling": (
        "affine_grid_python crop_and_resize_python grid_sample_python resize1d_python resize2d_python resize3d_python"
    ),
}
__getattr__, __dir__ = lazy_names(
    __name__,
    {
        name: f"tvmscript.testing.operator_references.{module}"
        for module, names in _REFERENCES.items()
        for name in names.split()
    },
)
