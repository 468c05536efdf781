"""Targets: what programs are compiled for, read from `"llvm -mcpu=znver4"` or a dict and printed back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

from tvmscript.ir.core.attrs import attributes
from tvmscript.ir.core.errors import IRError
from tvmscript.ir.core.node import Building, Node, filled, node
from tvmscript.ir.core.suggestions import UnknownAttribute, closest
from tvmscript.ir.core.targets.arm import arm_feature, arm_keys
from tvmscript.ir.core.targets.kinds import COMMON, DEVICE_TYPES, KINDS
from tvmscript.ir.core.targets.tags import target_tags

#: Keys that every target of a kind has.
_KEYS: Final[dict[str, tuple[str, ...]]] = {
    "llvm": ("cpu",),
    "c": ("cpu",),
    "stackvm": ("cpu",),
    "interp": ("cpu",),
    "cuda": ("cuda", "gpu"),
    "nvptx": ("cuda", "gpu"),
    "rocm": ("rocm", "gpu"),
    "opencl": ("opencl", "gpu"),
    "metal": ("metal", "gpu"),
    "vulkan": ("vulkan", "gpu"),
    "webgpu": ("webgpu", "gpu"),
    "hexagon": ("hexagon", "cpu"),
}


#: Options that every target of a kind has, with their values where nothing else is said (as TVM fills them in; what it
#: finds out about the machine it runs on stays open here).
_DEFAULTS: Final[dict[str, dict[str, Any]]] = {
    "cuda": {"max_num_threads": 1024, "thread_warp_size": 32},
    "nvptx": {"max_num_threads": 1024, "thread_warp_size": 32},
    "rocm": {
        "max_num_threads": 256, "max_shared_memory_per_block": 65536, "max_threads_per_block": 256,
        "thread_warp_size": 64,
    },
    "opencl": {
        "max_function_args": 128, "max_num_threads": 256, "max_shared_memory_per_block": 16384,
        "max_threads_per_block": 256, "texture_spatial_limit": 16384, "thread_warp_size": 1,
    },
    "metal": {
        "max_function_args": 31, "max_num_threads": 256, "max_shared_memory_per_block": 32768,
        "max_threads_per_block": 256, "thread_warp_size": 16,
    },
    "vulkan": {
        "max_num_threads": 256, "max_threads_per_block": 256, "supports_float32": True, "supports_int32": True,
        "thread_warp_size": 1,
    },
    "webgpu": {"max_num_threads": 256},
}  # fmt: skip


class InvalidTarget(IRError, ValueError, code="TS1030"):
    """A target is a kind with options, `"llvm -mcpu=znver4"`, or a dict of them. The kind or an option is none that
    any target has.
    """

    message = "{text} is not a target: {reason}"
    advice = "write a kind with its options, such as llvm -mcpu=znver4"


#: targets of `with target:`, the innermost one last
_current: ContextVar[tuple[Target, ...]] = ContextVar("targets", default=())


class TargetKind(str):
    """The name of a kind of target, which is also `kind.name`."""

    __slots__ = ()

    @property
    def name(self) -> str:
        return str(self)


#: attributes of targets where nothing is said; the others are errors
_UNSAID: Final[dict[str, Any]] = {
    "arch": "",
    "device": "",
    "l2_cache_size_bytes": 0,
    "libs": (),
    "mattr": (),
    "max_function_args": 0,
    "mcpu": "",
    "model": "unknown",
    "mtriple": "",
    "supports_cooperative_matrix": 0,
    "supports_integer_dot_product": False,
    "vtcm-capacity": 0,
}


class TargetFeatures:
    """Features of a target's processor as attributes: `target.features.has_sve`; None where it is not known."""

    __slots__ = ("_target",)

    def __init__(self, target: Target) -> None:
        self._target = target

    def __getattr__(self, name: str) -> bool | None:
        given = self._target.options.get(f"feature.{name}")
        if given is not None:
            return bool(_plain(given))
        return arm_feature(self._target.kind, self._target.options, name)


@node
class Target(Node):
    """A kind of machine with its options. `str(target)` is the command-line form.

    `Target("llvm -mcpu=znver4", host="llvm")` reads that form, tags, dicts and targets too; options are attributes:
    `target.mcpu`. Raises `InvalidTarget`.
    """

    kind: TargetKind
    keys: tuple[str, ...] = ()
    options: dict[str, Any] = filled(default=None)
    host: Target | None = None
    tag: str = ""

    if TYPE_CHECKING:  # takes what `make` takes

        def __init__(
            self,
            kind: str | Mapping[str, object] | Target,
            keys: Sequence[str] | str | Target = (),
            options: Mapping[str, object] | None = None,
            host: str | Mapping[str, object] | Target | None = None,
            tag: str = "",
        ) -> None: ...

    def __post_init__(self: Building) -> None:
        if isinstance(self.keys, (str, Mapping, Target)):  # TVM's order of arguments
            self.keys, self.host = (), self.keys
        if self.host is not None:
            self.host = Target.make(self.host)
        is_name = isinstance(self.kind, str) and not (" " in self.kind or self.kind.startswith("{"))
        if not is_name or self.kind in target_tags():
            written = Target.make(self.kind, self.host)
            self.kind, self.keys, self.host = written.kind, tuple(self.keys) or written.keys, written.host
            self.options, self.tag = {**written.options, **(self.options or {})}, self.tag or written.tag
        self.kind = TargetKind(self.kind)
        _check(self.kind, self.options or {}, repr(str(self.kind)))
        self.options = attributes({**_DEFAULTS.get(self.kind, {}), **(self.options or {})})
        self.keys = arm_keys(self.kind, self.options, self.keys) or _usual_keys(self.kind, self.options)

    @staticmethod
    def make(
        given: str | Mapping[str, object] | Target, host: str | Mapping[str, object] | Target | None = None
    ) -> Target:
        """A target from its text, its dict, or as it is; `host` replaces its own. Raises `InvalidTarget`."""
        if isinstance(given, Target):
            target = given
        elif isinstance(given, str):
            if given.lstrip().startswith("{"):
                return Target.make(_from_json(given), host)
            target = _from_tag(given) if given in target_tags() else _from_text(given)
        elif isinstance(given, Mapping):
            target = _from_dict(given)
        else:
            raise InvalidTarget(text=repr(given), reason="a string or a dict is expected")
        return target if host is None else target.replace(host=Target.make(host))

    @property
    def device_type(self) -> int:
        """The number of the device type (DLPack's): 1 for a CPU, 2 for CUDA."""
        given = self.options.get("target_device_type")
        return int(DEVICE_TYPES.get(self.kind, 1) if given is None else given)

    def __enter__(self) -> Target:
        """`with target:` what needs a target and is given none takes this one."""
        _current.set((*_current.get(), self))
        return self

    def __exit__(self, *_: object) -> None:
        _current.set(_current.get()[:-1])

    @staticmethod
    def current(allow_none: bool = True) -> Target | None:
        """The target of the innermost `with target:`. Raises `InvalidTarget` where there is none, unless allowed."""
        around = _current.get()
        if not around and not allow_none:
            raise InvalidTarget(text="None", reason="no target is current", hint="write `with Target(...):` around")
        return around[-1] if around else None

    @property
    def attrs(self) -> dict[str, Any]:
        """The options: strings, constants, tuples of them."""
        return self.options

    @property
    def features(self) -> TargetFeatures:
        """What the processor has: `target.features.has_sve`."""
        return TargetFeatures(self)

    @property
    def device_name(self) -> str:
        """The option `device`."""
        return str(_plain(self.options.get("device", "")))

    if not TYPE_CHECKING:  # a checker would take every name for an attribute

        def __getattr__(self, name: str) -> Any:
            """Return an option; `-` in its name is written `_`."""
            for key in (name, name.replace("_", "-")):
                value = self.options.get(key, _UNSAID.get(key)) if not name.startswith("_") else None
                if value is not None:
                    return list(map(_plain, value)) if isinstance(value, tuple) else _plain(value)
            raise UnknownAttribute(name, self)

    def export(self) -> dict[str, Any]:
        """The target as the dict that `Target` reads."""
        host = {} if self.host is None else {"host": self.host.export()}
        return {"kind": str(self.kind), "tag": self.tag, "keys": list(self.keys), **host, **self.options}

    def with_host(self, host: str | Mapping[str, object] | Target) -> Target:
        """The target with another host."""
        return self.replace(host=Target.make(host))

    def get_target_device_type(self) -> int:
        """The number of the device type: see `device_type`."""
        return self.device_type

    @staticmethod
    def list_kinds() -> list[str]:
        """The names of all kinds."""
        return sorted(KINDS)

    @staticmethod
    def from_device(device: object) -> Target:
        """Return the target of programs for a device: `tvm.cpu()`, or the name of a kind."""
        kind = device if isinstance(device, str) else getattr(device, "type", None)
        if not isinstance(kind, str):
            raise InvalidTarget(text=repr(device), reason="it is no device")
        return Target.make("llvm" if kind == "cpu" else kind)

    @staticmethod
    def canon_multi_target_and_host(
        target: object, target_host: str | Mapping[str, object] | Target | None = None
    ) -> list[Target]:
        """Return the targets of one target, or of several in a list or as values of a dict, with their host."""
        return [Target.canon_target_and_host(one, target_host)[0] for one in Target.canon_multi_target(target) or ()]

    @staticmethod
    def canon_multi_target(target: object) -> list[Target] | None:
        """Return the targets of one target, or of several in a list or as values of a dict; None for None."""
        if target is None:
            return None
        several: Any = target if isinstance(target, (list, tuple)) else [target]
        if isinstance(target, Mapping) and "kind" not in target:
            several = list(target.values())
        return [Target.make(one) for one in several]

    @staticmethod
    def canon_target(target: str | Mapping[str, object] | Target | None) -> Target | None:
        """Return the target that this says, None for None."""
        return None if target is None else Target.make(target)

    @staticmethod
    def canon_target_and_host(
        target: str | Mapping[str, object] | Target, target_host: str | Mapping[str, object] | Target | None = None
    ) -> tuple[Target, Target | None]:
        """Return a target with its host, and the host."""
        given = Target.make(target)
        canonical = given if target_host is None or given.host is not None else given.with_host(target_host)
        return canonical, canonical.host

    def without_host(self) -> Target:
        """The target alone."""
        return self if self.host is None else self.replace(host=None)

    def __str__(self) -> str:
        parts = [str(self.kind)]
        if self.keys:
            parts.append(f"-keys={','.join(self.keys)}")
        parts += [f"-{key}={option_text(value)}" for key, value in sorted(self.options.items())]
        return " ".join(parts)


def _plain(value: Any) -> Any:
    """The number or string of a constant."""
    return getattr(value, "value", value)


def _usual_keys(kind: str, options: Mapping[str, object]) -> tuple[str, ...]:
    """The keys of a kind; a device has its own one in front."""
    keys, device = _KEYS.get(kind, ()), options.get("device")
    return (device, *keys) if isinstance(device, str) and device not in keys else keys


def option_text(value: object) -> str:
    """The value of an option as it is written in a target string."""
    if isinstance(value, tuple):
        return ",".join(option_text(item) for item in value)
    plain = getattr(value, "value", value)
    return str(plain)


def _check(kind: str, options: Mapping[str, object], written: str) -> None:
    """Refuse a kind or an option that no target has; `written` is what the user gave.

    Names with a slash are tags, and some may be unknown here.
    """
    if "/" in kind:
        return
    if kind not in KINDS:
        hint = closest(kind, KINDS) or f"kinds are {', '.join(sorted(KINDS))}"
        raise InvalidTarget(text=written, reason=f"there is no kind {kind}", hint=hint)
    allowed = KINDS[kind] | COMMON
    for name in options:
        if name not in allowed and not name.startswith("feature."):
            hint = closest(name, allowed) or f"options are {', '.join(sorted(allowed))}"
            raise InvalidTarget(text=written, reason=f"{kind} has no option {name}", hint=hint)


def _from_tag(tag: str) -> Target:
    """Return the target that a tag names. The tag is not kept."""
    text, host = target_tags()[tag]
    target = _from_text(text)
    return target if host is None else target.replace(host=_from_text(host))


def _from_json(text: str) -> Mapping[str, object]:
    """Return the dict of a JSON text. Raises `InvalidTarget`."""
    try:
        content: Mapping[str, object] = json.loads(text)
    except ValueError as error:
        raise InvalidTarget(text=repr(text), reason=f"it is no JSON: {error}") from error
    return content


#: characters that mean something to a shell
_QUOTING: Final = frozenset("'\"\\")


def _split_quoted(text: str) -> list[str]:
    import shlex  # which few targets need

    return shlex.split(text)


def _from_text(text: str) -> Target:
    try:
        words = text.split() if _QUOTING.isdisjoint(text) else _split_quoted(text)
    except ValueError as error:
        raise InvalidTarget(text=repr(text), reason=str(error)) from None
    if not words or words[0].startswith("-"):
        raise InvalidTarget(text=repr(text), reason="it begins with its kind, such as llvm or cuda")
    options: dict[str, object] = {}
    keys: tuple[str, ...] = ()
    position = 1
    while position < len(words):
        word = words[position]
        position += 1
        if not word.startswith("-"):
            raise InvalidTarget(text=repr(text), reason=f"{word} is no option")
        name, equals, value = word.lstrip("-").partition("=")
        if not equals and position < len(words) and not words[position].startswith("-"):
            value, equals = words[position], "="
            position += 1
        if not equals and name in _LISTS | _WORDS:
            raise InvalidTarget(text=repr(text), reason=f"-{name} has no value")
        if name == "keys":
            keys = tuple(value.split(","))
        else:
            options[name] = _option(name, value) if equals else 1
    _check(words[0], options, repr(text))
    return Target(words[0], keys, options)


#: options that are lists, however many items are given
_LISTS: Final = frozenset(["cl-opt", "libs", "llvm-options", "mattr"])
#: options that are words, though they may look like numbers
_WORDS: Final = frozenset(["arch", "device", "march", "mcpu", "model", "mtriple"])


def _option(name: str, text: str) -> Any:
    if name in _LISTS:
        return text.split(",")
    if name in _WORDS:
        return text
    if "," in text:
        return [_option(name, part) for part in text.split(",")]
    return int(text) if text.lstrip("-").isdigit() else text


def _from_dict(given: Mapping[str, Any]) -> Target:
    options = dict(given)
    kind = options.pop("kind", None)
    if not isinstance(kind, str):
        raise InvalidTarget(text=repr(dict(given)), reason='it has no "kind"')
    keys, host, tag = options.pop("keys", ()), options.pop("host", None), options.pop("tag", "")
    if not isinstance(keys, (tuple, list)) or not all(isinstance(key, str) for key in keys) or not isinstance(tag, str):
        raise InvalidTarget(text=repr(dict(given)), reason='"keys" are strings, "tag" is one')
    _check(kind, options, repr(dict(given)))
    return Target(kind, tuple(keys), options, None if host is None else Target.make(host), tag)
