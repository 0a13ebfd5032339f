"""Find mypy's errors whose cause is a dtype: the declared type and the inferred type differ only in dtypes."""

import re
from dataclasses import dataclass
from typing import Final

from promo_mypy.plugin.types.type_texts import ArrayText, TypeText, array_of, fits, may_be, parsed

_TYPE: Final = r'"(?P<{}>[^"]*)"'
_GIVEN, _WANTED = _TYPE.format("given"), _TYPE.format("wanted")
_KEY: Final = r'(?:"[^"]*": )?'
#: The classes of what names a dtype: `np.float32` is of `type[float32]`, `x.dtype` is of `dtype[float32]`.
_NAMING: Final = frozenset({"type", "dtype"})

#: mypy's messages about two types -> what has the first type, in our words.
_MESSAGES: Final = tuple(
    (re.compile(pattern), subject)
    for pattern, subject in (
        (rf"Incompatible return value type \(got {_GIVEN}, expected {_WANTED}\)", "the returned value"),
        (
            rf'Argument (?P<which>\S+) to "(?P<function>[^"]*)"(?: of "[^"]*")? has incompatible type {_GIVEN};'
            rf" expected {_WANTED}",
            "argument {which} of {function}",
        ),
        (rf"Argument (?P<which>\S+) has incompatible type {_GIVEN}; expected {_WANTED}", "argument {which}"),
        (
            rf'Incompatible default for (?:parameter|argument) "(?P<name>\w+)" \(default has type {_GIVEN},'
            rf" (?:parameter|argument) has type {_WANTED}\)",
            "the default of `{name}`",
        ),
        (
            rf"Incompatible types in assignment \(expression has type {_GIVEN}, (?:variable|target|attribute) has type"
            rf" {_WANTED}\)",
            "the assigned value",
        ),
        (
            rf'Incompatible types in assignment \(expression has type {_GIVEN}, base class "(?P<base>[^"]*)" defined'
            rf" the type as {_WANTED}\)",
            "the assigned value",
        ),
        (rf"(?P<which>List|Set|Tuple) item (?P<number>\d+) has incompatible type {_GIVEN}; expected {_WANTED}",
         "item {number}"),
        (
            rf"Dict entry (?P<number>\d+) has incompatible type {_KEY}{_GIVEN}; expected {_KEY}{_WANTED}",
            "the value of entry {number}",
        ),
        (
            rf'Incompatible types \(expression has type {_GIVEN}, TypedDict item "(?P<name>[^"]*)" has type'
            rf" {_WANTED}\)",
            "the value of `{name}`",
        ),
        (rf'Incompatible types in "yield" \(actual type {_GIVEN}, expected type {_WANTED}\)', "the yielded value"),
        (rf'Incompatible return value type in "yield" \(got {_GIVEN}, expected {_WANTED}\)', "the yielded value"),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A value whose dtype is not the declared one.

    Attributes:
        subject: the value in words.
        inferred: the array that it is.
        declared: the array that is declared.
        inside: whether the array is only a part of the value: of a tuple, a list, or a function's parameters.
    """

    subject: str
    inferred: ArrayText
    declared: ArrayText
    inside: bool


def mismatch_in(message: str) -> Mismatch | None:
    """The mismatch of dtypes that one of mypy's messages reports; None for any other message."""
    for pattern, subject in _MESSAGES:
        match = pattern.fullmatch(message)
        if match is None:
            continue
        given, wanted = parsed(match["given"]), parsed(match["wanted"])
        pairs = _different(given, wanted)
        if not pairs:
            return None
        inferred, declared = pairs[0]
        if may_be(inferred, declared):
            return None
        named = {name: text for name, text in match.groupdict().items() if name not in ("given", "wanted")}
        return Mismatch(subject.format(**named), inferred, declared, not _is_array(given))
    return None


def _is_array(typ: TypeText) -> bool:
    return all(array_of(member) is not None for member in _members(typ))


def _different(given: TypeText, wanted: TypeText) -> list[tuple[ArrayText, ArrayText]] | None:
    """The arrays in which two types differ only by dtype; None if they differ in anything else.

    What names a dtype is no array, and mypy infers it where nobody declares a dtype: for `dtype = np.float32`.
    """
    if given == wanted:
        return []
    if not _NAMING.isdisjoint((given.plain_name, wanted.plain_name)):
        return None
    if "|" in (given.name, wanted.name):
        return _different_members(given, wanted)
    inferred, declared = array_of(given), array_of(wanted)
    if inferred is not None and declared is not None:
        if inferred.array != declared.array:
            return None
        return [] if fits(inferred, declared) else [(inferred, declared)]
    if given.name != wanted.name or len(given.arguments) != len(wanted.arguments) or not given.arguments:
        return None
    found = []
    for one, other in zip(given.arguments, wanted.arguments, strict=True):
        pairs = _different(one, other)
        if pairs is None:
            return None
        found += pairs
    return found


def _different_members(given: TypeText, wanted: TypeText) -> list[tuple[ArrayText, ArrayText]] | None:
    found = []
    for member in _members(given):
        outcomes = [_different(member, each) for each in _members(wanted)]
        if [] in outcomes:
            continue
        differences = [outcome for outcome in outcomes if outcome]
        if not differences:
            return None
        found += differences[0]
    return found


def _members(typ: TypeText) -> tuple[TypeText, ...]:
    return typ.arguments if typ.name == "|" else (typ,)
