"""Helpers of operators: TVM's `topi.utils`."""

from __future__ import annotations

from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.topi.constants import const_matrix, const_vector
from tvmscript.ir.topi.utils import (
    InvalidShapeError,
    ceil_div,
    equal_const_int,
    get_const_float,
    get_const_int,
    get_const_tuple,
    get_float_tuple,
    get_max_power2_factor,
    get_shape,
    is_dynamic_shape,
    is_empty_shape,
    nchw_pack_layout,
    nchw_xc_layout,
    ncw_pack_layout,
    ncw_xc_layout,
    prod,
    ravel_index,
    simplify,
    swap,
    traverse_inline,
    unravel_index,
)

__all__ = [
    "InvalidShapeError",
    "ceil_div",
    "const_matrix",
    "const_vector",
    "equal_const_int",
    "get_const_float",
    "get_const_int",
    "get_const_tuple",
    "get_float_tuple",
    "get_max_power2_factor",
    "get_shape",
    "is_dynamic_shape",
    "is_empty_shape",
    "nchw_pack_layout",
    "nchw_xc_layout",
    "ncw_pack_layout",
    "ncw_xc_layout",
    "prod",
    "ravel_index",
    "simplify",
    "swap",
    "traverse_inline",
    "unravel_index",
]

# absent names of TVM below this module are found by `tvm_names`
__path__: list[str] = []
__getattr__, __dir__ = lazy_names(__name__, {})
