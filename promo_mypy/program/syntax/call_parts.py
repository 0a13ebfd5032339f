"""Read what calls pass, and among which functions an expression chooses."""

import ast


def is_overload(function: ast.FunctionDef) -> bool:
    """Whether a function is one of several signatures."""
    return any(ast.unparse(each).rpartition(".")[2] == "overload" for each in function.decorator_list)


def choices(function: ast.expr) -> list[ast.expr]:
    """The functions among which an expression chooses."""
    match function:
        case ast.Dict(values=values) | ast.BoolOp(values=values):
            return values
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return items
        case ast.IfExp(body=body, orelse=other):
            return [body, other]
        case ast.Subscript(value=container):
            return [container]
    return []


def passed(call: ast.Call) -> list[ast.expr]:
    """The arguments of a call. A starred one is the container that it spreads."""
    positional = [each.value if isinstance(each, ast.Starred) else each for each in call.args]
    return [*positional, *(keyword.value for keyword in call.keywords)]
