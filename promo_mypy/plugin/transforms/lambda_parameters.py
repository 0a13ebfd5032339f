"""Infer the parameter types of a lambda, or of another open function, from the calls that pass arguments to it."""

from collections.abc import Iterable, Sequence
from enum import Enum

from mypy.nodes import CallExpr, FuncDef, LambdaExpr
from mypy.plugin import CheckerPluginInterface
from mypy.types import Type, get_proper_type

from promo_mypy.plugin.calls.arguments import pytrees
from promo_mypy.plugin.calls.arguments.traced_values import as_traced
from promo_mypy.plugin.calls.fill import unknown
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.written_arguments import has_stars
from promo_mypy.plugin.types.array_ranks import without_rank
from promo_mypy.plugin.types.array_types import is_python_number, library_of
from promo_mypy.plugin.types.integer_types import is_bool
from promo_mypy.rules.records import record

_TRACEABLE = frozenset({Library.JAX, Library.TORCH})


class Passage(Enum):
    """How transforms change an argument before the lambda gets it."""

    DIRECT = "nothing"
    TRANSFORMED = "a transform may have made an array of it, or taken a dimension away"
    TRACED = "JAX makes an array of it"

    def through(self, transform: "Passage") -> "Passage":
        """The passage through that transform and then through this one."""
        return Passage.TRACED if Passage.TRACED in (self, transform) else Passage.TRANSFORMED


@record
class PassingCall:
    """A call that passes its arguments to the lambda, except the `first` ones; a partial application is one, too.

    `static`: the names and places of parameters that get their values as they are.
    """

    call: CallExpr
    first: int
    passage: Passage
    static: frozenset[str | int] = frozenset()


def parameter_types(
    function: LambdaExpr | FuncDef, calls: Iterable[PassingCall], session: Session, api: CheckerPluginInterface
) -> list[Type] | None:
    """The type of each parameter, in the order of the calls; None if the parameter of an argument is unknown."""
    found = passed_types(calls, session, api, [argument.variable.name for argument in function.arguments])
    if found is None or any(argument.kind.is_star() for argument in function.arguments):
        return None
    positional, keywords = found
    if len(positional) > len(function.arguments):
        return None
    for argument in function.arguments[len(positional) :]:
        # Transforms do not change defaults.
        default = unknown() if argument.initializer is None else api.get_expression_type(argument.initializer)
        positional.append(keywords.get(argument.variable.name, default))
    return positional


def passed_types(
    calls: Iterable[PassingCall], session: Session, api: CheckerPluginInterface, parameters: Sequence[str] = ()
) -> tuple[list[Type], dict[str, Type]] | None:
    """The types of the arguments as the function gets them, by position and by keyword; None if they are unknown."""
    places = {name: place for place, name in enumerate(parameters)}
    positional: list[Type] = []
    keywords: dict[str, Type] = {}
    for passing in calls:
        if has_stars(passing.call):
            return None
        arguments = zip(passing.call.args, passing.call.arg_names, strict=True)
        for expression, name in list(arguments)[passing.first :]:
            place = len(positional) if name is None else places.get(name, -1)
            known_as = {place, name, *parameters[place : place + 1]} if place >= 0 else {name}
            is_static = not passing.static.isdisjoint(known_as)
            passage = Passage.DIRECT if is_static else passing.passage
            typ = _seen(api.get_expression_type(expression), passage, session, api)
            if name is None:
                positional.append(typ)
            else:
                keywords[name] = typ
    return positional, keywords


def _seen(value: Type, passage: Passage, session: Session, api: CheckerPluginInterface) -> Type:
    """The type that a parameter has for a value.

    Some transforms of JAX turn NumPy's and Python's numbers into JAX arrays, others do not. PyTorch's `vmap` removes a
    dimension. A part that is uncertain is unknown, also one that may be None: the lambda must accept it.
    """

    def of_leaf(leaf: Type) -> Type:
        if library_of(leaf) in _TRACEABLE:
            return without_rank(leaf)
        # A bool becomes a strong array, and mypy would not accept the bool as an argument for it.
        is_weak = is_python_number(leaf) and not is_bool(get_proper_type(leaf))
        return as_traced(leaf, session, api) if passage is Passage.TRACED and is_weak else unknown()

    if passage is Passage.DIRECT:
        return value
    return pytrees.map_pairs(lambda _, leaf, __: of_leaf(leaf), value, value, fields=True) or value
