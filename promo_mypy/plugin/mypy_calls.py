"""What mypy makes of calling a function with values of given types: outside its public surface, like `mypy_internals`.

- `result_of_call`: mypy checks a call of expressions; a type stands for one in a `TempNode`, as in mypy's own code for
  decorators. A lambda has no type of its own: it is checked anew, with its parameters in the context.
  (tests/plugin/transforms/control_flow.py.txt)
- `has_stars`: what a hook of a signature is not told about the arguments.
"""

from collections.abc import Sequence

from mypy.nodes import ARG_POS, CallExpr, Context, Expression, LambdaExpr, TempNode
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, CallableType, FunctionLike, Instance, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin.mypy_internals import checker


def result_of_call(api: CheckerPluginInterface, function: Expression, types: Sequence[Type]) -> tuple[Type, bool]:
    """The type of `function(...)` for positional arguments of these types, and whether it accepts them.

    Nothing is reported. A lambda accepts whatever it has parameters for.
    """
    expressions = checker(api).expr_checker
    with expressions.msg.filter_errors() as watcher:
        if isinstance(function, LambdaExpr):
            # As the context of a dict display, Any would make it a dict of Any.
            context = function_context(api, types, api.named_generic_type("builtins.object", []))
            found = get_proper_type(expressions.accept(function, type_context=context))
            return (found.ret_type if isinstance(found, CallableType) else found), True
        arguments: list[Expression] = [TempNode(typ, context=function) for typ in types]
        callee = api.get_expression_type(function)
        result, _ = expressions.check_call(callee, arguments, [ARG_POS] * len(types), function)
        return result, not watcher.has_new_errors()


def function_context(api: CheckerPluginInterface, types: Sequence[Type], result: Type | None = None) -> CallableType:
    """The type of a function of positional parameters of these types."""
    return CallableType(
        list(types),
        [ARG_POS] * len(types),
        [None] * len(types),
        result or AnyType(TypeOfAny.special_form),
        api.named_generic_type("builtins.function", []),
    )


def may_be_called(typ: Type) -> bool:
    """Whether values of a type are functions, or have `__call__`."""
    proper = get_proper_type(typ)
    if isinstance(proper, Instance):
        return proper.type.has_readable_member("__call__")
    return isinstance(proper, FunctionLike | AnyType)


def has_stars(call: Context) -> bool:
    """Whether a call has `*args` or `**kwargs`, so that nobody knows which argument goes where."""
    return not isinstance(call, CallExpr) or any(kind.is_star() for kind in call.arg_kinds)
