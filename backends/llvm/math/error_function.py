"""erf: polynomials of pieces where registers are looked up, else a series in x ** 2 below 1, and 1 - erfc(x) above.

float32: erfc(x) = 2 ** p(x) with a polynomial p (the form of N. Juffa's erff); float64: erfc(x) = exp(-x ** 2) * g with
g a polynomial in (x - 2) / (x + 2) (the substitution of Schonfelder, Math. Comp. 32, 1978).
"""

from __future__ import annotations

from tvmscript.backends.llvm.math.expansion import expansion
from tvmscript.backends.llvm.math.exponential import exp
from tvmscript.backends.llvm.math.piecewise import Pieces, by_pieces, erf_series
from tvmscript.backends.llvm.vector_builder import Lanes, Value

#: erf(x) / x - 1 in x ** 2, |x| <= 1
_SERIES32 = (
    -0.0005631448584608734, 0.004917562939226627, -0.026711327955126762, 0.11280181258916855, -0.3761232793331146,
    0.12837913632392883,
)  # fmt: skip
_SERIES64 = (
    5.955288304055393e-11, -1.137185158736186e-09, 1.465954914944341e-08, -1.6350283996885855e-07,
    1.646099825679726e-06, -1.492559515895866e-05, 0.00012055331108485217, -0.0008548326980784856,
    0.005223977624817837, -0.026866170645076844, 0.11283791670954879, -0.3761263890318375, 0.1283791670955126,
)  # fmt: skip
#: log2(erfc(x)) in x
_LOG_ERFC32 = (
    -0.001659706118516624, 0.02132030576467514, -0.1278720498085022, -0.9442279934883118, -1.612122893333435,
    -0.003854505717754364,
)  # fmt: skip
#: (2 ** r - 1) / r, |r| <= 1 / 2: as exact as 1 - erfc(x) needs it
_EXP2_32 = (
    0.001326472731307149, 0.009671512991189957, 0.05550733581185341, 0.24022242426872253, 0.6931470036506653,
)  # fmt: skip
#: exp(x ** 2) * erfc(x) in (x - 2) / (x + 2)
_SCALED_ERFC64 = (
    1.0370980071917844e-06, 3.5330159162074807e-06, 1.3959012068730182e-06, -1.3920900134895361e-05,
    -2.7576364502343356e-05, 2.752128582644179e-05, 0.00017436067577807123, 4.3555789781660487e-05,
    -0.000981977000401345, -0.000847143254916256, 0.00699746173859759, 0.00373289240436207, -0.07897858101572683,
    0.24165819424246637, -0.42718584741395843, 0.25539567631050575,
)  # fmt: skip
_PIECES32 = Pieces(0.28125, 7, erf_series, is_split=True)
_PIECES64 = Pieces(0.375, 14, erf_series)


@expansion()
def erf(lanes: Lanes, x: Value) -> Value:
    size, limit = x.abs(), 4.25 if x.type == "float" else 5.8125
    square, clamped = size * size, (size > limit).choose(limit, size)
    value = by_pieces(lanes, clamped, _PIECES32 if x.type == "float" else _PIECES64)
    if value is not None:
        return value.with_sign_of(x)
    if x.type == "float":
        series: tuple[float, ...] = _SERIES32
        log_erfc = lanes.horner(clamped, _LOG_ERFC32)
        n, exponent = lanes.nearest(log_erfc)
        r = log_erfc - n
        power = lanes.fma(r, lanes.horner(r, _EXP2_32), 1.0)
        large = lanes.fma(-power, lanes.power_of_two(x.type, exponent), 1.0)
    else:
        series = _SERIES64
        scaled_erfc = lanes.horner((clamped - 2.0) / (clamped + 2.0), _SCALED_ERFC64)
        large = 1.0 - exp(lanes, -(clamped * clamped)) * scaled_erfc
    small = lanes.fma(size, lanes.horner(square, series), size)
    return (size < 1.0).choose(small, large).with_sign_of(x)
