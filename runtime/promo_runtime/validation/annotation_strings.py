"""Evaluate annotations: strings are evaluated in the scope of the function or class.

Array classes that take no type arguments at run time (`"jax.Array[bfloat16]"`) become `Annotated`. A name that does not
exist at run time (imported only for type checkers) counts as unknown; the rest is still read.
"""

import ast
import builtins
import inspect
import sys
import typing
from collections import ChainMap
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final

from promo_runtime.actual_dtypes import library_of_class


class _UnknownMeta(type):
    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return cls

    def __getitem__(cls, item: Any) -> Any:
        return cls

    def __or__(cls, other: Any) -> Any:
        return cls

    __ror__ = __or__


class Unknown(metaclass=_UnknownMeta):
    """The value of a name that does not exist at run time."""


class Names(Mapping[str, Any]):
    """The names that a function or a class sees: its closure, its type parameters, its module, the built-ins."""

    def __init__(self, owner: Any) -> None:
        self._owner: Final = owner

    def _scopes(self) -> Iterator[Mapping[str, Any]]:
        """The scopes from the inside out, in their current state: a module may define a name after a function that
        mentions it.
        """
        owner = self._owner
        yield _type_parameters(owner)
        if inspect.isfunction(owner):
            yield _closure(owner)
            yield owner.__globals__
        else:
            yield {owner.__name__: owner}
            yield vars(owner)
            yield vars(sys.modules.get(owner.__module__, builtins))
        yield vars(builtins)

    def __getitem__(self, name: str) -> Any:
        return next((scope[name] for scope in self._scopes() if name in scope), Unknown)

    def __iter__(self) -> Iterator[str]:
        return (name for scope in self._scopes() for name in scope)

    def __len__(self) -> int:
        return sum(map(len, self._scopes()))


def _closure(function: Any) -> Mapping[str, Any]:
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=False):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    return found


def _type_parameters(owner: Any) -> Mapping[str, Any]:
    return {parameter.__name__: parameter for parameter in getattr(owner, "__type_params__", ())}


def annotations_of(owner: Any) -> dict[str, Any]:
    """The annotations of a function or a class (its own only), including strings; empty if they cannot be read."""
    try:
        return dict(inspect.get_annotations(owner))
    except Exception:  # Python 3.14 evaluates them here, and the author's expressions may raise any error
        return {}


def evaluated(text: str, names: Names) -> Any:
    """The object that a string in an annotation stands for; `Unknown` if it cannot be evaluated."""
    try:
        tree = ast.parse(f"({text})", mode="eval")
        code = compile(ast.fix_missing_locations(_Subscriptions().visit(tree)), "<annotation>", "eval")
        return eval(code, {}, ChainMap({_SUBSCRIBED: _subscribed}, names))  # type: ignore[arg-type] # it is only read
    except Exception:  # the user's expression may raise any error; the annotation is then ignored
        return Unknown


_SUBSCRIBED: Final = "promo subscription"  # a name that no string can contain


class _Subscriptions(ast.NodeTransformer):
    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        return ast.Call(ast.Name(_SUBSCRIBED, ast.Load()), [node.value, node.slice], [])


def _subscribed(base: Any, item: Any) -> Any:
    try:
        return base[item]
    except TypeError:
        if not isinstance(base, type) or library_of_class(base) is None:
            raise
        first = item[0] if isinstance(item, tuple) else item
        return Annotated[base, first]


def forward_text(annotation: Any) -> str | None:
    """The text of an annotation that is or was a string; None for any other."""
    if isinstance(annotation, typing.ForwardRef):
        return annotation.__forward_arg__
    return annotation if isinstance(annotation, str) else None
