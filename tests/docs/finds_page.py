"""Small programs with one mistake each -> the page `docs/what-it-finds.md`.

A program in `finds/` begins with its title and an explanation. One line has a comment `# Write: ...`, the remedy, which
stands in place of the line in the mended program. Comments at the end say how the program is executed: `Run`, an
expression; `Happens`, what it raises, warns of or gives; `Mended`, what the mended program gives; `Option`, a line of
`[tool.promo-mypy]`.
"""

import ast
import builtins
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.mypy_runs import ROOT, Message, override, run_mypy
from tests.source_lines import statement_around

PAGE = ROOT / "docs" / "what-it-finds.md"
FOLDER = Path(__file__).parent / "finds"

#: Section -> its programs, in order.
SECTIONS: Mapping[str, tuple[str, ...]] = {
    "Operations that the library rejects": (
        *("operators", "functions", "requests", "matrix_products", "indices", "conversions"),
        *("layers", "losses", "derivatives", "loops", "branches", "autocast"),
    ),
    "Numbers that do not fit": ("python_numbers", "stored_numbers", "missing_values", "elements", "wrapping"),
    "Writes into an array": ("in_place", "out_arrays", "writes", "updates", "fractions"),
    "Another dtype than declared": ("results", "defaults", "scalars", "arguments", "attributes"),
    "Dtypes that cost memory": ("widening", "forbidden"),
    "Digits that are lost": ("digits", "integers", "truncation", "groups"),
    "Annotations and other libraries": ("contradictions", "portability"),
}
NAMES = tuple(name for names in SECTIONS.values() for name in names)

_INTRODUCTION = """\
# What it finds

Each kind of dtype mistake: a small program, what mypy reports under the plugin, what happens when the program runs, and
the remedy. [`promo-mypy check`](check.md) reports the same mistakes without a configuration of mypy.
[Diagnostics](diagnostics.md) has the rules for each code.
"""

_ENDS = ("Run", "Happens", "Mended", "Option")
_REMEDY = re.compile(r"^( *)(.*?)  # Write: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Find:
    """One program: what the page shows of it, and how it is executed."""

    name: str
    title: str
    explanation: str
    source: str
    mended: str
    remedy: str
    lines: range
    """The lines of the statement with the mistake."""
    run: str
    happens: str
    gives: str
    option: str

    @property
    def libraries(self) -> list[str]:
        """The optional libraries that it needs."""
        return [each for each in ("jax", "jaxtyping", "torch") if re.search(rf"\b{each}\b", self.source + self.run)]


def read(name: str) -> Find:
    """A program of the folder."""
    text = (FOLDER / f"{name}.py.txt").read_text(encoding="utf-8")
    title, _, explanation = (ast.get_docstring(ast.parse(text)) or "").partition("\n\n")
    ends = {key: "".join(re.findall(rf"^# {key}: (.*)$", text, re.MULTILINE)) for key in _ENDS}
    code = re.split(r"^# Run: ", text.split('"""', 2)[2], maxsplit=1, flags=re.MULTILINE)[0].strip() + "\n"
    (found,) = _REMEDY.finditer(code)
    return Find(
        name=name,
        title=title.rstrip("."),
        explanation=explanation,
        source=_REMEDY.sub(r"\1\2", code),
        mended=_REMEDY.sub(r"\1\3", code),
        remedy=found[3].rstrip(","),
        lines=statement_around(code, code.count("\n", 0, found.start()) + 1),
        run=ends["Run"],
        happens=ends["Happens"],
        gives=ends["Mended"],
        option=ends["Option"],
    )


def messages(finds: Iterable[Find], folder: Path, cache: Path) -> dict[str, list[Message]]:
    """mypy's errors for each program, and for each mended one under its name with `_mended`. One run for all."""
    overrides, files = "", []
    for find in finds:
        for name, source in ((find.name, find.source), (f"{find.name}_mended", find.mended)):
            (folder / f"{name}.py").write_text(source, encoding="utf-8")
            files.append(f"{name}.py")
            overrides += override(name, find.option) if find.option else ""
    run = run_mypy(folder, *files, cache=cache, options=overrides)
    found: dict[str, list[Message]] = {file.removesuffix(".py"): [] for file in files}
    for error in run.errors():
        found[error.file.removesuffix(".py")].append(error)
    return found


def outcome(find: Find, *, mended: bool = False) -> str:
    """Execute a program: what it raises, warns of or gives."""
    names: dict[str, Any] = {
        library: import_module(library) for library in ("jax", "torch") if library in find.libraries
    }
    exec(find.mended if mended else find.source, names)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            value = eval(find.run, names)
        except Exception as error:
            # NumPy has private classes below Python's own.
            return next(each.__name__ for each in type(error).__mro__ if each.__module__ == "builtins")
    told = [each.category.__name__ for each in warned if issubclass(each.category, FutureWarning)]
    return told[0] if told else _kind(value)


def _kind(value: object) -> str:
    if value is None:
        return "None"
    return str(getattr(value, "dtype", type(value).__name__)).removeprefix("torch.")


def section(find: Find, errors: Iterable[Message]) -> str:
    """What the page says about one program."""
    told = [f"{each.file}:{each.line}: {each.severity}: {each.text}  [{each.code}]" for each in errors]
    option = ["", "```toml", "[tool.promo-mypy]", find.option, "```"] if find.option else []
    return "\n".join(
        [
            f"### {find.title}",
            "",
            find.explanation,
            *option,
            *("", "```python", find.source.rstrip(), "```"),
            *("", "```text", *told, "```"),
            *("", f"{_happens(find.happens)} Remedy:"),
            *("", "```python", find.remedy, "```", ""),
        ]
    )


def _happens(what: str) -> str:
    if what == "None":
        return "It runs, and nothing is said."
    kind = getattr(builtins, what, None)
    if kind is not None and issubclass(kind, Warning):
        return f"It runs with a `{what}`."
    return f"It raises `{what}`." if kind is not None else f"It runs, and the result is {what}."


def page(told: Mapping[str, list[Message]]) -> str:
    """The whole page."""
    return "\n".join(_parts(told))


def _parts(told: Mapping[str, list[Message]]) -> Iterator[str]:
    yield _INTRODUCTION
    for title, names in SECTIONS.items():
        yield f"## {title}\n"
        yield from (section(read(name), told[name]) for name in names)
