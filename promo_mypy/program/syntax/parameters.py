"""Read the parameters of a function: their names, annotations and defaults."""

import ast

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def is_annotated(function: Function) -> bool:
    """Whether a parameter or the result has an annotation."""
    has_result = not isinstance(function, ast.Lambda) and function.returns is not None
    return has_result or any(each.annotation is not None for each in _parameters(function))


def parameter_names(function: Function) -> frozenset[str]:
    """The names of all parameters."""
    return frozenset(each.arg for each in _parameters(function))


def positional(function: Function) -> list[str]:
    """The names of the parameters that positional arguments fill, in this order."""
    return [each.arg for each in (*function.args.posonlyargs, *function.args.args)]


def defaults(function: Function) -> dict[str, ast.expr]:
    """Parameter -> its default value."""
    found = function.args
    pairs = zip(reversed(positional(function)), reversed(found.defaults), strict=False)
    named = ((each.arg, default) for each, default in zip(found.kwonlyargs, found.kw_defaults, strict=True))
    return {name: default for name, default in (*pairs, *named) if default is not None}


def _parameters(function: Function) -> list[ast.arg]:
    found = function.args
    every = [*found.posonlyargs, *found.args, *found.kwonlyargs, found.vararg, found.kwarg]
    return [each for each in every if each is not None]
