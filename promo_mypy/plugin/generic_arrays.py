"""Class definitions to dtype-aware classes: what happens when mypy analyses `Array`, `Tensor` and `ndarray`.

JAX's and PyTorch's array classes get a covariant dtype parameter that defaults to Any (and tensors a second one,
the rank), so that every annotation of them, in the library's own stubs too, stays valid and open. ndarray is generic
already; its overloaded operators, the slowest part of checking NumPy code, are moved under a private name and
replaced by one open signature, which the operator hook closes with the result from the rules. Operands that the
rules do not cover are checked against the original overloads.
"""

from typing import Final

from mypy.nodes import (
    ARG_POS,
    COVARIANT,
    Argument,
    Block,
    Decorator,
    EllipsisExpr,
    ExpressionStmt,
    FuncDef,
    OverloadedFuncDef,
    Statement,
    Var,
)
from mypy.plugin import ClassDefContext
from mypy.types import AnyType, CallableType, Type, TypeOfAny, TypeVarId, TypeVarType, UnboundType, UninhabitedType

from promo_mypy.plugin import names
from promo_mypy.rules.operators import OPERATORS, Operator


def make_generic(ctx: ClassDefContext) -> None:
    """Give an array class its dtype parameter, and a tensor class its rank parameter."""
    info = ctx.cls.info
    if ctx.cls.type_vars:
        return
    parameters = ("DType", "Rank") if info.fullname == names.TORCH_TENSOR else ("DType",)
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


#: The operators that are opened: all but `__abs__`, which changes the dtype of complex arrays and is asked for through
#: protocols, and whose overloads cost nothing.
OPENED: Final = frozenset(OPERATORS) - {"__abs__"}


def open_operators(ctx: ClassDefContext) -> None:
    """Move ndarray's operators, most of them overloaded, under a private name, and put open ones in their place."""
    overloads = [statement for statement in ctx.cls.defs.body if isinstance(statement, OverloadedFuncDef)]
    if any(overload.name.startswith(names.STOCK_PREFIX) for overload in overloads):
        # mypy analyses a class again while a name in it is not resolved; a second move would lose the overloads.
        return
    body: list[Statement] = []
    for statement in ctx.cls.defs.body:
        body.append(statement)
        if isinstance(statement, OverloadedFuncDef | FuncDef) and statement.name in OPENED:
            name = statement.name
            _rename(statement, names.STOCK_PREFIX + name)
            body.append(_open_operator(OPERATORS[name], ctx))
    ctx.cls.defs.body = body


def _rename(definition: OverloadedFuncDef | FuncDef, name: str) -> None:
    for item in definition.items if isinstance(definition, OverloadedFuncDef) else [definition]:
        function = item.func if isinstance(item, Decorator) else item
        function._name = name
        if isinstance(item, Decorator):
            item.var._name = name


def _operand(operator: Operator, ctx: ClassDefContext) -> Type:
    """What an open operator takes where no hook of ours is asked: the right operand's side of a union of arrays.

    mypy takes the union apart only if that side fails. `sum` needs `__radd__` to take an int.
    """
    if operator.method == "__radd__":
        return ctx.api.named_type("builtins.int")
    if operator.kind == "reflected" or operator.operation in ("lt", "le", "gt", "ge"):
        return UninhabitedType()
    return AnyType(TypeOfAny.explicit)


def _open_operator(operator: Operator, ctx: ClassDefContext) -> FuncDef:
    """`def __add__(self, other: Any, /) -> Any`, or for a unary operator `def __neg__(self, /) -> Self`.

    Only a protocol sees a unary operator without our hook, and none of them changes the dtype.
    """
    parameters = ["self"] if operator.kind == "unary" else ["self", "other"]
    signature = CallableType(
        [AnyType(TypeOfAny.explicit), _operand(operator, ctx)][: len(parameters)],
        [ARG_POS for _ in parameters],
        [None for _ in parameters],
        UnboundType("Self") if operator.kind == "unary" else AnyType(TypeOfAny.explicit),
        ctx.api.named_type("builtins.function"),
    )
    arguments = [Argument(Var(parameter), None, None, ARG_POS, pos_only=True) for parameter in parameters]
    function = FuncDef(operator.method, arguments, Block([ExpressionStmt(EllipsisExpr())]), signature)
    function.unanalyzed_type = signature.copy_modified()
    function.info = ctx.cls.info
    function.set_line(ctx.cls)
    return function
