"""Infer the dtype of `tf.Variable(...)`, and declare the methods of variables that TensorFlow's stubs lack."""

from typing import Final

from mypy.nodes import ARG_POS, ARG_STAR, ARG_STAR2, Argument, Block, EllipsisExpr, ExpressionStmt, FuncDef, Var
from mypy.plugin import ClassDefContext, FunctionContext
from mypy.types import AnyType, CallableType, Instance, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin.calls.resolution import answers_of
from promo_mypy.plugin.calls.result_type import typed
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.arguments import arguments
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.types import tensor_subclasses
from promo_mypy.rules import functions

_ANYTHING: Final = AnyType(TypeOfAny.explicit)
_KINDS: Final = (ARG_POS, ARG_STAR, ARG_STAR2)
_PREFIX: Final = "Variable."


def infer_variable(ctx: FunctionContext, session: Session) -> Type:
    """`tf.Variable(value)` has the dtype of the tensor that the value becomes, or the one of `dtype=`."""
    row = functions.library(Library.TENSORFLOW.value).functions["Variable"]
    found = answers_of(row, list(arguments(ctx)), None, session, ctx.api)
    variable = get_proper_type(ctx.default_return_type)
    if found is None or found.refusal is not None or not isinstance(variable, Instance):
        return ctx.default_return_type
    tensor = get_proper_type(typed(found.answers, _ANYTHING, Library.TENSORFLOW, session, scalar=None))
    return variable.copy_modified(args=tensor.args) if isinstance(tensor, Instance) else variable


def make_generic(ctx: ClassDefContext) -> None:
    """Give the class its dtype, and its known methods signatures: in the stubs they are attributes of type Any."""
    tensor_subclasses.make_generic(ctx)
    declared = {statement.name for statement in ctx.cls.defs.body if isinstance(statement, FuncDef)}
    for name in functions.library(Library.TENSORFLOW.value).methods:
        method = name.removeprefix(_PREFIX)
        if method not in declared:
            ctx.cls.defs.body.append(_method_of_any(method, ctx))


def _method_of_any(name: str, ctx: ClassDefContext) -> FuncDef:
    signature = CallableType(
        [_ANYTHING] * len(_KINDS),
        list(_KINDS),
        ["self", None, None],
        _ANYTHING,
        ctx.api.named_type("builtins.function"),
        name=name,
    )
    parameters = zip(("self", "args", "kwargs"), _KINDS, strict=True)
    method = FuncDef(
        name,
        [Argument(Var(parameter), None, None, kind) for parameter, kind in parameters],
        Block([ExpressionStmt(EllipsisExpr())]),
        signature,
    )
    method.unanalyzed_type = signature.copy_modified()
    method.info = ctx.cls.info
    method.set_line(ctx.cls)
    return method
