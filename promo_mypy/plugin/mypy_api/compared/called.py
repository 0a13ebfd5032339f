"""Find the parameters of calls, and the arguments that go into them."""

from collections.abc import Iterator, Sequence

from mypy.argmap import map_actuals_to_formals
from mypy.checker import TypeChecker
from mypy.expandtype import freshen_function_type_vars
from mypy.nodes import CallExpr, Expression, Node
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    ProperType,
    Type,
    TypeOfAny,
    get_proper_type,
)

from promo_mypy.plugin.mypy_api.compared.comparisons import Compared, known, type_of
from promo_mypy.rules.wording import mismatches as subjects


def arguments(current: TypeChecker, node: Node, parents: Sequence[Node]) -> Iterator[Compared]:
    """An argument of a call, with the types of the parameters that may take it."""
    call = parents[-1] if parents else None
    if not isinstance(call, CallExpr) or not isinstance(node, Expression) or node not in call.args:
        return
    callee = get_proper_type(type_of(current, call.callee))
    for function in _callables(current, callee, call):
        applied = _applied(current, function, call) if function.variables else function
        place = call.args.index(node)
        formal = _formal(current, applied, call, place)
        if formal is not None:
            name = call.arg_names[place]
            which = f'"{name}"' if name is not None else str(place + 1)
            called = (function.get_name() or "").partition(" of ")[0]
            yield from known(
                current, subjects.argument(which, called if not called.startswith("<") else ""), node, formal
            )


def _callables(current: TypeChecker, callee: ProperType | None, call: CallExpr) -> Sequence[CallableType]:
    """The signatures of what is called."""
    if isinstance(callee, Instance):
        with current.msg.filter_errors():
            solver, name = current.expr_checker, f"{callee.type.fullname}.__call__"
            method = solver.analyze_external_member_access("__call__", callee, call)
            given = call.args, call.arg_kinds, call, call.arg_names
            signature = solver.transform_callee_type(name, method, *given, callee)
        called = get_proper_type(signature)
        return called.items if isinstance(called, FunctionLike) else ()
    return callee.items if isinstance(callee, FunctionLike) else ()


def _applied(current: TypeChecker, function: CallableType, call: CallExpr) -> CallableType:
    """A generic function with the types that mypy solves its variables to."""
    solver, function = current.expr_checker, freshen_function_type_vars(function)
    formals = _formals(current, function, call)
    with current.msg.filter_errors():
        in_context = solver.infer_function_type_arguments_using_context(function, call)
        return solver.infer_function_type_arguments(
            in_context, call.args, call.arg_kinds, call.arg_names, formals, False, call
        )


def _formals(current: TypeChecker, function: CallableType, call: CallExpr) -> list[list[int]]:
    unknown = AnyType(TypeOfAny.special_form)
    return map_actuals_to_formals(
        call.arg_kinds,
        call.arg_names,
        function.arg_kinds,
        function.arg_names,
        lambda place: type_of(current, call.args[place]) or unknown,
    )


def _formal(current: TypeChecker, function: CallableType, call: CallExpr, place: int) -> Type | None:
    """The type of the parameter that takes an argument."""
    formals = _formals(current, function, call)
    return next((function.arg_types[number] for number, given in enumerate(formals) if place in given), None)
