"""Infer attributes of arrays that the registry has (`x.T`, `x.real`)."""

from mypy.plugin import AttributeContext
from mypy.typeops import make_simplified_union
from mypy.types import Type

from promo_mypy.plugin.calls.arguments.ranked_arguments import rank_of_call
from promo_mypy.plugin.calls.fill import declared_type, filled, receiver_of
from promo_mypy.plugin.calls.preserved_dtype import kept_array
from promo_mypy.plugin.calls.resolution import answers_of
from promo_mypy.plugin.calls.result_type import typed
from promo_mypy.plugin.libraries import BY_PACKAGE, Library
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_types import library_of, read
from promo_mypy.plugin.types.walks import members
from promo_mypy.rules.functions.language.conversions import Converted
from promo_mypy.rules.functions.language.rows import Row


def infer_attribute(ctx: AttributeContext, row: Row, session: Session) -> Type:
    """The attribute of each array that the object may be.

    For a union mypy calls the hook once for each member, and passes the union, not the member. The answer is for all
    members of the row's library.
    """
    if ctx.is_lvalue:
        return ctx.default_attr_type
    session.watch.follow(ctx.api)
    arrays = members(ctx.type)
    if BY_PACKAGE[row.library] is Library.NUMPY:
        return _of_ndarray(ctx, arrays[0], row, session) if len(arrays) == 1 else ctx.default_attr_type
    results = [_of_array(ctx, array, row, session) for array in arrays if _is_of(array, BY_PACKAGE[row.library])]
    return make_simplified_union(results) if results else ctx.default_attr_type


def _is_of(typ: Type, library: Library) -> bool:
    receiver = receiver_of(typ)
    return receiver is not None and receiver.library is library


def _of_array(ctx: AttributeContext, array: Type, row: Row, session: Session) -> Type:
    declared, rank = ctx.default_attr_type, rank_of_call(row, (), array, ctx.api)
    kept = kept_array(row, (), array)
    if kept is not None:
        if kept.dtypes is not None:
            declared = declared_type(declared, kept.library, session)
        return filled(declared, kept.argument, rank, session)
    receiver = receiver_of(array)
    dtypes = receiver.dtypes if receiver is not None else None
    if receiver is not None and dtypes and isinstance(row.rule, Converted) and not row.rule.touches(dtypes):
        # A category stays a category.
        return filled(declared_type(declared, receiver.library, session), receiver.argument, rank, session)
    found = answers_of(row, (), array, session, ctx.api)
    answers = () if found is None else found.answers
    return typed(answers, declared, BY_PACKAGE[row.library], session, scalar=False, rank=rank)


def _of_ndarray(ctx: AttributeContext, array: Type, row: Row, session: Session) -> Type:
    """The attribute where NumPy's stubs have no dtype: unions and `np.number`."""
    declared = ctx.default_attr_type
    if library_of(declared) is not Library.NUMPY or read(declared, session.platform) is not None:
        return declared
    found = answers_of(row, (), array, session, ctx.api)
    return declared if found is None else typed(found.answers, declared, Library.NUMPY, session, scalar=False)
