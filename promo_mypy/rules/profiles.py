"""Read, merge and write profiles: the dtypes that the values of a program had while it ran.

A profile holds places, not data. Each belongs to a function whose source is known by a digest, so that a place whose
code has changed is dropped. Lines are relative to the function, so that an edit above it changes nothing.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, field
from hashlib import sha256
from typing import Any, Final

from promo_mypy.rules.records import record

VERSION: Final = 1

#: The kinds of places.
PARAMETER: Final = "parameter"
RESULT: Final = "result"
ATTRIBUTE: Final = "attribute"
EXPRESSION: Final = "expression"

#: The forms of a value.
ARRAY: Final = "array"
ZERO_D: Final = "0-d"
SCALAR: Final = "scalar"

Span = tuple[int, int, int, int]
"""Line, column, end line and end column as in Python's `ast`, with lines from 0 within the function."""


class ProfileError(ValueError):
    """A file that is not a profile."""


@record
class Seen:
    """One kind of array that a place had.

    Attributes:
        library: the library, as in the option `system`.
        dtype: the name of the dtype, in the rules or, for a dtype that the rules do not have, in the library.
        weak: whether it is a weak dtype of JAX.
        form: `"array"`, `"0-d"` for an array without axes, or `"scalar"` for a scalar of NumPy.
    """

    library: str
    dtype: str
    weak: bool = False
    form: str = ARRAY


@record
class Place:
    """A place in a function.

    Attributes:
        kind: `"parameter"`, `"result"`, `"attribute"` or `"expression"`.
        name: the name of the parameter or attribute; empty for others.
        span: where the expression is; zeros for a parameter and a result.
    """

    kind: str
    name: str
    span: Span


@record
class Observations:
    """What a place had.

    Attributes:
        seen: the arrays, with how often each was seen.
        others: the names of the classes of other values, with how often.
        first: the test or program that reached the place first.
    """

    seen: Mapping[Seen, int]
    others: Mapping[str, int] = field(default_factory=dict)
    first: str = ""

    def plus(self, other: "Observations") -> "Observations":
        """The sum of both."""
        return Observations(
            dict(Counter(self.seen) + Counter(other.seen)),
            dict(Counter(self.others) + Counter(other.others)),
            self.first or other.first,
        )

    @property
    def total(self) -> int:
        """How many values were seen."""
        return sum(self.seen.values()) + sum(self.others.values())


@record
class Function:
    """A function of a module. Its name includes the classes around it, and is empty for the module's own statements.

    `source` is the digest of its source.
    """

    name: str
    source: str


Functions = Mapping[Function, Mapping[Place, Observations]]


@record
class Profile:
    """Module -> function -> place -> what was seen."""

    modules: Mapping[str, Functions] = field(default_factory=dict)

    def of_module(self, name: str) -> Functions:
        """What was seen in a module.

        A script that was run, or imported from its own folder, had a shorter name: `run` for `scripts.run`. What
        belongs to another module of that name has other digests.
        """
        parts = name.split(".")
        tails = (".".join(parts[first:]) for first in range(len(parts)))
        return next((self.modules[tail] for tail in tails if tail in self.modules), {})

    def digest(self, module: str) -> str:
        """A digest of what was seen in a module; empty if nothing was."""
        functions = self.of_module(module)
        if not functions:
            return ""
        return sha256(json.dumps(_functions_written(functions), sort_keys=True).encode()).hexdigest()

    @property
    def of_arrays(self) -> "Profile":
        """The profile without functions that saw no array."""
        modules = {
            module: {
                function: places
                for function, places in functions.items()
                if any(found.seen for found in places.values())
            }
            for module, functions in self.modules.items()
        }
        return Profile({module: functions for module, functions in modules.items() if functions})

    @property
    def summary(self) -> str:
        """How much was seen."""
        functions = [places for module in self.modules.values() for places in module.values()]
        return f"{sum(map(len, functions))} places in {len(functions)} functions of {len(self.modules)} modules"


def source_digest(lines: Sequence[str]) -> str:
    """The digest of a function from its lines, without the blanks at their ends."""
    text = "\n".join(line.rstrip() for line in lines)
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def lines_of(text: str) -> list[str]:
    """The lines of a source file, as Python's `ast` counts them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def merged(profiles: Iterable[Profile]) -> Profile:
    """One profile with everything that several runs have seen."""
    modules: dict[str, dict[Function, dict[Place, Observations]]] = {}
    for profile in profiles:
        for module, functions in profile.modules.items():
            for function, places in functions.items():
                known = modules.setdefault(module, {}).setdefault(function, {})
                for place, found in places.items():
                    known[place] = known[place].plus(found) if place in known else found
    return Profile(modules)


def profile_text(profile: Profile) -> str:
    """The profile as JSON, sorted, with one line for each place, so that it can be compared and committed."""
    modules = [
        f"{json.dumps(module)}: [\n{_lines(profile.modules[module])}\n]"
        for module in sorted(profile.modules)
        if profile.modules[module]
    ]
    return f'{{"version": {VERSION}, "modules": {{\n' + ",\n".join(modules) + "\n}}\n"


def _lines(functions: Functions) -> str:
    written = []
    for each in _functions_written(functions):
        places = ",\n  ".join(json.dumps(place) for place in each["places"])
        head = f'"function": {json.dumps(each["function"])}, "source": {json.dumps(each["source"])}'
        written.append(f' {{{head}, "places": [\n  {places}]}}')
    return ",\n".join(written)


def _functions_written(functions: Functions) -> list[dict[str, Any]]:
    return [
        {
            "function": function.name,
            "source": function.source,
            "places": [
                _place_written(place, functions[function][place]) for place in sorted(functions[function], key=_order)
            ],
        }
        for function in sorted(functions, key=lambda each: (each.name, each.source))
    ]


def _order(place: Place) -> tuple[str, Span, str]:
    return place.kind, place.span, place.name


def _place_written(place: Place, found: Observations) -> dict[str, Any]:
    seen = sorted(found.seen, key=lambda each: (each.library, each.dtype, each.weak, each.form))
    return {
        "kind": place.kind,
        "name": place.name,
        "place": list(place.span),
        "seen": [{**asdict(each), "count": found.seen[each]} for each in seen],
        "others": dict(sorted(found.others.items())),
        "first": found.first,
    }


def read_profile(text: str) -> Profile:
    """A profile from its JSON. Raises ProfileError."""
    try:
        content = json.loads(text)
        if content["version"] != VERSION:
            raise ProfileError(f"the profile has version {content['version']}, not {VERSION}")
        modules = {
            module: {
                Function(each["function"], each["source"]): dict(map(_place_read, each["places"])) for each in functions
            }
            for module, functions in content["modules"].items()
        }
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        if isinstance(error, ProfileError):
            raise
        raise ProfileError(f"not a profile of promo-mypy: {type(error).__name__}: {error}") from error
    return Profile(modules)


def _place_read(written: Mapping[str, Any]) -> tuple[Place, Observations]:
    line, column, end_line, end_column = map(int, written["place"])
    seen = {Seen(each["library"], each["dtype"], each["weak"], each["form"]): each["count"] for each in written["seen"]}
    place = Place(written["kind"], written["name"], (line, column, end_line, end_column))
    return place, Observations(seen, written["others"], written["first"])
