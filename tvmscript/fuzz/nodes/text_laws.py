"""Laws of texts about programs: targets and their options, and the lines that errors show."""

from __future__ import annotations

import json
import random
from functools import partial
from typing import Any, Final

from tvmscript.fuzz.laws import Law, require, require_refusal, some
from tvmscript.ir.core import Target
from tvmscript.ir.core.errors import IRError, WrongRank, excerpt, together
from tvmscript.ir.core.span import Source, Span
from tvmscript.ir.core.targets.cuda import cuda_arch
from tvmscript.ir.core.targets.target import InvalidTarget
from tvmscript.ir.core.visible import visible

#: kind -> options with values of each form
_OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "llvm": {
        "mcpu": "cortex-a72", "mtriple": "aarch64-linux-gnu", "mattr": ["+sve", "+dotprod"], "device": "arm_cpu",
        "num-cores": 4, "libs": ["mkl", "cblas"], "model": "7",
    },
    "cuda": {"arch": "sm_90a", "max_num_threads": 512, "libs": ["cublas"], "l2_cache_size_bytes": 4096},
    "c": {"march": "armv7e-m", "mcpu": "cortex-m4", "model": "some"},
    "opencl": {"device": "adreno", "max_num_threads": 128},
    "hexagon": {"vtcm-capacity": 1024, "mcpu": "v68"},
}  # fmt: skip


def _option(target: Target, name: str) -> Any:
    return getattr(target, name)


def _written(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _targets(rng: random.Random) -> None:
    """A target is the same from its text, its dict and JSON; options are attributes; others are refused."""
    kind = rng.choice([*_OPTIONS])
    names = some(rng, [*_OPTIONS[kind]], 4)
    options = {name: _OPTIONS[kind][name] for name in names}
    text = " ".join([kind, *(f"{rng.choice(('-', '--'))}{name}={_written(options[name])}" for name in names)])
    spaced = " ".join([kind, *(f"-{name} {_written(options[name])}" for name in names)])
    given = {"kind": kind, **options}
    target = Target.make(text)
    others = [
        Target.make(spaced),
        Target.make(given),
        Target.make(json.dumps(given)),
        Target(text),
        Target(kind, (), options),
    ]
    others += [Target.make(str(target)), Target.make(target.export()), Target.make(target)]
    require("targets", text, [str(each) for each in others], [str(target)] * len(others))
    for name in names:
        value = _option(target, name.replace("-", "_"))
        require("targets", f"{name} of {text}", value, options[name])
    require("targets", "its kind", (str(target.kind), target.kind.name), (kind, kind))
    require("targets", "the device", target.device_name, str(options.get("device", "")))
    if kind == "cuda":
        require("targets", f"the number of {text}", cuda_arch(target), 90 if "arch" in options else None)
        require("targets", "the device type", target.device_type, 2)
        require("targets", "its threads", _option(target, "max_num_threads"), options.get("max_num_threads", 1024))
    elif kind in ("llvm", "c"):
        require("targets", "the device type", target.get_target_device_type(), 1)
        require("targets", "an architecture", cuda_arch(target), None)
    host = rng.choice(("llvm", "c", {"kind": "llvm", "mcpu": "znver4"}))
    with_host = target.with_host(host)
    pairs = [with_host, Target.make(text, host), Target(text, host=host), Target.canon_target_and_host(text, host)[0]]
    pairs += Target.canon_multi_target_and_host([text], host)
    expected = str(Target.make(host))
    require("targets", "hosts", [str(each.host) for each in pairs], [expected] * len(pairs))
    require("targets", "a host that stays", str(Target.canon_target_and_host(with_host, "cuda")[1]), expected)
    require("targets", "the host in a dict", str(Target.make(with_host.export()).host), expected)
    require("targets", "without its host", with_host.without_host().host, None)
    require("targets", "without a host", target.without_host() is target, True)
    several = Target.canon_multi_target({"a": text, "b": target}) or []
    require("targets", "several", [str(each) for each in several], [str(target)] * 2)
    require("targets", "none", (Target.canon_multi_target(None), Target.canon_target(None)), (None, None))
    with target:
        inner = Target.make("c")
        with inner:
            require("targets", "the current one", Target.current() is inner, True)
        require("targets", "the one around", Target.current(allow_none=False) is target, True)
    refused: tuple[Any, ...] = (
        f"{kind} -nothing=1", "nothing", "", f"-mcpu=x {kind}", f"{kind} mcpu", "llvm -mcpu", "llvm '", "{",
        {"mcpu": "x"}, {"kind": kind, "keys": [1]}, {"kind": kind, "tag": 2}, {"kind": kind, "nothing": 2}, 3,
    )  # fmt: skip
    for wrong in refused:
        require_refusal("targets", wrong, InvalidTarget, partial(Target.make, wrong))
    require_refusal("targets", "an attribute", AttributeError, lambda: _option(target, "nothing"))
    require_refusal("targets", "no target", InvalidTarget, lambda: Target.current(allow_none=False))
    require(
        "targets", "of a device", [str(Target.from_device(each).kind) for each in ("cpu", "cuda")], ["llvm", "cuda"]
    )
    require_refusal("targets", "no device", InvalidTarget, lambda: Target.from_device(3))
    _check_features(rng)


#: processor -> the features that Arm's manuals say it has, and has not
_PROCESSORS: Final[dict[str, dict[str, bool | None]]] = {
    "llvm -mtriple=aarch64-linux-gnu": {"is_aarch64": True, "has_asimd": True, "has_sve": False, "has_dotprod": False},
    "llvm -mtriple=aarch64-linux-gnu -mattr=+sve": {"is_aarch64": True, "has_sve": True, "has_nothing": None},
    "llvm -mtriple=aarch64-linux-gnu -mattr=+dotprod,+fullfp16,+i8mm": {
        "has_dotprod": True, "has_fp16_simd": True, "has_matmul_i8": True, "has_sve": False,
    },
    "llvm -mtriple=armv7l-linux-gnueabihf -mattr=+neon": {"is_aarch64": False, "has_asimd": True},
    "c -mcpu=cortex-m4": {"has_dsp": True, "has_mve": False, "has_sve": None},
    "c -mcpu=cortex-m0": {"has_dsp": False, "has_mve": False},
    "c -mcpu=cortex-m55": {"has_dsp": True, "has_mve": True},
    "c -mcpu=cortex-m55+nomve": {"has_dsp": True, "has_mve": False},
    "c -mcpu=cortex-m55+nodsp": {"has_dsp": False, "has_mve": False},
    "llvm -mtriple=x86_64-linux-gnu": {"has_sve": None, "has_dsp": None, "is_aarch64": None},
    "cuda": {"has_sve": None, "is_aarch64": None},
}  # fmt: skip


def _check_features(rng: random.Random) -> None:
    """Check features of processors: what a target says of itself comes first."""
    text = rng.choice([*_PROCESSORS])
    target = Target.make(text)
    for name, expected in _PROCESSORS[text].items():
        require("features", f"{name} of {text}", getattr(target.features, name), expected)
    is_arm = text.startswith(("c ", "llvm -mtriple=a"))
    require("features", f"keys of {text}", "arm_cpu" in target.keys, is_arm)
    said = target.replace(options={**target.options, "feature.has_sve": rng.randrange(2)})
    require("features", "what is said", said.features.has_sve, bool(getattr(said, "feature.has_sve")))


# ---- excerpts

_LINES: Final = (
    "def f(x):", "    return x + 1", "\ty = 2", "", "name = 'text'", "z\x1b[31m = 3", "w = '\u202e abc'", "v" * 400,
    "u = [" + "1, " * 100 + "2]", "    ", "end",
)  # fmt: skip


def _excerpts(rng: random.Random) -> None:
    """The carets of an error stand below what it is about."""
    lines = [rng.choice(_LINES) for _ in range(rng.randint(1, 12))]
    first_line = rng.choice((1, 1, 99))
    source = Source("\n".join([*lines, "#"]), "file.py", first_line)
    begin = rng.randrange(len(lines))
    end = begin if rng.randrange(2) else rng.randrange(begin, len(lines))
    column = rng.randint(1, len(lines[begin]) + 1)
    last = rng.randint(column if end == begin else 1, len(lines[end]) + 1)
    span = Span(source, first_line + begin, column, first_line + end, last)
    head, bar, *rows = excerpt(span).splitlines()
    width = len(str(first_line + end))
    require("excerpts", "the place", head, f"{' ' * width}--> file.py:{first_line + begin}:{column}")
    require("excerpts", "the bar", bar, f"{' ' * width} |")
    shown = [row for row in rows if row[:width].strip().isdigit()]
    numbers = [int(row[:width]) for row in shown]
    all_numbers = [*range(first_line + begin, first_line + end + 1)]
    wanted = all_numbers if len(all_numbers) <= 6 else [*all_numbers[:3], *all_numbers[-2:]]
    require("excerpts", "the lines", numbers, wanted)
    require("excerpts", "lines that are left out", sum(row.startswith(".") for row in rows), int(len(all_numbers) > 6))
    longest = max(map(len, lines[begin : end + 1]))
    if longest > 160:
        require("excerpts", "the longest row", max(map(len, rows)) <= 4 * 160 + width + 3, True)
    if begin == end and longest <= 160:
        text = visible(lines[begin].replace("\t", " "))
        require("excerpts", "the line", shown[0][width + 3 :], text.rstrip())
        stop = min(last - 1, len(lines[begin].rstrip()))
        quoted = visible(lines[begin].replace("\t", " ")[column - 1 : max(stop, column - 1)])
        caret = rows[rows.index(shown[0]) + 1][width + 3 :]
        start = len(caret) - len(caret.lstrip())
        require("excerpts", "carets", set(caret.strip()), {"^"})
        require("excerpts", "what is underlined", text[start : len(caret)], quoted or text[start : start + 1])
    error = WrongRank(buffer="A", rank=1, count=2, span=span, notes=[(span, "here"), (None, "there")], hint="do \x07")
    require("excerpts", "line and column", (error.line, error.column), (first_line + begin, column))
    text = error.render_alone()
    parts = [
        f"error[{error.code}]: {error.text}",
        excerpt(span),
        "note: here",
        excerpt(span),
        "note: there",
        "hint: do \\x07",
    ]
    require("excerpts", "the whole error", text, "\n".join(parts))
    nowhere = WrongRank(buffer="A", rank=1, count=2)
    require("excerpts", "no place", (nowhere.line, nowhere.column), (None, None))
    both: IRError = together([nowhere, error])
    require("excerpts", "the first of two", both is error and both.others == (nowhere,), True)
    require("excerpts", "both", str(both), f"{text}\n\n{nowhere.render_alone()}\n\n2 errors")


LAWS: Final[dict[str, Law]] = {"targets": _targets, "excerpts": _excerpts}
