"""Widen an unannotated list or dict of arrays when an array of another dtype is added: its items have unknown dtypes.

mypy infers the items of `xs = [a]` from a, and would reject `xs.append(b)` if b has another dtype. Without the plugin
there is no dtype. So when an array of another dtype is added, the variable gets a type with unknown dtypes, and the
method accepts the array. An annotated container keeps its declared type, and mypy's errors.
"""

from typing import Final

from mypy.nodes import (
    CallExpr,
    Context,
    Expression,
    IndexExpr,
    MemberExpr,
    OperatorAssignmentStmt,
    Var,
)
from mypy.plugin import MethodContext, MethodSigContext
from mypy.subtypes import is_subtype
from mypy.types import AnyType, CallableType, FunctionLike, Instance, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.checker.narrowing import widen, widen_aliases
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.operators.containers.any_items import (
    accepting_signature,
    aliases_of,
    item_types,
    variable_of,
    with_any_items,
)
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.expressions import root
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_types import library_of, read
from promo_mypy.plugin.types.container_types import (
    any_array,
    holds_anything,
    holds_array,
    ranks,
    without_dtypes,
    without_ranks,
)
from promo_mypy.plugin.types.numpy_scalars import is_scalar_type
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.ranks import UNKNOWN_RANK

#: How many arguments `get` and `pop` have with a default.
_WITH_DEFAULT: Final = 2


def infer_signature(ctx: MethodSigContext, session: Session) -> FunctionLike:
    """`xs.append(b)`, `xs[0] = b` and other mutations: the own signature, or one that accepts arrays of any dtype."""
    signature, filled = ctx.default_signature, _filled(ctx.context)
    if filled is None:
        return signature
    if (accepting := accepting_signature(ctx, filled, session)) is not None:
        return accepting
    if not holds_array(ctx.type) or _has_marked_items(ctx.type):
        return _beside_scalars(ctx, filled, session)
    if not any_array(ctx.type, lambda array: read(array, session.platform) is not None):
        widen_aliases(ctx.api, aliases_of(filled, ctx, session), without_dtypes, filled.line)
        return signature
    container = root(filled)
    variable = variable_of(container, ctx)
    if variable is not None and (variable.type is None or not is_unannotated(variable)):
        return signature
    if variable is None and not any(isinstance(alias, Var) for alias in aliases_of(filled, ctx, session)):
        return signature
    wide_types = [without_dtypes(typ) for typ in signature.arg_types]
    wide_signature = signature.copy_modified(arg_types=wide_types, ret_type=without_dtypes(signature.ret_type))
    # mypy has no type for `xs = []` before the first item is added.
    session.watch.follow(ctx.api)
    known = session.watch.file.aliases
    is_mutated_elsewhere = variable is not None and known is not None and known.is_open(variable)
    is_needed = _is_needed(ctx, signature, wide_signature, session)
    if not is_mutated_elsewhere and is_needed is False:
        if not _has_their_ranks(ctx, signature):
            aliases = aliases_of(filled, ctx, session)
            widen_aliases(ctx.api, aliases if variable is None else {*aliases, variable}, without_ranks, filled.line)
        return signature
    aliases = aliases_of(filled, ctx, session)
    if variable is not None and variable.type is not None:
        widen(ctx.api, container, variable, without_dtypes(variable.type))
    widen_aliases(ctx.api, aliases, without_dtypes, filled.line)
    return signature if is_needed is None else wide_signature  # for mypy's error


def _beside_scalars(ctx: MethodSigContext, filled: Expression, session: Session) -> FunctionLike:
    """`d["b"] = x` after `d["a"] = x.mean()`: from then on the items are Any, as without the plugin.

    So they are after `d["b"] = anything()`, which replaces a scalar by a value of any dtype.
    """
    signature, held = ctx.default_signature, ctx.type
    is_marked = _has_marked_items(held)
    if not isinstance(held, Instance) or not held.args or not (is_marked or is_scalar_type(held.args[-1])):
        return signature
    given = [type_checker.quiet_type(ctx.api, each) for expressions in ctx.args for each in expressions]
    if not is_marked and any(map(holds_anything, given[-1:])):
        return _beside_anything(ctx, filled, session)
    variable = variable_of(filled, ctx)
    if is_marked:
        is_other = not all(map(holds_array, given[-1:]))  # the index of an item comes before it
    else:
        is_other = any(library_of(typ) is Library.NUMPY for typ in given)
    if variable is None or not is_unannotated(variable) or not is_other:
        return signature
    anything = AnyType(TypeOfAny.special_form)
    widen(ctx.api, filled, variable, held.copy_modified(args=[*held.args[:-1], anything]))
    return signature.copy_modified(arg_types=[anything for _ in signature.arg_types])


def _beside_anything(ctx: MethodSigContext, filled: Expression, session: Session) -> FunctionLike:
    """The signature for scalars beside a value of type Any: from then on the items are unknown."""
    container = root(filled)
    variable = variable_of(container, ctx)
    if variable is None or variable.type is None or is_unannotated(variable):
        if variable is not None and variable.type is not None:
            widen(ctx.api, container, variable, with_any_items(variable.type))
        widen_aliases(ctx.api, aliases_of(filled, ctx, session), with_any_items, filled.line)
    return ctx.default_signature


def _has_marked_items(container: Type) -> bool:
    """Whether the items are arrays for which stock mypy infers Any."""
    proper = get_proper_type(container)
    if not isinstance(proper, Instance) or not proper.args or library_of(proper) is not None:
        return False
    return holds_array(proper.args[-1]) and value_marks.is_marked(proper.args[-1])


def _has_their_ranks(ctx: MethodSigContext, signature: CallableType) -> bool:
    """Whether the added items have all known ranks of the container. mypy does not compare ranks."""
    return all(
        _is_of_ranks(typ, expressions, ctx) for expressions, typ in zip(ctx.args, signature.arg_types, strict=True)
    )


def _is_of_ranks(typ: Type, expressions: list[Expression], ctx: MethodContext | MethodSigContext) -> bool:
    known = ranks(typ) - {UNKNOWN_RANK}
    return not known or all(ranks(type_checker.quiet_type(ctx.api, each)) <= known for each in expressions)


def _is_needed(
    ctx: MethodSigContext, signature: CallableType, wide_signature: CallableType, session: Session
) -> bool | None:
    """Whether an argument has, or may have, another dtype than the signature requires; None if one fits no dtype."""
    found = False
    for expressions, typ, wide_type in zip(ctx.args, signature.arg_types, wide_signature.arg_types, strict=True):
        for expression in expressions:
            given = type_checker.quiet_type(ctx.api, expression)
            # Without promotions, as a weak array is not an array of the strong dtype.
            fits = is_subtype(given, typ, ignore_promotions=True)
            if fits and not (holds_array(typ) and _may_have_unknown_dtype(expression, ctx, session)):
                continue
            if not is_subtype(given, wide_type):
                return None
            found = True
    return found


def infer_result(ctx: MethodContext, session: Session) -> Type:
    """`d.get("a", x)`, `xs + ys` and similar: mypy infers the dtype of the container's items for added items, too."""
    result = ctx.default_return_type
    if len(ctx.arg_types) == _WITH_DEFAULT and value_marks.is_any_marked(ctx.arg_types[-1]):
        return AnyType(TypeOfAny.implementation_artifact)  # several overloads take an argument of type Any
    if not holds_array(result):
        return result
    given = [expression for expressions in ctx.args for expression in expressions]
    if any(_may_have_unknown_dtype(expression, ctx, session) for expression in given):
        return without_dtypes(result)
    # mypy accepts a weak array where a strong one is expected.
    is_strong = any_array(result, lambda array: not _may_be_weak(array, session))
    if is_strong and any(_holds_weak(expression, ctx, session) for expression in given):
        return without_dtypes(result)
    return result if _is_of_ranks(result, given, ctx) else without_ranks(result)


def _holds_weak(expression: Expression, ctx: MethodContext, session: Session) -> bool:
    types = item_types(expression, ctx.api)
    return any(any_array(typ, lambda array: _may_be_weak(array, session)) for typ in types)


def _may_be_weak(array: Instance, session: Session) -> bool:
    values = read(array, session.platform) or ()
    return any(issubclass(dtype, dt.Shaped) and dtype.weak for value in values for dtype in value.dtypes)


def _may_have_unknown_dtype(expression: Expression, ctx: MethodContext | MethodSigContext, session: Session) -> bool:
    # A display in the context of a list of arrays has the type of the context. Its items have their own types.
    return any(_has_unknown_dtype(typ, session) for typ in item_types(expression, ctx.api))


def _has_unknown_dtype(typ: Type, session: Session) -> bool:
    """Whether a value of the type is, holds or returns Any, or an array of unknown dtype."""
    return holds_anything(typ) or any_array(typ, lambda array: read(array, session.platform) is None)


def _filled(context: Context) -> Expression | None:
    """The container that is mutated: `xs` in `xs.append(b)`, in `xs[0] = b` and `xs += b`."""
    match context:
        case CallExpr(callee=MemberExpr(expr=container)) | IndexExpr(base=container):
            return container
        case OperatorAssignmentStmt(lvalue=container):
            return container
        case _:
            return None
