"""Let mypy check a call of a function with values of given types: outside its public surface, like `type_checker`.

- `result_of_call`, `result_of_value`: mypy checks a call of expressions. A `TempNode` stands for an expression of a
  given type, as in mypy's own code for decorators. A lambda has no type of its own: it is checked anew, with its
  parameter types in the context. (tests/plugin/transforms/test_executed.py)
- `types_in_lambda`: the same for the expressions in a lambda.
- `errors_of_call`, `errors_of_arguments`, `errors_of_item`: a call is checked with another callee or arguments of other
  types, and an item with a key and a value of other types. (tests/plugin/inferred/provenance/test_provenance.py)
- `new_call`, `result_of_new_call`: an expression that was checked is checked anew, as the callee of a call.
  (tests/plugin/transforms/executed/kept_lambdas.py)
- `copy_of_calls`: calls that were checked, as calls that were not. (tests/plugin/transforms/executed)
- `call_of_decorators`: what decorators call, as such an expression. (tests/plugin/transforms/executed)
- `bound_method`: a method as mypy finds it in a call.
- `item_of`: the type of the loop variable for a value.
- `item_types`: a list display in the context of a list of a base class has that type. Its items have their own types.
- `expected_type`, `is_expected`: the type that a call has to have. (tests/plugin/inferred/provenance)
- `drop_array_context`: that type decides the type variables of a call. (tests/plugin/calls/test_stock_calls.py)
"""

from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager

from mypy.nodes import (
    ARG_OPT,
    ARG_POS,
    LDEF,
    CallExpr,
    Context,
    Decorator,
    Expression,
    GeneratorExpr,
    IndexExpr,
    LambdaExpr,
    ListComprehension,
    ListExpr,
    NameExpr,
    RefExpr,
    TempNode,
    TupleExpr,
)
from mypy.plugin import CheckerPluginInterface
from mypy.subtypes import is_subtype
from mypy.typeops import tuple_fallback
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    NoneType,
    TupleType,
    Type,
    TypeOfAny,
    UnionType,
    get_proper_type,
    get_proper_types,
)

from promo_mypy.plugin.libraries import BY_GENERIC_CLASS
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker, checker, expression_type, member_of
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.names import FUNCTOOLS_PARTIAL

#: What makes another type of an expression and its type.
Changed = Callable[[Expression, Type], Type]


def result_of_call(api: CheckerPluginInterface, function: Expression, types: Sequence[Type]) -> tuple[Type, bool]:
    """The type of `function(...)` for positional arguments of these types, and whether it accepts them.

    Nothing is reported. A lambda accepts arguments of any type.
    """
    expressions = checker(api).expr_checker
    with expressions.msg.filter_errors() as watcher:
        if isinstance(function, LambdaExpr):
            # Any as the context of a dict display would give a dict of Any.
            context = function_context(api, types, api.named_generic_type("builtins.object", []), of=function)
            found = get_proper_type(expressions.accept(function, type_context=context))
            return (found.ret_type if isinstance(found, CallableType) else found), True
        result = _call(api, api.get_expression_type(function), types, function)
        return result, not watcher.has_new_errors()


@contextmanager
def types_in_lambda(
    api: CheckerPluginInterface, function: LambdaExpr, types: Sequence[Type]
) -> Iterator[Callable[[Expression], Type | None] | None]:
    """Within this context, the types of the expressions in a lambda, for arguments of these types.

    None if mypy finds an error in it. Nothing is reported.
    """
    current = checker(api)
    context = function_context(api, types, api.named_generic_type("builtins.object", []), of=function)
    with current.msg.filter_errors() as watcher, current.local_type_map:
        current.expr_checker.accept(function, type_context=context)
        yield None if watcher.has_new_errors() else current.lookup_type_or_none


def result_of_value(api: CheckerPluginInterface, callee: Type, types: Sequence[Type], context: Context) -> Type:
    """The type of calling a value of type `callee` with positional arguments of these types; nothing is reported."""
    with checker(api).expr_checker.msg.filter_errors():
        return _call(api, callee, types, context)


def errors_of_item(
    current: TypeChecker, method: str, item: IndexExpr, stored: Sequence[Expression], changed: Changed
) -> Sequence[ErrorInfo]:
    """The errors that mypy would report for `x[k]`, or `x[k] = v`, if all parts had the types that `changed` makes."""
    checker, operands = current.expr_checker, [item.index, *stored]
    with current.msg.filter_errors(), current.local_type_map:
        owner = get_proper_type(changed(item.base, checker.accept(item.base)))
        types = [checker.accept(operand) for operand in operands]
    receiver = tuple_fallback(owner) if isinstance(owner, TupleType) else owner
    with current.msg.filter_errors(save_filtered_errors=True) as watcher, current.local_type_map:
        callee = bound_method(current, receiver, method, item) if isinstance(receiver, Instance) else None
        if callee is not None:
            given = [_with_type(operand, typ, changed) for operand, typ in zip(operands, types, strict=True)]
            checker.check_call(callee, given, [ARG_POS] * len(given), item)
    return watcher.filtered_errors()


def errors_of_call(api: CheckerPluginInterface, callee: Type, call: CallExpr) -> Sequence[ErrorInfo]:
    """The errors that mypy would report for a call of a value of type `callee`. None of them is reported."""
    return _errors_of_call(checker(api), callee, call, call.args)


def errors_of_arguments(current: TypeChecker, call: CallExpr, changed: Changed) -> Sequence[ErrorInfo]:
    """The errors that mypy would report for a call if its arguments had the types that `changed` makes."""
    given = [_with_type(each, current.lookup_type_or_none(each), changed) for each in call.args]
    with current.msg.filter_errors(), current.local_type_map:
        callee = current.expr_checker.accept(call.callee)
    return _errors_of_call(current, callee, call, given)


def _errors_of_call(current: TypeChecker, callee: Type, call: CallExpr, given: list[Expression]) -> Sequence[ErrorInfo]:
    with current.msg.filter_errors(save_filtered_errors=True) as watcher, current.local_type_map:
        current.expr_checker.check_call(callee, given, call.arg_kinds, call, call.arg_names)
    return watcher.filtered_errors()


def _with_type(expression: Expression, typ: Type | None, changed: Changed) -> Expression:
    """The expression, or one of the type that it is changed to. A display such as `[]` keeps its context."""
    new = None if typ is None else changed(expression, typ)
    return expression if new is None or new == typ else TempNode(new, context=expression)


def new_call(function: Expression, types: Sequence[Type], like: CallExpr, *, positional: bool) -> CallExpr:
    """A call that is not in the file, with arguments of these types, passed as in the call `like`."""
    arguments: list[Expression] = [TempNode(typ, context=like) for typ in types]
    kinds, names = ([ARG_POS] * len(types), []) if positional else (like.arg_kinds, like.arg_names)
    made = CallExpr(function, arguments, kinds, names)
    made.set_line(like)
    return made


def call_of_decorators(decorated: Decorator, wrappers: Container[str]) -> CallExpr | None:
    """The call `outer(inner(f))` that the decorators of a function stand for. It is not in the file.

    None if one of them is not a wrapper, with or without options: `@partial(jax.jit, static_argnums=0)`.
    """
    function = decorated.func
    named = NameExpr(function.name)
    named.node, named.kind, named.fullname = function, LDEF, function.fullname
    named.set_line(decorated)
    made: NameExpr | CallExpr = named
    for decorator in reversed(decorated.original_decorators):
        wrapper, options = decorator, list[Expression]()
        kinds, names = [ARG_POS], list[str | None]([None])
        if isinstance(decorator, CallExpr):
            is_partial = isinstance(decorator.callee, RefExpr) and decorator.callee.fullname == FUNCTOOLS_PARTIAL
            first = 1 if is_partial and decorator.args else 0
            wrapper, options = decorator.args[0] if first else decorator.callee, decorator.args[first:]
            kinds, names = [*kinds, *decorator.arg_kinds[first:]], [*names, *decorator.arg_names[first:]]
        is_known = isinstance(wrapper, RefExpr) and wrapper.fullname in wrappers
        if not is_known or not all(kind.is_named() for kind in kinds[1:]):
            return None
        made = CallExpr(wrapper, [made, *options], kinds, names)
        made.set_line(decorated)
    return made if isinstance(made, CallExpr) else None


def copy_of_calls(expression: Expression, wrappers: Container[str]) -> Expression:
    """The same calls `outer(inner(f))` of wrappers, which mypy has not checked yet: it keeps the types of a call."""
    if not isinstance(expression, CallExpr) or not expression.args or not isinstance(expression.callee, RefExpr):
        return expression
    if expression.callee.fullname not in wrappers:
        return expression
    given = [copy_of_calls(expression.args[0], wrappers), *expression.args[1:]]
    made = CallExpr(expression.callee, given, expression.arg_kinds, expression.arg_names)
    made.set_line(expression)
    return made


def result_of_new_call(api: CheckerPluginInterface, call: CallExpr) -> Type:
    """The type of such a call. Nothing is reported, and mypy's types of the expressions in it stay as they were."""
    current = checker(api)
    with current.msg.filter_errors(), current.local_type_map:
        return current.expr_checker.accept(call)


def bound_method(api: CheckerPluginInterface, receiver: Instance, name: str, context: Context) -> FunctionLike | None:
    """The signature of a method of a value; None if it has no such method."""
    if not receiver.type.has_readable_member(name):
        return None
    proper = get_proper_type(member_of(api, receiver, name, context))
    return proper if isinstance(proper, FunctionLike) else None


def item_types(expression: Expression, api: CheckerPluginInterface) -> list[Type]:
    """The types of the items in a list or tuple display, or the one item type of a comprehension."""
    if isinstance(expression, ListComprehension | GeneratorExpr):
        generator = expression.generator if isinstance(expression, ListComprehension) else expression
        items = [generator.left_expr]
    else:
        items = expression.items if isinstance(expression, ListExpr | TupleExpr) else []
    types = [expression_type(checker(api), item) for item in items]
    known = [typ for typ in types if typ is not None]
    return known if len(known) == len(types) else []


def item_of(api: CheckerPluginInterface, iterable: Type, context: Context) -> Type | None:
    """The type of the items of an iterable; None if it is not a class instance or tuple. Nothing is reported."""
    proper = get_proper_type(iterable)
    if isinstance(proper, TupleType):
        proper = tuple_fallback(proper)
    with checker(api).msg.filter_errors():
        return checker(api).iterable_item_type(proper, context) if isinstance(proper, Instance) else None


def _call(api: CheckerPluginInterface, callee: Type, types: Sequence[Type], context: Context) -> Type:
    arguments: list[Expression] = [TempNode(typ, context=context) for typ in types]
    kinds = [ARG_POS] * len(types)
    if not isinstance(context, RefExpr):
        return checker(api).expr_checker.check_call(callee, arguments, kinds, context)[0]
    # mypy calls the hooks of a function by its name. They read the arguments from the call, and of an object that is
    # called which one it is: `np.add`.
    call = CallExpr(context, arguments, kinds, [None for _ in kinds])
    call.set_line(context)
    name = context.fullname or None
    return checker(api).expr_checker.check_call(callee, arguments, kinds, call, callable_name=name)[0]


def function_context(
    api: CheckerPluginInterface, types: Sequence[Type], result: Type | None = None, *, of: Expression | None = None
) -> CallableType:
    """The type of a function of positional parameters of these types, as the context `of` an expression.

    mypy uses a context for a lambda only if both have the same kinds of parameters: `lambda x, i=i: ...` may be called
    with one argument, but its context has two parameters.
    """
    any_type = AnyType(TypeOfAny.special_form)
    kinds, types = [ARG_POS] * len(types), list(types)
    if isinstance(of, LambdaExpr):
        required = of.arg_kinds.count(ARG_POS)
        if set(of.arg_kinds) == {ARG_POS, ARG_OPT} and required <= len(types) <= len(of.arg_kinds):
            types += [any_type] * (len(of.arg_kinds) - len(types))
            kinds = of.arg_kinds
    return CallableType(
        types, kinds, [None] * len(types), result or any_type, api.named_generic_type("builtins.function", [])
    )


def may_be_called(typ: Type) -> bool:
    """Whether values of a type are functions, or have `__call__`."""
    proper = get_proper_type(typ)
    if isinstance(proper, Instance):
        return proper.type.has_readable_member("__call__")
    return isinstance(proper, FunctionLike | AnyType)


def expected_type(api: CheckerPluginInterface) -> Type | None:
    """The type that mypy expects of the current call, as the type of the variable that it is assigned to."""
    return checker(api).expr_checker.type_context[-1]


def is_expected(typ: Type, api: CheckerPluginInterface) -> bool:
    """Whether a tuple fits where the current call or operator stands. Any would fit where a list is declared, too."""
    expected = get_proper_type(expected_type(api))
    members = get_proper_types(expected.items) if isinstance(expected, UnionType) else [expected]
    if expected is None or not all(isinstance(each, Instance | NoneType) for each in members):
        return True
    return is_subtype(typ, expected)


def drop_array_context(api: CheckerPluginInterface, classes: Container[str] = BY_GENERIC_CLASS) -> None:
    """Remove the expected type of the current call if it is an array of one of the classes, or a union with one.

    Only the arguments decide then. Without the plugin most array classes have no type parameters, so mypy infers no
    type variables from them.
    """
    contexts = checker(api).expr_checker.type_context
    expected = get_proper_type(contexts[-1])
    items = get_proper_types(expected.items) if isinstance(expected, UnionType) else [expected]
    if any(isinstance(item, Instance) and item.type.fullname in classes for item in items):
        contexts[-1] = None
