"""Structural equality and hash: the same program up to the names of what it defines itself.

Definitions (fields that bind or match) are paired as they are met, so equality is a bijection of
variables, not a comparison of names. Floats are compared by their bits: nan equals the same nan, 0.0 is not -0.0.
"""

from __future__ import annotations

import hashlib
import struct
from typing import Any

from tvmscript.ir.core.errors import IRError
from tvmscript.ir.core.flags import deep_recursion
from tvmscript.ir.core.node import Node, Role


class NotEqual(IRError):
    code = "TS1020"
    message = "the programs differ at {path}: {reason}\n  left:  {left}\n  right: {right}"


class Difference(Exception):
    """The first difference between two programs: `path` from the root, a `reason` in words, both parts."""

    def __init__(self, reason: str, left: object, right: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.left = left
        self.right = right
        #: steps from the innermost outwards while unwinding
        self.steps: list[str] = []

    @property
    def path(self) -> str:
        """Python access from the root, such as `.body.seq[1].value`."""
        return "<root>" + "".join(reversed(self.steps))


class _Comparison:
    def __init__(self, map_free_vars: bool) -> None:
        self.map_free_vars = map_free_vars
        self.forward: dict[Node, Node] = {}
        self.backward: dict[Node, Node] = {}

    def compare(self, left: Any, right: Any, defining: bool) -> None:
        """Raise Difference unless the two values are the same; `defining` pairs unknown names."""
        if isinstance(left, Node):
            if type(left) is not type(right):
                raise Difference(_kinds(left, right), left, right)
            if left.is_name:
                self._name(left, right, defining)
            else:
                self._fields(left, right, defining)
        elif isinstance(left, tuple | list):
            if not isinstance(right, tuple | list):
                raise Difference(_kinds(left, right), left, right)
            self._sequence(left, right, defining)
        elif isinstance(left, dict):
            if not isinstance(right, dict):
                raise Difference(_kinds(left, right), left, right)
            self._mapping(left, right, defining)
        elif isinstance(left, float):
            if not isinstance(right, float) or _float_bits(left) != _float_bits(right):
                raise Difference("the values differ", left, right)
        elif _is_array(left):
            if not _is_array(right) or _array_bytes(left) != _array_bytes(right):
                raise Difference("the constant data differ", left, right)
        elif type(left) is not type(right) or left != right:
            raise Difference("the values differ", left, right)

    def _name(self, left: Any, right: Any, defining: bool) -> None:
        known = self.forward.get(left)
        other = self.backward.get(right)
        if known is not None or other is not None:
            if known is not right:
                raise Difference("the names stand for different definitions", left, right)
            return
        if defining or self.map_free_vars or self._is_known_view(left, right):
            self.forward[left] = right
            self.backward[right] = left
            self._fields(left, right, defining)
        elif left is not right and not left.same_name(right):
            raise Difference("different free variables", left, right)

    def _is_known_view(self, left: Any, right: Any) -> bool:
        """Whether two names are views of the same memory (buffers over one data variable, declared nowhere)."""
        if left.view_of is None or left is right:
            return False
        memory, other = getattr(left, left.view_of), getattr(right, right.view_of)
        return memory is other or (memory in self.forward and self.forward[memory] is other)

    def _fields(self, left: Any, right: Any, defining: bool) -> None:
        for name, role in left.schema.compared:
            inner = role is Role.BINDS or role is Role.MATCHES or (defining and role is Role.CHILD and left.is_name)
            try:
                self.compare(getattr(left, name), getattr(right, name), inner)
            except Difference as difference:
                difference.steps.append(f".{name}")
                raise

    def _sequence(self, left: Any, right: Any, defining: bool) -> None:
        for index, (a, b) in enumerate(zip(left, right, strict=False)):
            try:
                self.compare(a, b, defining)
            except Difference as difference:
                difference.steps.append(f"[{index}]")
                raise
        if len(left) != len(right):
            raise Difference(f"{len(left)} and {len(right)} elements", left, right)

    def _mapping(self, left: dict[Any, Any], right: dict[Any, Any], defining: bool) -> None:
        paired: list[Any] = []
        for key, value in left.items():
            other = self._partner(key, right)
            if other is None:
                raise Difference(f"{_label(key)} is on the left side alone", left, right)
            paired.append(other)
            try:
                self.compare(value, right[other], defining)
            except Difference as difference:
                difference.steps.append(f"[{_label(key)}]")
                raise
        if len(left) != len(right):
            extra = next(key for key in right if not any(key is other for other in paired))
            raise Difference(f"{_label(extra)} is on the right side alone", left, right)

    def _partner(self, key: Any, right: dict[Any, Any]) -> Any:
        """The key of `right` that means the same: a string, or a name object that was paired or has the same name."""
        if not isinstance(key, Node):
            return next((other for other in right if other == key), None)
        known = self.forward.get(key)
        if known is not None:
            return known if known in right else None
        same_name: Any = getattr(key, "same_name", None)
        return next((other for other in right if other is key or same_name(other)), None)


def _label(key: Any) -> str:
    return repr(getattr(key, "name_hint", key))


def _kinds(left: object, right: object) -> str:
    return f"a {type(left).__name__} and a {type(right).__name__}"


def _float_bits(value: float) -> bytes:
    return struct.pack("d", value)


def _is_array(value: object) -> bool:
    return hasattr(value, "tobytes") and hasattr(value, "dtype")


def _array_bytes(value: Any) -> tuple[str, tuple[int, ...], bytes]:
    return str(value.dtype), tuple(value.shape), value.tobytes()


def first_difference(left: object, right: object, map_free_vars: bool = False) -> Difference | None:
    """The first place where two programs differ, None where they do not."""
    with deep_recursion():
        try:
            _Comparison(map_free_vars).compare(left, right, False)
        except Difference as difference:
            return difference
    return None


def structural_equal(left: object, right: object, map_free_vars: bool = False) -> bool:
    """Whether two programs are the same up to the names of what they define.

    Free variables must be the same objects, unless `map_free_vars` pairs them as they are met.
    """
    return first_difference(left, right, map_free_vars) is None


def assert_structural_equal(left: object, right: object, map_free_vars: bool = False) -> None:
    """Raise `NotEqual` with the path, the reason and both parts, unless the programs are the same."""
    found = first_difference(left, right, map_free_vars)
    if found is not None:
        raise NotEqual(path=found.path, reason=found.reason, left=found.left, right=found.right)


class _Hasher:
    def __init__(self, map_free_vars: bool) -> None:
        self.map_free_vars = map_free_vars
        self.numbers: dict[Node, int] = {}
        self.tokens: list[bytes] = []

    def add(self, value: Any, defining: bool) -> None:
        tokens = self.tokens
        if isinstance(value, Node):
            if value.is_name:
                self._name(value, defining)
            else:
                self._fields(value, defining)
        elif isinstance(value, tuple | list):
            tokens.append(b"(%d" % len(value))
            for item in value:
                self.add(item, defining)
        elif isinstance(value, dict):
            self._mapping(value, defining)
        elif isinstance(value, float):
            tokens.append(_float_bits(value))
        elif _is_array(value):
            tokens.append(repr(_array_bytes(value)).encode())
        else:
            tokens.append(f"{type(value).__name__}:{value}".encode())

    def _name(self, value: Any, defining: bool) -> None:
        number = self.numbers.get(value)
        if number is not None:
            self.tokens.append(b"#%d" % number)
        elif defining or self.map_free_vars or value.view_of is not None:
            self.numbers[value] = len(self.numbers)
            self._fields(value, defining)
        else:
            self.tokens.append(f"free:{value.name_hint}".encode())

    def _fields(self, value: Any, defining: bool) -> None:
        self.tokens.append(type(value).__name__.encode())
        for name, role in value.schema.compared:
            inner = role is Role.BINDS or role is Role.MATCHES or (defining and role is Role.CHILD and value.is_name)
            self.add(getattr(value, name), inner)

    def _mapping(self, value: dict[Any, Any], defining: bool) -> None:
        self.tokens.append(b"{%d" % len(value))
        keys = list(value)
        if any(isinstance(key, Node) for key in keys):
            keys.sort(key=lambda key: (self.numbers.get(key, -1), key.name_hint))
        else:
            keys.sort()
        for key in keys:
            self.add(key, False)
            self.add(value[key], defining)


def structural_hash(program: object, map_free_vars: bool = False) -> int:
    """A 64-bit number that structurally equal programs share, the same in every process."""
    hasher = _Hasher(map_free_vars)
    with deep_recursion():
        hasher.add(program, False)
    digest = hashlib.blake2b(digest_size=8)
    for token in hasher.tokens:
        digest.update(b"%d:" % len(token))
        digest.update(token)
    return int.from_bytes(digest.digest(), "little")
