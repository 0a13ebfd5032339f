"""`Promote[A, B]` as it is written in an annotation to a type argument that mypy carries along.

To mypy it is an instance of the class `Promote`, whose arguments are solved with the other type variables of a
function; `promoted_calls` turns it into dtypes at the call. What is known before is worked out here: the promotion of
dtypes that are written, and of type variables that stand for chosen dtypes.
"""

from collections.abc import Iterable, Iterator

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
from promo_mypy.plugin.error_codes import CODES
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api import semantic_analysis
from promo_mypy.plugin.state.session import Session
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.wording import diagnostics
from promo_mypy.rules.wording.annotation_faults import nothing_to_promote


def analyze(ctx: AnalyzeTypeContext, session: Session) -> Type:
    """The name `Promote` with its arguments."""
    info = session.symbols.info(names.PROMOTE)
    if info is None or not ctx.type.args:
        fault = nothing_to_promote()
        text = diagnostics.ANNOTATION.text.format(problem=fault.problem, remedy=fault.remedy)
        semantic_analysis.fail(ctx, text, CODES[diagnostics.ANNOTATION])
        return AnyType(TypeOfAny.from_error)
    promotion = Instance(info, [_operand(argument, ctx, session) for argument in ctx.type.args])
    return promotion if _is_promise(promotion, ctx) else either(promotion)


def from_metadata(typ: Type, metadata: Iterable[Type], ctx: AnalyzeTypeContext, session: Session) -> Type:
    """`Annotated[..., Promote[A, B]]`: the type with that dtype in every array of it whose dtype is not exact."""
    for written in metadata:
        if isinstance(written, UnboundType) and _is_promote(written.name, ctx):
            return worked_out(_replaced(typ, ctx.api.analyze_type(written), session), ctx, session)
    return typ


def from_expressions(typ: Type, metadata: Iterable[Expression], ctx: AnalyzeTypeContext, session: Session) -> Type:
    """The same in an alias, where mypy has dropped the metadata.

    It counts the type variables of `Sum = Annotated[..., Promote[A, B]]` without them: only of `type Sum[A, B] = ...`
    are they known to belong to the alias. Otherwise nothing is said, as mypy has no place for them.
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
    """A type with arrays, with the dtypes of promotions that have only one result, whatever a call says."""
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
            semantic_analysis.fail(ctx, refusal_text(found.refusals[0]), CODES[diagnostics.UNDEFINED])
            return dtype_argument(frozenset(), library, session)
        # The rank of an array may decide, too.
        decided = len(found.results) == 1 and not system.rank_matters
        return dtype_argument(found.results, library, session) if decided else None

    return with_promotions(typ, resolve, session)


def refusal_text(refusal: Refusal) -> str:
    """The message about dtypes that do not promote."""
    return diagnostics.UNDEFINED.text.format(
        operands=f"Promote[{', '.join(operand.name for operand in refusal.operands)}]",
        system=refusal.system,
        reason=refusal.reason,
        remedy=refusal.remedy,
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
    """Whether it is what a function says of its result: then its body must not return an array of a certain dtype.

    Where a type variable takes certain types only, mypy checks the body for each of them, and where it belongs to a
    class, a subclass may say what it stands for. mypy does not work the promotion out there: anything has to do.
    """
    function = semantic_analysis.statement(ctx)
    if not isinstance(function, FuncDef) or not isinstance(function.unanalyzed_type, CallableType):
        return False
    here = (ctx.type.line, ctx.type.column, ctx.type.name)
    if all((place.line, place.column, place.name) != here for place in _mentions(function.unanalyzed_type.ret_type)):
        return False
    return all(
        # Variables of functions are numbered below zero, those of classes above.
        isinstance(argument, TypeVarType) and not argument.values and argument.id.raw_id < 0
        for argument in get_proper_types(promotion.args)
    )


def _mentions(typ: Type) -> Iterator[UnboundType]:
    """The names in a type as it is written, but for those inside the types of callables."""
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
        # A bare name: mypy fills its arguments in later.
        proper = session.symbols.instance(proper.type.fullname) or proper
    place = DtypePlace.of(proper)
    if place is None:
        return typ
    known = written_dtypes(place.argument, session.platform) if place.argument is not None else None
    return typ if known is not None and len(known) == 1 else place.filled(promotion, session)


def _possible(argument: Type, system: PromotionSystem, platform: str) -> DTypeSet | None:
    """The dtypes that an operand may have; None if it is no dtype."""
    proper = get_proper_type(argument)
    if not isinstance(proper, TypeVarType):
        return written_dtypes(proper, platform)
    if proper.values:
        return written_dtypes(UnionType.make_union(proper.values), platform)
    return written_dtypes(proper.upper_bound, platform) or frozenset(system.dtypes)


def _is_chosen(argument: Type, platform: str) -> bool:
    """Whether the dtypes of an operand were written one by one: a dtype, or the values of a type variable."""
    proper = get_proper_type(argument)
    if isinstance(proper, TypeVarType):
        return all(_is_chosen(value, platform) for value in proper.values or [proper.upper_bound])
    dtypes = written_dtypes(proper, platform)
    return dtypes is not None and len(dtypes) == 1
