"""Containers beside `ModuleList`: modules by name, parameters in lists and by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from tvmscript.frontend.nn.module import Module
from tvmscript.frontend.nn.parameter import Parameter
from tvmscript.ir.core import WrongType

MemberT = TypeVar("MemberT")


class _ByName(Module, Generic[MemberT]):
    """Members by name."""

    def __init__(self, members: Mapping[str, MemberT] | None = None) -> None:
        self._members: dict[str, MemberT] = {}
        self.update(members or {})

    def fields(self) -> Iterator[tuple[str, Any]]:
        yield from self._members.items()

    def __getitem__(self, key: str) -> MemberT:
        return self._members[key]

    def __setitem__(self, key: str, member: MemberT) -> None:
        self._members[key] = self.check(member)

    def __len__(self) -> int:
        return len(self._members)

    def __contains__(self, key: object) -> bool:
        return key in self._members

    def check(self, member: MemberT) -> MemberT:
        """Return a member that the container takes."""
        return member

    def keys(self) -> Iterable[str]:
        """Return the names."""
        return self._members.keys()

    def values(self) -> Iterable[MemberT]:
        """Return the members."""
        return self._members.values()

    def items(self) -> Iterable[tuple[str, MemberT]]:
        """Return names and members."""
        return self._members.items()

    def get(self, key: str, default: MemberT | None = None) -> MemberT | None:
        """Return a member, or the default where there is none."""
        return self._members.get(key, default)

    def update(self, members: Mapping[str, MemberT]) -> None:
        """Add members by name."""
        for key, member in members.items():
            self[key] = member

    def pop(self, key: str) -> MemberT:
        """Remove a member, and return it."""
        return self._members.pop(key)

    def clear(self) -> None:
        """Remove all members."""
        self._members.clear()


class ModuleDict(_ByName[Module]):
    """Modules by name; iteration yields the modules."""

    def __init__(self, modules: Mapping[str, Module] | None = None) -> None:
        super().__init__(modules)

    def __iter__(self) -> Iterator[Module]:
        return iter(self.values())


class ParameterDict(_ByName[Parameter]):
    """Parameters by name; iteration yields the names."""

    def __init__(self, params: Mapping[str, Parameter] | None = None) -> None:
        super().__init__(params)

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def check(self, member: Parameter) -> Parameter:
        return _check_parameter("ParameterDict", member)


class ParameterList(Module):
    """Parameters in a list."""

    def __init__(self, params: Iterable[Parameter] | None = None) -> None:
        self.params: list[Parameter] = []
        self.extend(params or ())

    def fields(self) -> Iterator[tuple[str, Any]]:
        for index, param in enumerate(self.params):
            yield str(index), param

    def __iter__(self) -> Iterator[Parameter]:
        return iter(self.params)

    def __getitem__(self, idx: int) -> Parameter:
        return self.params[idx]

    def __setitem__(self, idx: int, param: Parameter) -> None:
        self.params[idx] = _check_parameter("ParameterList", param)

    def __len__(self) -> int:
        return len(self.params)

    def append(self, param: Parameter) -> None:
        """Add a parameter at the end."""
        self.params.append(_check_parameter("ParameterList", param))

    def extend(self, params: Iterable[Parameter]) -> None:
        """Add parameters at the end."""
        for param in params:
            self.append(param)


def _check_parameter(where: str, value: object) -> Parameter:
    if not isinstance(value, Parameter):
        raise WrongType(where=f"nn.{where}", expected="a Parameter", got=type(value).__name__)
    return value
