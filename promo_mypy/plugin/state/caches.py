"""Caches for one pass over a file.

They are dropped after the pass: mypy's daemon creates new classes when it checks a module again, and the next file may
have other options.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mypy.nodes import CallExpr, Context, Expression, Node, SymbolNode, TypeInfo
from mypy.types import CallableType, FunctionLike, Instance, Type

from promo_mypy.rules.records import record

if TYPE_CHECKING:
    from promo_mypy.plugin.types.array_types import Value

#: The cache key of a call whose result depends only on types.
Question = tuple[object, ...]


@record
class SettledOperation:
    """The result of an operator on operands of certain types.

    `is_touched`: whether it differs in a region of autocast. `is_final`: whether it holds for every such expression.
    """

    result: Type | None
    is_touched: bool
    is_final: bool


@record
class Settled:
    """The type of a result. `is_ours`: stock mypy infers Any. `is_closer`: stock mypy infers the class but no dtype."""

    result: Type
    is_ours: bool
    is_closer: bool = False


@dataclass(slots=True)
class KnownCall:
    """What is known of calls that ask one question.

    Attributes:
        results: the results by the type that the library declares: mypy asks for one overload after another.
        facts: what `registry_calls` has read and asked the rules for; None if all results were inferred before that.
    """

    results: dict[Type, Settled]
    facts: Any = None


class PassMemo:
    """Results that depend only on types."""

    def __init__(self) -> None:
        self.operations: dict[tuple[object, ...], SettledOperation] = {}
        """Results of operators."""
        self.rulings: dict[tuple[object, ...], Any] = {}
        """What the rules say of operators, by their methods and the facts of their operands: see `rulings`."""
        self.facts: dict[Type, int] = {}
        """The numbers of the facts that the rules read of types."""
        self.numbers: dict[object, int] = {}
        """A number for the facts of some values."""
        self.traits: dict[Type, Any] = {}
        """What decides about marks in types of operands: see `operator_marks`."""
        self.marked: dict[tuple[object, Type], Type] = {}
        """Types with marks, by the function that marks them."""
        self.signatures: dict[tuple[object, ...], CallableType] = {}
        """Signatures of operators by their definition, their number of parameters and their result."""
        self.declared: dict[tuple[Instance, str], FunctionLike | None] = {}
        """The operators that NumPy declares for a receiver, by their methods; None if no overload accepts it."""
        self.calls: dict[Question, KnownCall] = {}
        """Results of calls."""
        self.closures: dict[tuple[object, ...], Type | None] = {}
        """Results of calls that were inferred before mypy tried overloads."""
        self.closed_answers: dict[tuple[object, ...], Type | None] = {}
        """Their results without marks, by the facts of their arguments."""
        self.closed_call: Context | None = None
        """The last call whose signature was made exact. Its function hook finds the result inferred."""
        self.closed_question: Question | None = None
        """What the result of that call depends on."""
        self.untyped_call: Context | None = None
        """The last call whose signature returned Any before the plugin made it exact."""
        self.iterable_call: Context | None = None
        """The last call that mypy expected to give an iterable of Python's numbers; it may check it again."""
        self.replayed: dict[Expression, CallExpr] = {}
        """The stored functions that mypy is checking for a call, with that call."""
        self.canonical: dict[Type, Type] = {}
        """One type object for all equal array types."""
        self.values: dict[Type, tuple[Value, ...] | None] = {}
        """The values that a type stands for."""
        self.arrays: dict[tuple[object, ...], Type | None] = {}
        """Array types by their model, their dtypes, whether they keep the model's shape, and their rank."""
        self.indices: dict[tuple[TypeInfo, Type], frozenset[SymbolNode]] = {}
        """The overloads of a class that accept an index of some type."""
        self.targets: set[Node] | None = None
        """The targets of augmented assignments; None until the first look-up."""
        self.unlisted: dict[str, Callable[[Any], Type] | None] = {}
        """Hooks of functions and methods that are in no table, by name."""
        self.ambiguous: dict[tuple[object, ...], bool] = {}
        """Whether stock mypy infers Any for a call of an overloaded function: see `matching_overloads`."""
        self.unknown: dict[Type, bool] = {}
        """Whether the dtype of an argument is inferred or unknown: see `matching_overloads`."""
        self.answered: tuple[object, Type] | None = None
        """The last call whose dtype an overload decided, and its type: mypy asks for the next overload, too."""
        self.asks_for_costs: bool | None = None
        """Whether a diagnostic that is off by default is switched on; None until the first look-up."""
