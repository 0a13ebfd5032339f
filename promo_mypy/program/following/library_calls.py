"""Infer what functions of libraries return, and methods of the objects that the libraries around make."""

import ast
from collections.abc import Mapping, Sequence
from itertools import islice, product
from typing import Final, TypeVar

from promo_mypy.plugin.interface.arrays import Library
from promo_mypy.program.checked import library_names
from promo_mypy.program.checked.array_kinds import KIND_OF, ArrayKind
from promo_mypy.program.checked.arrays import Arrays, united_known
from promo_mypy.program.definitions.reader import MadeObject, Reader
from promo_mypy.program.following.images import image_dtype
from promo_mypy.program.following.made_values import MODULE
from promo_mypy.program.syntax.keywords import keywords
from promo_mypy.rules import around, functions
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.around import scipy_linalg
from promo_mypy.rules.around.of_jax import INITIALIZER
from promo_mypy.rules.around.tables import OF
from promo_mypy.rules.bounded_functions import BOUNDED, WIDE
from promo_mypy.rules.dtype_names import NUMPY_STRINGS
from promo_mypy.rules.functions.language.arguments import UNKNOWN, Argument, Arguments, DtypeArgument, Value
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.language.signatures import signature
from promo_mypy.rules.operands import Refusal

#: Every argument that one of a call may stand for.
Choices = Sequence[Argument]

Named = TypeVar("Named")

#: NumPy's names of parameters that functions of PyTorch take, too -> PyTorch's own names.
_NUMPY_NAMES: Final = {"axis": "dim", "keepdims": "keepdim"}
#: The most combinations of dtypes that are resolved for one call.
MOST: Final = 64


def function_result(name: str, call: ast.Call, reader: Reader) -> Arrays | None:
    """What the call of an imported function returns, or an item of a result that is a tuple."""
    if name in library_names.CASTS and call.args[1:]:
        return reader.arrays(call.args[1])
    of_image = image_dtype(call, reader.scopes, reader.typed)
    if of_image is not None:
        return Arrays(frozenset({Library.NUMPY}), frozenset({of_image}))
    row = around.row_of(name)
    exact = called(row, call, reader) if row is not None else _of_scipy(name, call, reader)
    return exact or items_of_result(call, reader)


def items_of_result(call: ast.Call, reader: Reader) -> Arrays | None:
    """One of the few dtypes that a function of linear algebra returns for every argument, also in a tuple."""
    name = reader.scopes.imported(call.func) or ""
    dtypes = BOUNDED.get(name)
    if dtypes is None:
        return None
    library = KIND_OF.get(name.partition(".")[0], KIND_OF["numpy"]).library
    is_narrow = library is Library.JAX and not reader.module.options.jax_enable_x64
    return Arrays(frozenset({library}), dtypes - WIDE if is_narrow else dtypes)


def _of_scipy(name: str, call: ast.Call, reader: Reader) -> Arrays | None:
    row = scipy_linalg.find(name)
    known = [arrays.dtypes for each in call.args if (arrays := reader.arrays(each)) is not None and arrays.dtypes]
    is_plain = row is not None and len(known) == len(call.args) == row.arrays
    if row is None or not is_plain or not scipy_linalg.HARMLESS.issuperset(each.arg or "" for each in call.keywords):
        return None
    combinations = list(islice(product(*known), MOST + 1))
    found = [scipy_linalg.results(row, chosen) for chosen in combinations]
    dtypes = None if None in found or len(found) > MOST else frozenset().union(*filter(None, found))
    return Arrays(frozenset({Library.NUMPY}), dtypes) if dtypes else None


def resolved(row: Row, positional: Sequence[Choices], named: Mapping[str, Choices], reader: Reader) -> Arrays | None:
    """Every array that a call may return; None if a dtype is unknown."""
    system, named = reader.systems.get(row.library), named_as(row, named)
    if system is None:
        return None
    combinations = list(islice(product(*positional, *named.values()), MOST + 1))
    results: set[type[dt.Shaped]] = set()
    for combination in combinations if len(combinations) <= MOST else ():
        first, others = combination[: len(positional)], combination[len(positional) :]
        arguments = Arguments.of(*first, **dict(zip(named, others, strict=True)))
        answer = functions.resolve_call(system, row, arguments)
        if isinstance(answer, Refusal) or not (isinstance(answer, type) and issubclass(answer, dt.Shaped)):
            return None
        results.add(answer)
    return Arrays(frozenset({KIND_OF[row.library].library}), frozenset(results)) if results else None


def named_as(row: Row, named: Mapping[str, Named]) -> dict[str, Named]:
    """The keyword arguments of a call under the names that a row has for its parameters."""
    names = {each.name for each in signature(row.signature).parameters} if row.library == "torch" else frozenset[str]()
    other = {name: own for name, own in _NUMPY_NAMES.items() if own in names and name not in names}
    return {other.get(name, name): value for name, value in named.items()}


def called(row: Row, call: ast.Call, reader: Reader, receiver: Sequence[ast.expr] = ()) -> Arrays | None:
    """What the call of a function returns."""
    kind = KIND_OF.get(row.library)
    given = _given(call, reader, kind) if kind is not None else None
    if kind is None or given is None:
        return None
    positional, named = given
    return resolved(row, [*(list(reader.arguments(each, kind)) for each in receiver), *positional], named, reader)


def member(objects: Sequence[MadeObject], name: str, call: ast.Call | None, reader: Reader) -> Arrays | None:
    """The arrays of a method's result, or of an attribute, for any of these objects; None if a dtype is unknown."""
    return united_known(_member(each, name, call, reader) for each in objects)


def _member(one: MadeObject, name: str, call: ast.Call | None, reader: Reader) -> Arrays | None:
    if one.made.cls == MODULE and name == "param" and call is not None:
        return _parameter(call, reader)
    full_name = f"{one.made.cls}.{name}"
    drawing = functions.find(full_name)
    if drawing is not None:  # without arguments some methods return a Python number
        receiver = [call.func.value] if call is not None and isinstance(call.func, ast.Attribute) else []
        has_arguments = call is not None and bool(call.args or call.keywords)
        return called(drawing, call, reader, receiver) if call is not None and has_arguments else None
    row = around.find(full_name)
    kind = KIND_OF.get(row.library) if row is not None else None
    if row is None or kind is None:
        return None
    given = ([], {}) if call is None else _given(call, reader, kind)
    held = _held(one, kind)
    if given is None or held is None:
        return None
    wanted = {parameter.name for parameter in signature(row.signature).parameters}
    positional, named = given
    return resolved(row, positional, {**named, **{key: held[key] for key in held if key in wanted}}, reader)


def _held(one: MadeObject, kind: ArrayKind) -> dict[str, Choices] | None:
    """The arguments of the call that made an object; None if they do not fit."""
    if one.call is None or not one.made.signature:
        return {}
    parameters = signature(one.made.signature).parameters
    options = keywords(one.call, one.reader.scopes)
    places = [each.name for each in parameters if each.positional]
    names = {each.name for each in parameters}
    is_spread = any(isinstance(each, ast.Starred) for each in one.call.args)
    if is_spread or len(one.call.args) > len(places) or not names.issuperset(str(each.arg) for each in options):
        return None
    written = dict(zip(places, one.call.args, strict=False)) | {str(each.arg): each.value for each in options}
    found: dict[str, Choices] = {f"{OF}{name}": [Value(None)] for name in names}
    return found | {f"{OF}{name}": _named(name, value, one.reader, kind) for name, value in written.items()}


def _parameter(call: ast.Call, reader: Reader) -> Arrays | None:
    """`self.param(name, init, shape, dtype)`: what the initializer returns for the other arguments."""
    kind = KIND_OF["jax"]
    given = _given(call, reader, kind)
    if given is None or len(call.args) < 2:
        return None
    positional, named = given
    init, rest = call.args[1], [[UNKNOWN], *positional[2:]]
    row = around.row_of(reader.scopes.imported(init) or "")
    if row is not None:
        return resolved(row, rest, named, reader)
    made = reader.made(init)
    row = around.find(f"{INITIALIZER}.__call__")
    helds = [_held(each, kind) if each.made.cls == INITIALIZER else None for each in made]
    if row is None:
        return None
    return united_known(
        None if held is None else resolved(row, rest, {**named, f"{OF}dtype": held[f"{OF}dtype"]}, reader)
        for held in helds
    )


def _given(call: ast.Call, reader: Reader, kind: ArrayKind) -> tuple[list[Choices], dict[str, Choices]] | None:
    """The arguments of a call; None if it spreads one whose items are unknown."""
    options = keywords(call, reader.scopes)
    if None in [each.arg for each in options] or any(isinstance(each, ast.Starred) for each in call.args):
        return None
    positional: list[Choices] = [list(reader.arguments(each, kind)) for each in call.args]
    return positional, {str(each.arg): _named(str(each.arg), each.value, reader, kind) for each in options}


def _named(name: str, value: ast.expr, reader: Reader, kind: ArrayKind) -> Choices:
    """The arguments for a parameter with a name: `dtype="float32"` names a dtype."""
    text = value.value if isinstance(value, ast.Constant) and name.endswith("dtype") else None
    dtype = NUMPY_STRINGS.get(text) if isinstance(text, str) else None
    return list(reader.arguments(value, kind)) if dtype is None else [DtypeArgument(dtype)]
