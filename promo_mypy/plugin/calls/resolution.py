"""A call of a function of the registry to what the rules answer, for every combination of dtypes that it may have."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance, LiteralType, NoneType, ProperType, TupleType, Type, UnionType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.arguments.argument_values import CallReader, without_rank
from promo_mypy.plugin.libraries import BY_PACKAGE, Library
from promo_mypy.plugin.mypy_api.arguments import Argument
from promo_mypy.plugin.state.session import Session, system_name
from promo_mypy.plugin.types.array_types import is_number, library_of, read
from promo_mypy.plugin.types.numpy_scalars import is_scalar_type
from promo_mypy.rules import functions
from promo_mypy.rules.functions.language.arguments import Arguments, Value
from promo_mypy.rules.functions.language.protocols import Answer
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.language.signatures import signature
from promo_mypy.rules.functions.numpy.forms import SCALAR_OR_ARRAY, keeps_an_index
from promo_mypy.rules.operands import Refusal
from promo_mypy.rules.records import record
from promo_mypy.rules.systems import root_of


@record
class CallAnswers:
    """What a call gives: an answer for every combination that its library accepts, or why it accepts none.

    `scalar`: whether NumPy makes a scalar of the result; None if the rank decides, which NumPy's types do not have.
    """

    library: Library
    answers: tuple[Answer, ...]
    refusal: Refusal | None
    scalar: bool | None


def answers_of(
    row: Row, given: Sequence[Argument], receiver: Type | None, session: Session, api: CheckerPluginInterface
) -> CallAnswers | None:
    """What the rules say of the call; None if they cannot say anything."""
    # einops has functions for the arrays of any library.
    library = BY_PACKAGE.get(row.library) or _library_of_arrays(given, session)
    if library is None:
        return None
    system = session.system(library, api)
    if not _follows_its_library(session, api, library):
        # Functions are the library's; what they do without promotion they do under any rules.
        if row.rule.promotes:
            return None
        system = session.own_system(library, api)
    reader = CallReader(row, library, system, session, api)
    combinations = reader.combinations(given, receiver)
    if combinations is None:
        return None
    found = {combination: functions.resolve_call(system, row, combination) for combination in combinations}
    refusals = [answer for answer in found.values() if isinstance(answer, Refusal)]
    refusal = refusals[0] if refusals and len(refusals) == len(found) else None
    if refusal is None and reader.asks_rank and _depends_on_rank(found):
        return None
    answers = tuple(answer for answer in found.values() if not isinstance(answer, Refusal))
    return CallAnswers(library, answers, refusal, is_scalar(row, given, receiver))


def _depends_on_rank(found: Mapping[Arguments, Answer | Refusal]) -> bool:
    """Whether calls that differ only in ranks, which are not known then, give different dtypes.

    A call that is refused gives none.
    """
    answers: defaultdict[Arguments, set[Answer]] = defaultdict(set)
    for combination, answer in found.items():
        if not isinstance(answer, Refusal):
            answers[without_rank(combination)].add(answer)
    return any(len(different) > 1 for different in answers.values())


def _library_of_arrays(given: Sequence[Argument], session: Session) -> Library | None:
    """The one library that the arrays among the arguments, or in lists among them, belong to; None if not known."""
    types = [typ for argument in given for typ in _with_items(get_proper_type(argument.type))]
    found = {value.library for typ in types for value in read(typ, session.platform) or () if value.is_array}
    return found.pop() if len(found) == 1 else None


def _with_items(typ: ProperType) -> Sequence[Type]:
    if isinstance(typ, TupleType):
        return typ.items
    return typ.args if isinstance(typ, Instance) and typ.type.fullname in names.SEQUENCES else [typ]


def _follows_its_library(session: Session, api: CheckerPluginInterface, library: Library) -> bool:
    """Whether the rules of the module are the library's own, or made of them: functions are the library's."""
    return root_of(system_name(session.options(api), library)).startswith(library.value)


def is_scalar(row: Row, given: Sequence[Argument], receiver: Type | None) -> bool | None:
    """Whether NumPy makes a scalar of the result; None if that depends on something that is not known.

    It does of its own scalars, and of an array that is reduced along all its axes. An axis that is given leaves others,
    or there was no reason to name it.
    """
    parameters = {parameter.name: parameter for parameter in signature(row.signature).parameters}
    positions = [name for name, parameter in parameters.items() if parameter.positional][receiver is not None :]
    dtype = positions.index("dtype") if "dtype" in positions else None
    arrays = [a.type for place, a in enumerate(given) if a.keyword is None and place != dtype]
    values = arrays if receiver is None else [*arrays, receiver]
    kinds = {_has_axes(get_proper_type(typ)) for typ in values}
    if True not in kinds:
        # Of Python's numbers alone NumPy's types say nothing, and neither do we: mypy would take `np.sqrt(2)`, which is
        # a float64, and a number of Python's in one variable for the latter.
        return True if kinds == {False} and any(map(is_scalar_type, values)) else None
    if row.library == "numpy" and row.name in SCALAR_OR_ARRAY:
        return _is_scalar_product(given) if row.name == "einsum" else None
    if "keepdims" not in parameters or "axis" not in parameters:
        return False
    keeps = next((argument for argument in given if argument.keyword == "keepdims"), None)
    if keeps is not None and not _is_literal(keeps.type, False):
        return False if _is_literal(keeps.type, True) else None
    place = positions.index("axis") if "axis" in positions else len(given)
    named = next((argument for argument in given if argument.keyword == "axis"), None)
    axis = named or (given[place] if place < len(given) and given[place].keyword is None else None)
    if axis is None:
        return parameters["axis"].default == Value(None)
    typ = get_proper_type(axis.type)
    if isinstance(typ, NoneType):
        return True
    return None if isinstance(typ, AnyType | UnionType) else False


def _is_scalar_product(given: Sequence[Argument]) -> bool | None:
    """False where `np.einsum` makes an array for sure. With `optimize` some are arrays that are scalars without."""
    subscripts = _literal(given[0].type)
    return False if isinstance(subscripts, str) and keeps_an_index(subscripts) else None


def _has_axes(typ: ProperType) -> bool | None:
    """True for arrays and what becomes one, False for numbers; None where it is not known."""
    match typ:
        case NoneType() | LiteralType():
            return False
        case TupleType():
            return True
        case Instance() if is_number(typ):
            return False
        case Instance() if library_of(typ) is not None or typ.type.fullname in names.SEQUENCES:
            return True
        case _:
            return None


def _is_literal(typ: Type, value: bool) -> bool:
    return _literal(typ) is value


def _literal(typ: Type) -> object:
    proper = get_proper_type(typ)
    known = proper.last_known_value if isinstance(proper, Instance) else proper
    return known.value if isinstance(known, LiteralType) else None
