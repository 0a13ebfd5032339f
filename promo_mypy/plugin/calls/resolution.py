"""Ask the rules about a call of a registry function, for every combination of dtypes that its arguments may have."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import product

from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance, LiteralType, NoneType, ProperType, TupleType, Type, UnionType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.arguments.alternatives import without_rank
from promo_mypy.plugin.calls.arguments.argument_values import CallReader
from promo_mypy.plugin.libraries import BY_PACKAGE, Library
from promo_mypy.plugin.mypy_api.arguments import Argument
from promo_mypy.plugin.state.session import Session, system_name
from promo_mypy.plugin.types.array_ranks import rank_of_shape
from promo_mypy.plugin.types.array_types import is_number, library_of, read
from promo_mypy.plugin.types.literal_values import literal_value
from promo_mypy.plugin.types.numpy_scalars import is_scalar_type, may_be_array
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules import functions
from promo_mypy.rules.functions.language.arguments import Argument as RulesArgument
from promo_mypy.rules.functions.language.arguments import Arguments, Value
from promo_mypy.rules.functions.language.protocols import Answer
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.language.signatures import signature
from promo_mypy.rules.functions.numpy.forms import ARRAY_IF_KEPT, MAKING, SCALAR_OR_ARRAY, SHAPED_LIKE
from promo_mypy.rules.functions.numpy.ufuncs import SCALAR_OF_NUMBERS
from promo_mypy.rules.operands import Operand, Refusal
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.records import record
from promo_mypy.rules.systems import root_of


@record
class CallAnswers:
    """The answers for a call: one for every combination that its library accepts, or the reason why it accepts none.

    `scalar`: whether NumPy returns a scalar; None if that depends on the rank, which NumPy's types do not have.
    """

    library: Library
    answers: tuple[Answer, ...]
    refusal: Refusal | None
    scalar: bool | None


def answers_of(
    row: Row, given: Sequence[Argument], receiver: Type | None, session: Session, api: CheckerPluginInterface
) -> CallAnswers | None:
    """The answers of the rules for the call; None if they have none."""
    # einops has functions for the arrays of any library.
    library = BY_PACKAGE.get(row.library) or _library_of_arrays(given, session)
    if library is None:
        return None
    system = session.system(library, api)
    if not _follows_its_library(session, api, library):
        # A function follows the rules of its library. One that does not promote gives the same under any rules.
        if row.rule.promotes:
            return None
        system = session.own_system(library, api)
    reader = CallReader(row, library, system, session, api)
    combinations = reader.combinations(given, receiver)
    if combinations is None:
        return None
    found = {combination: _answer(system, row, combination) for combination in combinations}
    refusals = [answer for answer in found.values() if isinstance(answer, Refusal)]
    refusal = refusals[0] if refusals and len(refusals) == len(found) else None
    if refusal is None and reader.asks_rank and _depends_on_rank(found):
        return None
    answers = tuple(answer for answer in found.values() if not isinstance(answer, Refusal))
    return CallAnswers(library, answers, refusal, _is_scalar(row, given, receiver))


def _answer(system: PromotionSystem, row: Row, arguments: Arguments) -> Answer | Refusal:
    """The answer of the rules; None if the value of a Python number decides it, and is unknown."""
    if not system.examples:
        return functions.resolve_call(system, row, arguments)
    choices = [_numbers(argument, system) for argument in arguments.given]
    answers = [functions.resolve_call(system, row, arguments.replaced(choice)) for choice in product(*choices)]
    return answers[0] if all(answer == answers[0] for answer in answers) else None


def _numbers(argument: RulesArgument, system: PromotionSystem) -> Sequence[RulesArgument]:
    """An argument; in place of a number of unknown value, all values that may decide the dtype."""
    if not isinstance(argument, Operand) or not issubclass(argument.dtype, dt.PythonScalar):
        return (argument,)
    return [Value(value) for value in system.examples.get(argument.dtype, ())] or (argument,)


def _depends_on_rank(found: Mapping[Arguments, Answer | Refusal]) -> bool:
    """Whether calls that differ only in unknown ranks give different dtypes. Rejected calls do not count."""
    answers: defaultdict[Arguments, set[Answer]] = defaultdict(set)
    for combination, answer in found.items():
        if not isinstance(answer, Refusal):
            answers[without_rank(combination)].add(answer)
    return any(len(different) > 1 for different in answers.values())


def _library_of_arrays(given: Sequence[Argument], session: Session) -> Library | None:
    """The library of all arrays among the arguments, or in lists among them; None if there is not exactly one."""
    types = [typ for argument in given for typ in _with_items(get_proper_type(argument.type))]
    found = {value.library for typ in types for value in read(typ, session.platform) or () if value.is_array}
    return found.pop() if len(found) == 1 else None


def _with_items(typ: ProperType) -> Sequence[Type]:
    if isinstance(typ, TupleType):
        return typ.items
    return typ.args if isinstance(typ, Instance) and typ.type.fullname in names.SEQUENCES else [typ]


def _follows_its_library(session: Session, api: CheckerPluginInterface, library: Library) -> bool:
    """Whether the promotion system of the module is the library's own, or derived from it."""
    return root_of(system_name(session.options(api), library)).startswith(library.value)


def _is_scalar(row: Row, given: Sequence[Argument], receiver: Type | None) -> bool | None:
    """Whether NumPy returns a scalar; None if that depends on something unknown.

    It does for its own scalars, and for an array that is reduced along all axes. A call that names an axis is taken to
    leave other axes: otherwise there would be no reason to name it.
    """
    is_numpy = row.library == "numpy"
    if is_numpy and row.name in MAKING:
        return False
    parameters = {parameter.name: parameter for parameter in signature(row.signature).parameters}
    positions = [name for name, parameter in parameters.items() if parameter.positional][receiver is not None :]
    types = _by_parameter(given, positions)
    of_kept = _is_scalar_of_kept(types.get("keepdims"))
    if is_numpy and row.name in ARRAY_IF_KEPT and of_kept is not True:
        return of_kept
    shaping = types.get(SHAPED_LIKE.get(row.name, "")) if is_numpy else None
    if shaping is not None and _has_axes(get_proper_type(shaping)) is not False:
        return False if _has_dimensions(shaping) else None
    values = [*_arrays(given, positions), *([] if receiver is None else [receiver])]
    kinds = {_has_axes(get_proper_type(typ)) for typ in values}
    if True not in kinds:
        is_scalar_of_numbers = is_numpy and row.name in SCALAR_OF_NUMBERS
        return True if kinds == {False} and (is_scalar_of_numbers or any(map(is_scalar_type, values))) else None
    if is_numpy and row.name in SCALAR_OR_ARRAY:
        return None
    if "keepdims" not in parameters or "axis" not in parameters:
        return False
    if of_kept is not True:
        return of_kept
    axis = types.get("axis")
    if axis is None:
        return parameters["axis"].default == Value(None)
    return _is_along_all(axis)


def _by_parameter(given: Sequence[Argument], positions: Sequence[str]) -> Mapping[str, Type]:
    """The types of the arguments by the names of their parameters."""
    return {
        argument.keyword or positions[place]: argument.type
        for place, argument in enumerate(given)
        if argument.keyword is not None or place < len(positions)
    }


def _arrays(given: Sequence[Argument], positions: Sequence[str]) -> Sequence[Type]:
    """The types of the arguments that are given by position, apart from a dtype."""
    dtype = positions.index("dtype") if "dtype" in positions else None
    return [a.type for place, a in enumerate(given) if a.keyword is None and place != dtype]


def _is_scalar_of_kept(keepdims: Type | None) -> bool | None:
    """Whether a reduction along all axes is a scalar by this argument; None if that is unknown."""
    kept = False if keepdims is None else literal_value(keepdims)
    return not kept if isinstance(kept, bool) else None


def _is_along_all(axis: Type) -> bool | None:
    """Whether an array is reduced along all axes; None if that is unknown."""
    proper = get_proper_type(axis)
    if isinstance(proper, NoneType):
        return True
    return None if isinstance(proper, AnyType | UnionType) else False


def _has_axes(typ: ProperType) -> bool | None:
    """True for arrays and values that become arrays, False for numbers; None if unknown."""
    match typ:
        case NoneType() | LiteralType():
            return False
        case TupleType():
            return True
        case Instance() if is_number(typ):
            return None if may_be_array(typ) else False
        case Instance() if library_of(typ) is not None or typ.type.fullname in names.SEQUENCES:
            return True
        case _:
            return None


def _has_dimensions(typ: Type) -> bool:
    """Whether a value certainly has a dimension: a sequence, or an array of such a rank."""
    proper = get_proper_type(typ)
    if isinstance(proper, Instance) and proper.type.fullname in names.NUMPY_ARRAYS:
        return rank_of_shape(proper).positive
    return _has_axes(proper) is True
