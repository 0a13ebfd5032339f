"""Infer calls of a user's generic functions with arrays.

In `y: torch.Tensor = same(x)` mypy solves the type variable of `def same(x: T) -> T` to the expected `Tensor`, which
has no dtype. The arguments alone decide here, as they do without an expected type.

Where several arguments give a type to one type variable, as in `def f(xs: list[T], x: T)`, mypy infers the join. That
of NumPy arrays whose dtypes only the plugin knows, or of a marked value and another one, has no array in it: stock mypy
infers an array of unknown dtype, or Any.
"""

import sys
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, Final

from mypy.constraints import SUPERTYPE_OF, infer_constraints
from mypy.expandtype import expand_type
from mypy.join import join_type_list
from mypy.nodes import Decorator, FuncBase, TypeInfo
from mypy.plugin import FunctionSigContext, MethodSigContext
from mypy.subtypes import is_same_type
from mypy.typeops import get_all_type_vars
from mypy.types import AnyType, CallableType, FunctionLike, Type, TypeOfAny, TypeVarType, get_proper_type

from promo_mypy.plugin.late import late
from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.overloads import returns_variable
from promo_mypy.plugin.mypy_api.symbols import Symbols
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import container_types, numpy_scalars, value_marks
from promo_mypy.plugin.types.array_types import is_array_or_scalar

with late():
    from promo_mypy.plugin.mypy_api.checker import call_checking

Hook = Callable[[Any], FunctionLike]
#: mypy's own plugin has hooks for functions of the standard library and of attrs.
_LEFT_ALONE: Final = (sys.stdlib_module_names | {"attr", "attrs"}) - {"copy"}


def infer_signature(
    ctx: FunctionSigContext | MethodSigContext,
    session: Session,  # noqa: ARG001 (as every feature)
) -> FunctionLike:
    """The declared signature; the expected type is dropped if it is an array class without a dtype.

    A type variable of several arguments is replaced where their join has no array, one of several classes where an
    argument is Any to stock mypy.
    """
    signature = ctx.default_signature
    if not signature.variables:
        return signature
    if not signature.is_type_obj() and (_is_decided(signature) or returns_variable(signature)):
        call_checking.drop_array_context(ctx.api)
    found = {variable: _join(variable, ctx) for variable in _shared(signature)}
    found.update((variable, _of_any(variable, ctx)) for variable in _limited(signature))
    joined = {variable.id: typ for variable, typ in found.items() if typ is not None}
    if not joined:
        return signature
    left = [variable for variable in signature.variables if variable.id not in joined]
    return expand_type(signature, joined).copy_modified(variables=left)


def _join(variable: TypeVarType, ctx: FunctionSigContext | MethodSigContext) -> Type | None:
    """What stock mypy infers for a type variable of several arguments; None where mypy's own join is right."""
    types = _given(variable, ctx)
    if len(types) < 2 or all(is_same_type(types[0], other) for other in types[1:]):
        return None
    if value_marks.is_any_marked(types):
        return AnyType(TypeOfAny.implementation_artifact)
    are_arrays = all(numpy_scalars.scalar_of_array(typ) is not None for typ in types)
    if not are_arrays or not any(map(value_marks.has_marked_dtype, types)):
        return None
    return join_type_list([container_types.without_dtypes(typ) for typ in types])


def _of_any(variable: TypeVarType, ctx: FunctionSigContext | MethodSigContext) -> Type | None:
    """Any if an argument of the type variable is marked: to mypy it fits the first class, if that is a number."""
    is_any = value_marks.is_any_marked(_given(variable, ctx))
    return AnyType(TypeOfAny.implementation_artifact) if is_any else None


def _given(variable: TypeVarType, ctx: FunctionSigContext | MethodSigContext) -> list[Type]:
    """The types that the arguments give to a type variable."""
    found: list[Type] = []
    for formal, arguments in zip(ctx.default_signature.arg_types, ctx.args, strict=True):
        if variable in _taken(formal):
            types = [type_checker.quiet_type(ctx.api, argument) for argument in arguments]
            found += chain.from_iterable(_given_by(typ, formal, variable) for typ in types)
    return found


def _given_by(typ: Type, formal: Type, variable: TypeVarType) -> Iterator[Type]:
    """What an argument gives to a type variable that is the type of its parameter, or stands in it."""
    if get_proper_type(formal) == variable:
        yield typ
        return
    for each in infer_constraints(formal, typ, SUPERTYPE_OF):
        if each.type_var == variable.id:
            yield each.target


def _limited(function: CallableType) -> list[TypeVarType]:
    """The type variables that are the type of a parameter, and whose classes declare no dtype."""
    given = _given_to(function)
    return list({typ: None for typ in given if typ.values and not any(map(is_array_or_scalar, typ.values))})


def _shared(function: CallableType) -> list[TypeVarType]:
    """The type variables that several arguments give a type to."""
    kinds = zip(function.arg_types, function.arg_kinds, strict=True)
    taken = [each for formal, kind in kinds for each in _taken(formal) * (2 if kind.is_star() else 1)]
    own = {variable.id for variable in function.variables}
    return list({typ: None for typ in taken if taken.count(typ) > 1 and typ.id in own and not typ.values})


def _taken(formal: Type) -> list[TypeVarType]:
    """The type variables in the type of a parameter, as often as they stand there. A function gives none."""
    if isinstance(get_proper_type(formal), FunctionLike):
        return []
    return [each for each in get_all_type_vars(formal) if isinstance(each, TypeVarType)]


def _given_to(function: CallableType) -> list[TypeVarType]:
    """The type variables that are the type of a parameter, once for each parameter."""
    return [typ for typ in map(get_proper_type, function.arg_types) if isinstance(typ, TypeVarType)]


def hook(generic: Hook, symbols: Symbols, fullname: str) -> Hook | None:
    """The hook of generic functions, if this is one.

    A function in a function has no module in its name. A display has a name that is no identifier: `<list>`.
    """
    return generic if fullname.isidentifier() or is_generic(fullname, symbols) else None


def is_generic(fullname: str, symbols: Symbols) -> bool:
    """Whether this is a user's function or method whose arguments decide all type variables of its result, or one of
    which several arguments have one type variable, or one has a type variable of several classes.
    """
    package = fullname.partition(".")[0]
    if package in _LEFT_ALONE or is_own(fullname):
        return False
    node = symbols.declared(fullname)
    if isinstance(node, TypeInfo):
        return bool(node.type_vars)
    typ = get_proper_type(node.type) if isinstance(node, FuncBase | Decorator) else None
    return (
        isinstance(typ, CallableType)
        and bool(typ.variables)
        and bool(_is_decided(typ) or returns_variable(typ) or _shared(typ) or _limited(typ))
    )


def _is_decided(function: CallableType) -> bool:
    """Whether each type variable of the result is the type of one parameter, and stands in no other.

    Of several arguments mypy infers the join, and the expected type says which one.
    """
    given = [variable for argument in function.arg_types for variable in get_all_type_vars(argument)]
    plain = [variable for variable in map(get_proper_type, function.arg_types) if variable in given]
    results = get_all_type_vars(function.ret_type)
    return bool(results) and all(each in plain and given.count(each) == 1 for each in results)
