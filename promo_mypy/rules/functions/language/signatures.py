"""Signatures as text: bind arguments to parameters and fill in defaults."""

import ast
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from promo_mypy.rules.functions.language.arguments import UNKNOWN, Argument, Arguments, DtypeArgument, Items, Value
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.records import record


@record
class Parameter:
    """One parameter; `default` is None if an argument is required, and UNKNOWN for a default that no rule reads."""

    name: str
    default: Argument | None = None
    positional: bool = True
    keyword: bool = True
    several: bool = False
    """True for `*args`."""
    stands_for: str = ""
    """Its name in the rule, if that is different: "x: a" is `x` to callers and `a` to the rule."""

    @property
    def bound_as(self) -> str:
        """Its name in the result of `bind`."""
        return self.stands_for or self.name


@record
class Signature:
    """The parameters of a function, in order."""

    parameters: tuple[Parameter, ...]
    others: bool = False
    """Whether it accepts any other keyword, as `**kwargs` does. Those do not affect dtypes."""

    def bind(self, arguments: Arguments) -> Mapping[str, Argument] | None:
        """Parameter -> argument; None if the arguments do not fit, which mypy reports.

        Defaults are filled in. `*args` are collected in `Items`.
        """
        bound: dict[str, Argument] = {}
        positional = iter(arguments.positional)
        parameters = [(parameter, parameter.stands_for or parameter.name) for parameter in self.parameters]
        for parameter, bound_as in parameters:
            if parameter.several:
                collected = list(positional)
                if collected or not parameter.keyword:
                    bound[bound_as] = _collected(collected)
            elif parameter.positional and (argument := next(positional, None)) is not None:
                bound[bound_as] = argument
        if next(positional, None) is not None:
            return None
        if arguments.keywords and not self._bind_keywords(arguments.keywords, bound):
            return None
        for parameter, bound_as in parameters:
            if bound_as not in bound:
                if parameter.default is None:
                    return None
                bound[bound_as] = parameter.default
        return bound

    def _bind_keywords(self, keywords: Iterable[tuple[str, Argument]], bound: dict[str, Argument]) -> bool:
        """Add the arguments that have a name; False if one of them does not fit."""
        by_name = {parameter.name: parameter.bound_as for parameter in self.parameters if parameter.keyword}
        for name, argument in keywords:
            if name in by_name and by_name[name] not in bound:
                bound[by_name[name]] = argument
            elif name in by_name or not self.others:
                return False
        return True


def _collected(positional: Iterable[Argument]) -> Argument:
    """`f(x, y)` and `f([x, y])` are the same call for functions that accept both."""
    collected = tuple(positional)
    single = collected[0] if len(collected) == 1 else None
    return Items(collected) if single is None or isinstance(single, Operand | DtypeArgument | Value) else single


#: Parameters of PyTorch that take one argument by name, or several by position: `zeros(2, 3)`, `zeros(size=(2, 3))`.
_ALSO_NAMED: Final = frozenset({"size"})


@cache
def signature(text: str) -> Signature:
    """Parse a signature: "x: a, axis=None, *, dtype=None". No rule reads a default `...`, and `x: a` is
    `a` in the rule.

    Raises SyntaxError for an invalid list of parameters, ValueError for a default that is not a literal.
    """
    function = ast.parse(f"def f({text}): ...").body[0]
    assert isinstance(function, ast.FunctionDef), "that is what the text says"
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    required = len(positional) - len(arguments.defaults)
    parameters = [
        Parameter(
            parameter.arg,
            None if place < required else _default(arguments.defaults[place - required]),
            keyword=place >= len(arguments.posonlyargs),
            stands_for=_renamed(parameter),
        )
        for place, parameter in enumerate(positional)
    ]
    if arguments.vararg is not None:
        name = arguments.vararg.arg
        parameters.append(Parameter(name, Items(()), keyword=name in _ALSO_NAMED, several=True))
    parameters += [
        Parameter(
            parameter.arg,
            None if default is None else _default(default),
            positional=False,
            stands_for=_renamed(parameter),
        )
        for parameter, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    return Signature(tuple(parameters), others=arguments.kwarg is not None)


def _renamed(parameter: ast.arg) -> str:
    return "" if parameter.annotation is None else ast.unparse(parameter.annotation)


def _default(expression: ast.expr) -> Argument:
    value = ast.literal_eval(expression)
    return UNKNOWN if value is ... else Value(value)
