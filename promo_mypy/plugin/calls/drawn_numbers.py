"""Correct the type that NumPy's stubs declare for random numbers: a Python number, or an array.

The first overload of `rng.normal` is for `size=None` and returns a float. mypy chooses it for a size of type Any, such
as `x.shape[0]`, and for arrays that may be scalars.
"""

from collections.abc import Sequence
from typing import Final

from mypy.types import AnyType, Instance, NoneType, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin.calls.preserved_dtype import types_by_parameter
from promo_mypy.plugin.mypy_api.arguments import Argument
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_types import is_python_number, read
from promo_mypy.plugin.types.numpy_scalars import is_scalar
from promo_mypy.plugin.types.walks import members
from promo_mypy.rules.functions.language.protocols import Rule
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.language.vocabulary import Asked, Drawn
from promo_mypy.rules.operands import Form

_MODULE: Final = "random."
_SIZE: Final = "size"
_SINGLE: Final = frozenset({Form.PYTHON, Form.SCALAR})


def is_misdeclared(
    row: Row, given: Sequence[Argument], receiver: Type | None, declared: Type, session: Session
) -> bool:
    """Whether a call draws an array, or may draw one, and mypy chose an overload that returns one number."""
    if row.library != "numpy" or not row.name.startswith(_MODULE) or not _is_number(declared):
        return False
    types = types_by_parameter(row, given, receiver)
    if _SIZE in types and not isinstance(get_proper_type(types[_SIZE]), NoneType):
        return True
    return any(name in types and not _is_single(types[name], session) for name in _parameters(row.rule))


def draws_array(row: Row, given: Sequence[Argument], receiver: Type | None, session: Session) -> bool:
    """Whether the size, or a parameter of the distribution, tells that the result is an array."""
    types = types_by_parameter(row, given, receiver)
    size = get_proper_type(types.get(_SIZE, NoneType()))
    return _is_known(size) or any(_is_array(types.get(name), session) for name in _parameters(row.rule))


def anything() -> Type:
    """The type of a number or an array."""
    return AnyType(TypeOfAny.implementation_artifact)


def _is_known(size: Type) -> bool:
    """Whether the size is given, and not None."""
    return all(not isinstance(member, AnyType | NoneType) for member in members(size))


def _is_array(typ: Type | None, session: Session) -> bool:
    values = None if typ is None or value_marks.is_marked(typ) else read(typ, session.platform)
    return bool(values) and all(value.is_array and not value.may_be_scalar for value in values or ())


def _is_number(typ: Type) -> bool:
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and (is_python_number(proper) or is_scalar(proper))


def _is_single(typ: Type, session: Session) -> bool:
    values = read(typ, session.platform)
    return values is not None and all(value.form in _SINGLE and not value.may_be_array for value in values)


def _parameters(rule: Rule) -> Sequence[str]:
    """The parameters of the distribution."""
    inner = rule.rule if isinstance(rule, Asked) else rule
    return inner.names.split() if isinstance(inner, Drawn) else ()
