"""Replace `Promote[float32, int32]` in the result of a call by the dtype.

mypy has solved the type variables by then. It asks for the hook of a function under the user's name. The plugin
recognises a function with `Promote` in its result by mypy's type for that name, which the cache keeps, too. For a
callable without such a name (in a local variable) the type of each call is searched.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, product
from typing import TYPE_CHECKING

from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    MemberExpr,
    OverloadedFuncDef,
    RefExpr,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    LiteralType,
    Overloaded,
    ProperType,
    Type,
    TypeOfAny,
    TypeVarId,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from promo_mypy.plugin import names
from promo_mypy.plugin.late import late
from promo_mypy.plugin.libraries import BY_LIBRARY, Library
from promo_mypy.plugin.mypy_api.arguments import arguments
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types.array_ranks import rank_of
from promo_mypy.plugin.types.array_types import Value, array_row, as_array, library_of, read
from promo_mypy.plugin.types.walks import members
from promo_mypy.rules.operands import Form, Operand, Refusal
from promo_mypy.rules.ranks import UNKNOWN_RANK, RankFacts

with late():
    from promo_mypy.plugin.annotations import promoted_annotations, promoted_dtypes

if TYPE_CHECKING:
    from promo_mypy.plugin.annotations.promoted_dtypes import DTypeSet

Context = FunctionContext | MethodContext
Choices = frozenset[Operand]


class PromotedCalls:
    """Knows which functions have a promotion in their result.

    Its cache of names is valid for the file being checked, until mypy reads a module anew.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._module: str | None = None
        self._is_used = False
        self._mentions: dict[str, bool] = {}

    def drop_cache(self) -> None:
        """Drop the cache: a module was read from its source, so functions may have other types now."""
        self._module = None

    def concerns(self, fullname: str) -> bool:
        """Whether a call under that name may have a promotion in its result."""
        module = self._session.watch.file.module
        if module is None or module != self._module:
            self._module, self._mentions = module, {}
            self._is_used = self._session.symbols.info(names.PROMOTE) is not None
        if not self._is_used:
            return False
        found = self._mentions.get(fullname)
        if found is None:
            found = self._mentions[fullname] = self._may_mention(fullname)
        return found

    def _may_mention(self, fullname: str) -> bool:
        node = self._session.symbols.node(fullname)
        if node is None:
            cls, _, method = fullname.rpartition(".")
            info = self._session.symbols.info(cls)
            symbol = info.get(method) if info is not None else None
            node = symbol.node if symbol is not None else None
        typ = _type_of(node)
        return promoted_dtypes.mentions_promote(typ) if typ is not None else not isinstance(node, TypeInfo)


def _type_of(node: SymbolNode | None) -> Type | None:
    """The type of a variable or function that a name stands for; None for other names, or if it is not inferred yet."""
    if isinstance(node, Decorator):
        return node.var.type
    return node.type if isinstance(node, Var | FuncDef | OverloadedFuncDef) else None


def infer(ctx: Context, session: Session) -> Type:
    """The result of a call with the dtypes of its promotions. A promotion of unknown operands is unknown."""
    session.watch.follow(ctx.api)
    solved = ctx.default_return_type
    if not promoted_dtypes.mentions_promote(solved):
        return solved
    declared = _declared(ctx)
    readings = iter(_sharpened(solved, declared, ctx, session))

    def resolve(_: Instance, library: Library) -> Type:
        promotion = next(readings)
        if promoted_dtypes.has_variables(promotion):
            return promoted_dtypes.either(promotion)  # a call inside a generic function
        reading = _Reading(ctx, library, session)
        dtypes = reading.dtypes_of(promotion)
        # mypy tries overloads one after another. The one that it tries now need not be the one that fits.
        if reading.refusal is not None and not isinstance(declared, Overloaded):
            among = _expressions_of(reading.refusal.operands, ctx, session)
            type_checker.report(ctx.api, promoted_annotations.finding_about(reading.refusal, among), ctx.context)
        return promoted_dtypes.dtype_argument(dtypes or frozenset(), library, session)

    return promoted_dtypes.with_promotions(solved, resolve, session)


def _expressions_of(operands: Sequence[Operand], ctx: Context, session: Session) -> list[Expression]:
    """The arguments that the operands of a promotion are; none unless each is the only one of its dtype."""
    found = []
    for operand in operands:
        fitting = [each.expression for each in arguments(ctx) if _has(session.values(each.type), operand)]
        if len(fitting) != 1:
            return []
        found += fitting
    return found


def _has(values: Sequence[Value] | None, operand: Operand) -> bool:
    return values is not None and all(value.dtypes == {operand.dtype} for value in values)


def _declared(ctx: Context) -> ProperType | None:
    """The declared type of the callee, with its type variables; None if unknown."""
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    typ = get_proper_type(_type_of(callee.node)) if isinstance(callee, RefExpr) else None
    if isinstance(ctx, MethodContext) and isinstance(callee, RefExpr):
        method = callee.name if isinstance(callee, MemberExpr) and typ is None else "__call__"
        symbol = ctx.type.type.get(method) if isinstance(ctx.type, Instance) else None
        typ = get_proper_type(_type_of(symbol.node)) if symbol is not None else None
    return typ


def _sharpened(solved: Type, declared: ProperType | None, ctx: Context, session: Session) -> list[Instance]:
    """The promotions in a result, with the dtypes of arguments in place of mypy's solutions.

    For arguments of different dtypes, or of a union, mypy solves a type variable to a common base class, which stands
    for more dtypes.
    """
    promotions = _promotions(solved, session)
    if not isinstance(declared, CallableType):
        return promotions
    twins = _promotions(declared.ret_type, session)
    if len(twins) != len(promotions):
        return promotions  # some are part of the solution of a type variable
    given = _given(declared, ctx)
    return [_with_given(promotion, twin, given) for promotion, twin in zip(promotions, twins, strict=True)]


def _promotions(typ: Type, session: Session) -> list[Instance]:
    found: list[Instance] = []
    promoted_dtypes.with_promotions(typ, lambda promotion, _: found.append(promotion), session)
    return found


def _given(callee: CallableType, ctx: Context) -> Mapping[TypeVarId, Type]:
    """Type variables for arrays or dtypes -> what they stand for in the arguments."""
    given: dict[TypeVarId, list[Type]] = {}
    formals = dict(zip(callee.arg_names, callee.arg_types, strict=True))
    for name, actuals in zip(ctx.callee_arg_names, ctx.arg_types, strict=True):
        formal = formals.get(name) if name is not None else None
        place = promoted_dtypes.DtypePlace.of(formal) if formal is not None else None
        variable = get_proper_type(place.argument if place is not None else formal)
        if isinstance(variable, TypeVarType):
            for actual in actuals:
                given.setdefault(variable.id, []).extend([actual] if place is None else _dtype_arguments(actual))
    return {variable: UnionType.make_union(types) for variable, types in given.items() if types}


def _dtype_arguments(array: Type) -> Iterator[Type]:
    """The dtype argument of an array, or of each array in a union; Any for a type without one."""
    for item in members(array):
        place = promoted_dtypes.DtypePlace.of(item)
        yield AnyType(TypeOfAny.special_form) if place is None or place.argument is None else place.argument


def _with_given(promotion: Instance, twin: Instance, given: Mapping[TypeVarId, Type]) -> Instance:
    if len(promotion.args) != len(twin.args):
        return promotion
    arguments: list[Type] = []
    for solved, declared in zip(promotion.args, twin.args, strict=True):
        variable, inner, outer = (
            get_proper_type(declared),
            promoted_dtypes.promotion_in(solved),
            promoted_dtypes.promotion_in(declared),
        )
        if isinstance(variable, TypeVarType) and not promoted_dtypes.has_variables(solved):
            arguments.append(given.get(variable.id, solved))
        else:
            arguments.append(solved if inner is None or outer is None else _with_given(inner, outer, given))
    return promotion.copy_modified(args=arguments)


class _Reading:
    """Reads one promotion in the result of a call, with the operands that the arguments give it."""

    def __init__(self, ctx: Context, library: Library, session: Session) -> None:
        self._ctx = ctx
        self._platform = session.platform
        self._system = session.system(library, ctx.api)
        self._ranked = self._system.rank_matters and BY_LIBRARY[library].ranked
        self.refusal: Refusal | None = None

    def dtypes_of(self, promotion: Instance) -> "DTypeSet | None":
        """The dtypes that the promotion may have; None if an operand, or a rank that matters, is unknown.

        If the system rejects all combinations, the set is empty and `refusal` has the reason.
        """
        operands: list[Sequence[Choices]] = []
        for argument in promotion.args:
            found = list(self._operands(argument))
            if not found or not all(found):
                return None
            operands += found
        outcomes = [promoted_dtypes.promote(choices, self._system) for choices in product(*operands)]
        first = outcomes[0]
        if first is None or any(outcome is None or outcome.results != first.results for outcome in outcomes):
            return None
        if not first.results:
            self.refusal = self.refusal or first.refusals[0]
        return first.results

    def _operands(self, argument: Type) -> Iterator[Sequence[Choices]]:
        """The operands that an argument of `Promote` stands for, each in all its possible forms; empty if unknown."""
        proper = get_proper_type(argument)
        if isinstance(proper, LiteralType):
            for typ in self._arguments_of(proper.value):
                yield self._values(typ)
        elif isinstance(proper, Instance) and proper.type.fullname == names.PROMOTE:
            yield _in_forms(self.dtypes_of(proper), self._forms())
        else:
            dtypes = promoted_dtypes.written_dtypes(proper, self._platform)
            yield _in_forms(dtypes, self._forms()) if dtypes is not None else self._values(proper)

    def _values(self, typ: Type) -> Sequence[Choices]:
        """An operand that is a whole array or number."""
        values = read(typ, self._platform)
        if values is None:
            return ()
        by_form = (
            [frozenset(Operand(dtype, form) for dtype in value.dtypes) for form in forms]
            for value in values
            for forms in [_forms_of(value.rank) if self._ranked and value.is_array else [value.form]]
        )
        return [frozenset().union(*choices) for choices in product(*by_form)]

    def _forms(self) -> Sequence[Form]:
        """The forms of arrays of which only the dtype is known: the forms of all arrays among the arguments."""
        if not self._ranked:
            return [Form.ARRAY]
        forms = [tuple(_forms_of(_rank(typ))) for typ in chain(*self._ctx.arg_types) if library_of(typ) is not None]
        return forms[0] if len(set(forms)) == 1 else _forms_of(UNKNOWN_RANK)

    def _arguments_of(self, parameter: object) -> Sequence[Type]:
        formals = zip(self._ctx.callee_arg_names, self._ctx.arg_types, strict=True)
        return next((types for name, types in formals if name == parameter), ())


def _in_forms(dtypes: "DTypeSet | None", forms: Sequence[Form]) -> Sequence[Choices]:
    return [frozenset(Operand(dtype, form) for dtype in dtypes) for form in forms] if dtypes else ()


def _forms_of(rank: RankFacts) -> Sequence[Form]:
    if rank.zero:
        return [Form.ZERO_D]
    return [Form.ARRAY] if rank.positive else [Form.ARRAY, Form.ZERO_D]


def _rank(array: Type) -> RankFacts:
    proper = get_proper_type(array)
    row = array_row(proper) if isinstance(proper, Instance) else None
    if row is None or not isinstance(proper, Instance):
        return UNKNOWN_RANK
    return rank_of(as_array(proper, row.array))
