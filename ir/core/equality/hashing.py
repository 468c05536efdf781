"""Structural hash: equal for structurally equal programs, stable across processes.

Each node's digest is made of its fields' digests. A definition is numbered where it is met, a use is that number,
so names do not count. A part that occurs at several places (one object) is looked at once.
"""

from __future__ import annotations

from enum import Enum
from types import NoneType
from typing import Any, Final

try:
    from _blake2 import blake2b
except ImportError:  # `hashlib` starts OpenSSL, which takes milliseconds
    from hashlib import blake2b

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.node import Node, Role
from tvmscript.ir.core.op import Op
from tvmscript.ir.core.python_settings import deep_recursion
from tvmscript.ir.core.targets.target import Target
from tvmscript.ir.core.values.leaf_values import array_parts, float_bits, is_array

#: bytes of a digest
_SIZE = 16
#: leaves of this length and more are digested themselves
_LONG = 256


class _Hasher:
    def __init__(self, map_free_vars: bool) -> None:
        self.map_free_vars = map_free_vars
        self.numbers: dict[Node, int] = {}
        #: digests of parts that define nothing: they are the same wherever the part stands
        self.known: dict[int, bytes] = {}

    def digest(self, value: object, defining: bool) -> bytes:
        """Return a digest of a value, or the value itself for short leaves."""
        if isinstance(value, Node):
            return self._name(value, defining) if value.is_name else self._node(value, defining)
        if isinstance(value, (tuple, list)):
            return _digest("(", [self.digest(item, defining) for item in value])
        if isinstance(value, dict):
            return self._mapping(value, defining)
        if isinstance(value, float):
            return b"f" + float_bits(value)
        if is_array(value):
            dtype, shape, data = array_parts(value)
            return _digest("array", [_blake(f"{dtype}{shape}".encode()), _blake(data)])
        return _leaf(f"{type(value).__name__}:{value}")

    def _name(self, value: Any, defining: bool) -> bytes:
        number = self.numbers.get(value)
        if number is not None:
            return b"#%d" % number
        if defining or self.map_free_vars or value.view_of is not None:
            self.numbers[value] = len(self.numbers)
            return self._fields(value, defining)
        return _leaf(f"free:{value.name_hint}")

    def _node(self, value: Node, defining: bool) -> bytes:
        cached_hash = self.known.get(id(value))
        if cached_hash is not None:
            return cached_hash
        before = len(self.numbers)
        digest = self._fields(value, defining)
        if len(self.numbers) == before:
            self.known[id(value)] = digest
        return digest

    def _fields(self, value: Node, defining: bool) -> bytes:
        inherited = defining and (value.is_name or value.defines_inside)
        parts: list[bytes] = []
        for name, role in value.schema.compared:
            inner = role is Role.BINDS or role is Role.MATCHES or (inherited and role is Role.CHILD)
            parts.append(self.digest(getattr(value, name), inner))
        return _digest(type(value).__name__, parts)

    def _mapping(self, value: dict[Any, Any], defining: bool) -> bytes:
        parts: list[bytes] = []
        for key in sorted_keys(value, self.numbers):
            parts += (self.digest(key, False), self.digest(value[key], defining))
        return _digest("{", parts)


class _NoFingerprint(Exception):
    """A value whose text may not tell all of it."""


class _NamedHasher(_Hasher):
    """Digests in which names count, as messages of compiled code have them."""

    def digest(self, value: object, defining: bool) -> bytes:
        if not isinstance(value, (Node, Enum, *_WITH_TEXTS)) and not is_array(value):
            raise _NoFingerprint
        return super().digest(value, defining)

    def _fields(self, value: Node, defining: bool) -> bytes:
        names = [self.digest(getattr(value, name), False) for name in value.schema.names]
        return _digest("named", [super()._fields(value, defining), *names])


#: types of values that their digests tell from each other
_WITH_TEXTS: Final = (str, int, float, bytes, NoneType, tuple, list, dict, DType, Op, Target)


def digest_of(data: bytes) -> str:
    """Return a digest of 64 hexadecimal digits."""
    return blake2b(data, digest_size=32).hexdigest()


@deep_recursion
def fingerprint(program: Node) -> str | None:
    """Return a digest that only programs with equal structure and equal names share; spans do not count.

    None for a program with a value of an unknown type.
    """
    try:
        return _NamedHasher(False).digest(program, False).hex()
    except _NoFingerprint:
        return None


def sorted_keys(value: dict[Any, Any], numbers: dict[Node, int]) -> list[Any]:
    """Return the keys in an order that equal programs share: strings sorted, names by number, then by name."""
    if any(isinstance(key, Node) for key in value):
        return sorted(value, key=lambda key: (numbers.get(key, -1), key.name_hint))
    return sorted(value)


def _digest(label: str, parts: list[bytes]) -> bytes:
    """Return the digest of parts of less than 256 bytes each; the label contains no `|`."""
    return _blake(b"".join([label.encode(), b"|", bytes(map(len, parts)), b"|", *parts]))


def _leaf(text: str) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    return data if len(data) < _LONG else _blake(data)


def _blake(data: bytes) -> bytes:
    return blake2b(data, digest_size=_SIZE).digest()


@deep_recursion
def structural_hash(program: object, map_free_vars: bool = False) -> int:
    """Return a 64-bit hash that structurally equal programs share, stable across processes.

    Free variables count by their name, or with `map_free_vars` by where they are met.
    """
    digest = _Hasher(map_free_vars).digest(program, False)
    return int.from_bytes(blake2b(digest, digest_size=8).digest(), "little")
