"""Make array classes dtype-aware when mypy analyses their definitions: `Array`, `Tensor` and `ndarray`.

JAX's and PyTorch's array classes get a covariant dtype parameter that defaults to Any. Tensors get a second one, the
rank. So every annotation with such a class stays valid, in the library's own stubs too, with an unknown dtype. ndarray
is generic already. Its overloaded operators are the slowest part of checking NumPy code. They are moved under a private
name and replaced by one signature of Any, and the operator hook fills in the result from the rules. Operands that the
rules do not cover are checked against the original overloads.
"""

from typing import Final

from mypy.nodes import (
    ARG_POS,
    COVARIANT,
    Argument,
    AssignmentStmt,
    Block,
    Context,
    Decorator,
    EllipsisExpr,
    ExpressionStmt,
    FuncDef,
    NameExpr,
    OverloadedFuncDef,
    Statement,
    Var,
)
from mypy.plugin import ClassDefContext
from mypy.types import AnyType, CallableType, Type, TypeOfAny, TypeVarId, TypeVarType, UnboundType

from promo_mypy.plugin import names
from promo_mypy.plugin.libraries import BY_GENERIC_CLASS
from promo_mypy.plugin.mypy_api.nodes.private_attributes import rename
from promo_mypy.rules import functions
from promo_mypy.rules.operators import OPERATORS, Operator


def make_generic(ctx: ClassDefContext) -> None:
    """Give an array class its dtype parameter, and a rank parameter if dtypes depend on the rank."""
    info = ctx.cls.info
    if ctx.cls.type_vars:
        return
    library = BY_GENERIC_CLASS.get(info.fullname)
    ranked = info.fullname in names.RANKED_SUBCLASSES or (library is not None and library.ranked)
    parameters = ("DType", "Rank") if ranked else ("DType",)
    ctx.cls.type_vars = [
        TypeVarType(
            name=parameter,
            fullname=f"{info.fullname}.{parameter}",
            id=TypeVarId(position, namespace=info.fullname),
            values=[],
            upper_bound=ctx.api.named_type("builtins.object"),
            default=AnyType(TypeOfAny.special_form),
            variance=COVARIANT,
        )
        for position, parameter in enumerate(parameters, start=1)
    ]
    info.type_vars = []
    info.add_type_vars()


#: The operators that get a signature of Any where the library's own types must not decide, as with ndarray: all but
#: `__abs__`. It changes the dtype of complex arrays, protocols look it up, and its overloads cost nothing.
REPLACED: Final = frozenset(OPERATORS) - {"__abs__"}

#: The operators that mypy may look up in the right operand, even in a whole union of arrays: see `member_access`.
REVERSED: Final = frozenset(
    operator.method for operator in OPERATORS.values() if operator.kind in ("reflected", "comparison")
)


def replace_operators(ctx: ClassDefContext) -> None:
    """Move ndarray's operators, most of them overloaded, under a private name, and replace them by ones of Any."""
    _replace_operators(ctx, REPLACED)


def make_array_generic(ctx: ClassDefContext) -> None:
    """Give an array class its parameters, and replace the operators that mypy looks up in the right operand.

    All operators are replaced if their types are too narrow. Operators that the library's stubs lack are added.
    """
    make_generic(ctx)
    library = BY_GENERIC_CLASS[ctx.cls.info.fullname]
    _replace_operators(ctx, REPLACED if library.narrow else REVERSED)
    declared = {_name(statement) for statement in ctx.cls.defs.body}
    for method in library.lacks:
        if method not in declared:
            array = UnboundType(ctx.cls.info.name)
            ctx.cls.defs.body.append(_permissive_operator(OPERATORS[method], array, ctx, ctx.cls))


def replace_right_operators(ctx: ClassDefContext) -> None:
    """Replace the operators that mypy looks up in the right operand, in a base class of an array class."""
    _replace_operators(ctx, REVERSED)


def annotate_with_any(ctx: ClassDefContext) -> None:
    """Give an array class of a library without annotations its parameters, and types of Any to its known methods.

    Its operators are declared anew, because a decorator without annotations hides their signatures. The methods with a
    rule get a signature in which every type is Any.
    """
    make_generic(ctx)
    known = functions.library(ctx.cls.info.fullname.partition(".")[0])
    body: list[Statement] = []
    for statement in ctx.cls.defs.body:
        name = _name(statement)
        ours = isinstance(statement, Decorator) and not statement.original_decorators
        if name in OPERATORS and not ours:
            body.append(_permissive_operator(OPERATORS[name], AnyType(TypeOfAny.explicit), ctx, statement))
            continue
        if isinstance(statement, FuncDef) and statement.type is None and known.method(statement.name) is not None:
            annotate(statement, ctx)
        body.append(statement)
    ctx.cls.defs.body = body


def annotate(function: FuncDef, ctx: ClassDefContext) -> None:
    """Give an unannotated method a signature in which every type is Any."""
    any_type = AnyType(TypeOfAny.explicit)
    signature = CallableType(
        [any_type for _ in function.arguments],
        list(function.arg_kinds),
        list(function.arg_names),
        any_type,
        ctx.api.named_type("builtins.function"),
        name=function.name,
    )
    function.type = signature
    function.unanalyzed_type = signature.copy_modified()


def _replace_operators(ctx: ClassDefContext, replaced: frozenset[str]) -> None:
    if any((_name(statement) or "").startswith(names.STOCK_PREFIX) for statement in ctx.cls.defs.body):
        # mypy analyses a class again while a name in it is unresolved. A second move would lose the originals.
        return
    body: list[Statement] = []
    for statement in ctx.cls.defs.body:
        body.append(statement)
        name = _name(statement)
        if name in replaced:
            result = _result(statement)
            _rename(statement, names.STOCK_PREFIX + name)
            body.append(_permissive_operator(OPERATORS[name], result, ctx, statement))
    ctx.cls.defs.body = body


def _name(statement: Statement) -> str | None:
    """The name that a statement in a class body gives to a function, by a definition or an assignment."""
    if isinstance(statement, OverloadedFuncDef | FuncDef | Decorator):
        return statement.name
    if isinstance(statement, AssignmentStmt) and isinstance(statement.rvalue, NameExpr):
        target = statement.lvalues[0]
        return target.name if isinstance(target, NameExpr) else None
    return None


def _result(statement: Statement) -> Type:
    """The declared result of a function; Any for overloads and unannotated functions."""
    function = statement.func if isinstance(statement, Decorator) else statement
    declared = function.unanalyzed_type if isinstance(function, FuncDef) else None
    return declared.ret_type if isinstance(declared, CallableType) else AnyType(TypeOfAny.explicit)


def _rename(definition: Statement, name: str) -> None:
    if isinstance(definition, AssignmentStmt):
        target = definition.lvalues[0]
        assert isinstance(target, NameExpr)
        target.name = name
    for item in definition.items if isinstance(definition, OverloadedFuncDef) else [definition]:
        function = item.func if isinstance(item, Decorator) else item
        if isinstance(function, FuncDef):
            rename(function, name)
        if isinstance(item, Decorator):
            rename(item.var, name)


def _permissive_operator(operator: Operator, result: Type, ctx: ClassDefContext, place: Context) -> Decorator:
    """`def __add__(self, other: Any, /) -> Any`, or for a unary operator `def __neg__(self, /) -> Self`.

    Only a protocol sees the result without the plugin's hook. The function is a `Decorator` node without a decorator,
    because mypy calls the attribute hook when it looks up such a function.
    """
    parameters = ["self"] if operator.kind == "unary" else ["self", "other"]
    signature = CallableType(
        [AnyType(TypeOfAny.explicit) for _ in parameters],
        [ARG_POS for _ in parameters],
        [None for _ in parameters],
        UnboundType("Self") if operator.kind == "unary" else result,
        ctx.api.named_type("builtins.function"),
    )
    arguments = [Argument(Var(parameter), None, None, ARG_POS, pos_only=True) for parameter in parameters]
    function = FuncDef(operator.method, arguments, Block([ExpressionStmt(EllipsisExpr())]), signature)
    function.unanalyzed_type = signature.copy_modified()
    function.info = ctx.cls.info
    function.is_decorated = True
    function.set_line(place)
    variable = Var(operator.method)
    variable.info = ctx.cls.info
    variable.is_ready = False
    variable.set_line(place)
    decorated = Decorator(function, [], variable)
    decorated.set_line(place)
    return decorated
