"""Caches for one pass over a file, and those of results that depend on types and options alone.

The first are dropped after the pass. The others serve all files of a build that have the same options: see `TypeMemos`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from mypy.nodes import CallExpr, Context, Expression, Node, SymbolNode, TypeInfo
from mypy.options import Options as MypyOptions
from mypy.types import CallableType, FunctionLike, Instance, Type

from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker
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


@dataclass(slots=True)
class KnownCall:
    """The results of all calls with one cache key.

    Attributes:
        results: the results by the type that the library declares: mypy asks for one overload after another.
        facts: what `registry_calls` has read and asked the rules for; None if all results were inferred before that.
    """

    results: dict[Type, Type]
    facts: Any = None


#: A memo with more results than these is not used for another file.
_MOST: Final = 50_000


class TypeMemo:
    """Results that depend only on types and options."""

    def __init__(self) -> None:
        self.operations: dict[tuple[object, ...], SettledOperation] = {}
        """Results of operators."""
        self.rulings: dict[tuple[object, ...], Any] = {}
        """The answers of the rules for operators, by their methods and the facts of their operands: see `rulings`."""
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
        self.exact_results: dict[tuple[object, ...], Type | None] = {}
        """Results of calls with exact signatures, which are inferred before mypy tries the overloads."""
        self.exact_answers: dict[tuple[object, ...], Type | None] = {}
        """Their results without marks, by the facts of their arguments."""
        self.canonical: dict[Type, Type] = {}
        """One type object for all equal array types."""
        self.values: dict[Type, tuple[Value, ...] | None] = {}
        """The values that a type stands for."""
        self.arrays: dict[tuple[object, ...], Type | None] = {}
        """Array types by their model, their dtypes, whether they keep the model's shape, and their rank."""
        self.indices: dict[tuple[TypeInfo, Type], frozenset[SymbolNode]] = {}
        """The overloads of a class that accept an index of some type."""

    def is_full(self) -> bool:
        """Whether there are so many results that they should make room."""
        return len(self.calls) + len(self.operations) + len(self.canonical) > _MOST


class TypeMemos:
    """Gives each pass over a file the results of the files before it that have the same options.

    A daemon gets none, as it creates new classes when it checks a module again. Results are dropped when a module joins
    the build: it may define what was not found before.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[int, object], tuple[MypyOptions, TypeMemo]] = {}
        self._modules = 0

    def of(self, current: TypeChecker, options: object) -> TypeMemo:
        """The results for a file with these options of the plugin. mypy has one object for files of equal options."""
        of_mypy = current.options
        if of_mypy.fine_grained_incremental or of_mypy.cache_fine_grained:
            return TypeMemo()
        if len(current.modules) != self._modules:
            self._modules = len(current.modules)
            self._known.clear()
        question = (id(of_mypy), options)
        known = self._known.get(question)
        if known is None or known[1].is_full():
            known = self._known[question] = of_mypy, TypeMemo()
        return known[1]


class PassMemo:
    """Results for one pass over a file."""

    def __init__(self) -> None:
        self.exact_call: Context | None = None
        """The last call with an exact signature. Its function hook finds the result inferred."""
        self.exact_question: Question | None = None
        """What the result of that call depends on."""
        self.iterable_call: Context | None = None
        """The last call that mypy expected to give an iterable of Python's numbers; it may check it again."""
        self.scalar_call: Context | None = None
        """The last call for which NumPy's stubs declare a scalar, for one member of a union: `axis` may be None."""
        self.replayed: dict[Expression, CallExpr] = {}
        """The stored functions that mypy is checking for a call, with that call."""
        self.targets: set[Node] | None = None
        """The targets of augmented assignments; None until the first look-up."""
        self.unlisted: dict[str, Callable[[Any], Type] | None] = {}
        """Hooks of functions and methods that are in no table, by name."""
        self.unknown: dict[Type, bool] = {}
        """Whether the dtype of an argument is inferred or unknown: see `overloaded_calls`."""
        self.answered: tuple[object, Type] | None = None
        """The last call whose dtype an overload decided, and its type: mypy asks for the next overload, too."""
        self.asks_for_costs: bool | None = None
        """Whether a diagnostic that is off by default is switched on; None until the first look-up."""
