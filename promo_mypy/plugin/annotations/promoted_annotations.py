"""Turn `Promote[A, B]` in an annotation into a type argument that mypy carries along.

To mypy it is an instance of the class `Promote`. mypy solves its arguments with the other type variables of a function,
and `promoted_calls` turns it into dtypes at the call. This module works out what is known earlier: the promotion of
dtypes that are written, and of type variables that stand for chosen dtypes.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from mypy.nodes import Expression, FuncDef, IndexExpr, TypeAliasStmt, TypeVarExpr
from mypy.plugin import AnalyzeTypeContext
from mypy.types import (
    AnyType,
    CallableType,
    EllipsisType,
    Instance,
    LiteralType,
    TupleType,
    Type,
    TypeList,
    TypeOfAny,
    TypeVarType,
    UnboundType,
    UnionType,
    get_proper_type,
    get_proper_types,
)

from promo_mypy.plugin import names
from promo_mypy.plugin.annotations.parsing import dtype_of_name
from promo_mypy.plugin.annotations.promoted_dtypes import (
    DtypePlace,
    DTypeSet,
    dtype_argument,
    either,
    mentions_promote,
    promote,
    with_promotions,
    written_dtypes,
)
from promo_mypy.plugin.diagnostics.findings import made
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.modules import semantic_analysis
from promo_mypy.plugin.state.session import Session
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.wording import diagnostics
from promo_mypy.rules.wording.annotation_faults import nothing_to_promote

if TYPE_CHECKING:
    from promo_mypy.rules.findings import Finding


def analyze(ctx: AnalyzeTypeContext, session: Session) -> Type:
    """The type of `Promote[...]` with its arguments."""
    info = session.symbols.info(names.PROMOTE)
    if info is None or not ctx.type.args:
        fault = nothing_to_promote()
        semantic_analysis.fail(ctx, made(diagnostics.ANNOTATION, fault.remedy, problem=fault.problem))
        return AnyType(TypeOfAny.from_error)
    promotion = Instance(info, [_operand(argument, ctx, session) for argument in ctx.type.args])
    return promotion if _is_promise(promotion, ctx) else either(promotion)


def from_metadata(typ: Type, metadata: Iterable[Type], ctx: AnalyzeTypeContext, session: Session) -> Type:
    """`Annotated[..., Promote[A, B]]`: the type, where each array without an exact dtype gets that dtype."""
    for written in metadata:
        if isinstance(written, UnboundType) and _is_promote(written.name, ctx):
            return worked_out(_replaced(typ, ctx.api.analyze_type(written), session), ctx, session)
    return typ


def from_expressions(typ: Type, metadata: Iterable[Expression], ctx: AnalyzeTypeContext, session: Session) -> Type:
    """As `from_metadata`, but in an alias, where mypy has dropped the metadata.

    mypy does not count the type variables in the metadata of `Sum = Annotated[..., Promote[A, B]]`. Only those of
    `type Sum[A, B] = ...` are known to belong to the alias. The metadata of other aliases is ignored.
    """
    written = [
        found
        for expression in metadata
        if isinstance(expression, IndexExpr) and (found := semantic_analysis.as_type(expression, ctx)) is not None
    ]
    if not isinstance(semantic_analysis.statement(ctx), TypeAliasStmt) and any(
        _has_variable(typ, ctx) for typ in written
    ):
        return typ
    return from_metadata(typ, written, ctx, session)


def _is_promote(name: str, ctx: AnalyzeTypeContext) -> bool:
    node = semantic_analysis.look_up(ctx, name)
    return node is not None and node.fullname == names.PROMOTE


def _has_variable(written: Type, ctx: AnalyzeTypeContext) -> bool:
    return any(isinstance(semantic_analysis.look_up(ctx, place.name), TypeVarExpr) for place in _mentions(written))


def worked_out(typ: Type, ctx: AnalyzeTypeContext, session: Session) -> Type:
    """A type in which every promotion that has the same result at each call is replaced by that dtype."""
    if session.symbols.info(names.PROMOTE) is None or not mentions_promote(typ):
        return typ

    def resolve(promotion: Instance, library: Library) -> Type | None:
        system = session.system_in(semantic_analysis.current_module(ctx).fullname, library)
        possible = [_possible(argument, system, session.platform) for argument in promotion.args]
        known = [frozenset(map(Operand, dtypes)) for dtypes in possible if dtypes is not None]
        found = promote(known, system) if len(known) == len(possible) else None
        if found is None:
            return None
        if found.refusals and all(_is_chosen(argument, session.platform) for argument in promotion.args):
            semantic_analysis.fail(ctx, finding_about(found.refusals[0]))
            return dtype_argument(frozenset(), library, session)
        # The result may depend on the rank of an array, too.
        decided = len(found.results) == 1 and not system.rank_matters
        return dtype_argument(found.results, library, session) if decided else None

    return with_promotions(typ, resolve, session)


def finding_about(refusal: Refusal, among: Sequence[Expression] = ()) -> "Finding":
    """The finding about dtypes that do not promote; `among`: the expressions that have them."""
    return made(
        diagnostics.UNDEFINED,
        refusal.advice,
        among,
        operands=f"Promote[{', '.join(operand.name for operand in refusal.operands)}]",
        system=refusal.system,
        reason=refusal.reason,
    )


def _operand(written: Type, ctx: AnalyzeTypeContext, session: Session) -> Type:
    if isinstance(written, UnboundType):
        string = session.symbols.instance("builtins.str")
        if written.original_str_expr is not None and string is not None and written.name in _parameters(ctx):
            return LiteralType(written.name, string)
        dtype = dtype_of_name(written.name, ctx)
        cls = session.symbols.instance(f"{names.DTYPES}.{dtype.__name__}") if dtype is not None else None
        if cls is not None:
            return cls
    return ctx.api.analyze_type(written)


def _parameters(ctx: AnalyzeTypeContext) -> list[str | None]:
    function = semantic_analysis.statement(ctx)
    return function.arg_names if isinstance(function, FuncDef) else []


def _is_promise(promotion: Instance, ctx: AnalyzeTypeContext) -> bool:
    """Whether it is in the declared result of a function whose body must not return an array of one certain dtype.

    If a type variable has values, mypy checks the body for each of them. If it belongs to a class, a subclass may
    replace it. mypy does not compute the promotion in these cases, so any dtype has to be accepted.
    """
    function = semantic_analysis.statement(ctx)
    if not isinstance(function, FuncDef) or not isinstance(function.unanalyzed_type, CallableType):
        return False
    here = (ctx.type.line, ctx.type.column, ctx.type.name)
    if all((place.line, place.column, place.name) != here for place in _mentions(function.unanalyzed_type.ret_type)):
        return False
    return all(
        # mypy numbers the type variables of functions below zero, those of classes above.
        isinstance(argument, TypeVarType) and not argument.values and argument.id.raw_id < 0
        for argument in get_proper_types(promotion.args)
    )


def _mentions(typ: Type) -> Iterator[UnboundType]:
    """The names in a type as it is written, without those inside callable types."""
    if isinstance(typ, UnboundType):
        yield typ
        if not any(isinstance(argument, TypeList | EllipsisType) for argument in typ.args):
            for argument in typ.args:
                yield from _mentions(argument)
    elif isinstance(typ, UnionType | TupleType):
        for item in typ.items:
            yield from _mentions(item)


def _replaced(typ: Type, promotion: Type, session: Session) -> Type:
    proper = get_proper_type(typ)
    if isinstance(proper, UnionType):
        return UnionType([_replaced(item, promotion, session) for item in proper.items], proper.line, proper.column)
    if isinstance(proper, Instance) and not proper.args:
        # A bare name: mypy fills in its arguments later.
        proper = session.symbols.instance(proper.type.fullname) or proper
    place = DtypePlace.of(proper)
    if place is None:
        return typ
    known = written_dtypes(place.argument, session.platform) if place.argument is not None else None
    return typ if known is not None and len(known) == 1 else place.filled(promotion, session)


def _possible(argument: Type, system: PromotionSystem, platform: str) -> DTypeSet | None:
    """The dtypes that an operand may have; None if it is not a dtype."""
    proper = get_proper_type(argument)
    if not isinstance(proper, TypeVarType):
        return written_dtypes(proper, platform)
    if proper.values:
        return written_dtypes(UnionType.make_union(proper.values), platform)
    return written_dtypes(proper.upper_bound, platform) or frozenset(system.dtypes)


def _is_chosen(argument: Type, platform: str) -> bool:
    """Whether an operand is one dtype, or a type variable whose values are one dtype each."""
    proper = get_proper_type(argument)
    if isinstance(proper, TypeVarType):
        return all(_is_chosen(value, platform) for value in proper.values or [proper.upper_bound])
    dtypes = written_dtypes(proper, platform)
    return dtypes is not None and len(dtypes) == 1
