"""Propose annotations for the files of a program: those with which mypy and the plugin report no new error."""

import ast
import codecs
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from mypy.types import get_proper_type

from promo_mypy.annotating.edits import Edited, with_annotations
from promo_mypy.annotating.formatters import formatted_like
from promo_mypy.annotating.spellings import Names, Style
from promo_mypy.annotating.wishes import FunctionWishes, TupleWish, Wish, returned_tuples, wishes_of
from promo_mypy.checking import runs
from promo_mypy.checking.plugin import RunSettings
from promo_mypy.config import Config
from promo_mypy.fixing.changes import Change
from promo_mypy.plugin.interface.arrays import library_of
from promo_mypy.program.checked.arrays import united
from promo_mypy.program.checked.modules import Known
from promo_mypy.program.checked.program import check
from promo_mypy.program.model import ModuleModel, models_of
from promo_mypy.rules.lattices.file_names import PYPROJECT
from promo_mypy.rules.profiles import Profile
from promo_mypy.rules.recorded_functions import recorded_functions

#: The most runs of mypy in search of annotations without a new error.
_ROUNDS: Final = 5
_ERROR: Final = re.compile(r"(?P<path>.+?):(?P<line>\d+):.* error: (?P<message>.*?) *\[(?P<code>[\w-]+)\]$")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A file with annotations, and the names of the annotated functions."""

    change: Change
    functions: frozenset[str]


@dataclass(frozen=True, slots=True)
class Proposals:
    """The files that change, and the functions left as they are with the errors that mypy would report."""

    files: tuple[Proposal, ...]
    dropped: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _File:
    """A file, its text and its wishes by line."""

    path: str
    text: str
    wishes: Mapping[int, FunctionWishes]

    def edited(self, style: Style, without: Set[tuple[str, str]]) -> Edited:
        wanted = {line: each for line, each in self.wishes.items() if (self.path, each.name) not in without}
        edited = with_annotations(self.text, wanted, style)
        if not edited.functions:
            return edited
        return replace(edited, text=formatted_like(self.text, edited.text, self.path))


def proposals(
    paths: Iterable[Path],
    config_file: Path | None,
    style: Style,
    progress: runs.Progress = runs.unheard,
    *,
    widen: bool = False,
) -> Proposals:
    """The annotations for files and folders, under the configuration that mypy finds if none is named.

    `widen`: whether a recorded dtype stands for all of its kind.

    Raises:
        CheckError: mypy stops before it has checked all files that it can parse.
        ConfigError: the user's options are invalid.
    """
    paths = tuple(paths)
    config = Config.load(runs.read(paths, config_file).options.config_file or PYPROJECT)
    models = models_of(check(paths, config_file=config_file, progress=progress))
    files = [_file(model, config.profile, widen) for model in models.values()]
    if style is Style.AUTO and any(Names(ast.parse(each.text), style).uses_jaxtyping for each in files):
        style = Style.JAXTYPING
    dropped: dict[tuple[str, str], str] = {}
    before = _errors(paths, config_file, {}, {each.path: each.text for each in files})
    for _ in range(_ROUNDS):
        edited = {each.path: each.edited(style, dropped.keys()) for each in files}
        texts = {path: each.text for path, each in edited.items() if each.functions}
        if not texts:
            break
        new = _errors(paths, config_file, texts, {**{each.path: each.text for each in files}, **texts}) - before
        if not new:
            return Proposals(tuple(_proposals(files, edited)), _refusals(dropped))
        for function, message in _to_blame(new, edited):
            dropped.setdefault(function, message)
    return Proposals((), _refusals(dropped))


def write(files: Iterable[Proposal]) -> None:
    """Write the files. Raises OSError."""
    for file in files:
        path = Path(file.change.name)
        content = path.read_bytes()
        mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
        ending = "\r\n" if b"\r\n" in content else "\n"
        path.write_bytes(mark + file.change.after.replace("\n", ending).encode("utf-8"))


@dataclass(frozen=True, slots=True)
class _Error:
    """An error: its file, its code, the function around it, the code of the line, and what mypy says."""

    path: str
    code: str
    function: str
    source: str
    message: str = field(compare=False)


def _file(model: ModuleModel, profile: Profile, widen: bool) -> _File:
    module = model.module
    text = Path(module.path).read_text(encoding="utf-8").removeprefix("\ufeff")
    functions = profile.of_module(module.name)
    wishes = {each.line: each for each in wishes_of(text, functions, dict(_inferred_results(model)), widen=widen)}
    return _File(module.path, text, wishes)


def _inferred_results(model: ModuleModel) -> Iterator[tuple[int, Wish | TupleWish]]:
    """Line of a function -> what it returns, if every returned expression is an array of known dtype."""
    module = model.module
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            columns = list(zip(*returned_tuples(node), strict=True))
            values = columns or [tuple(module.scopes.returned(node))]
            wishes = [_common([model.known(each) for each in column]) for column in values]
            found = [each for each in wishes if each is not None]
            if len(found) == len(wishes):
                yield node.lineno, TupleWish(tuple(found)) if columns else found[0]


def _common(expressions: Sequence[Known | None]) -> Wish | None:
    """What all of some expressions are; None if one is not known, or may be no array by its type."""
    known = [each for each in expressions if each is not None]
    types = [get_proper_type(typ) for each in known for typ in each.types]
    found = united(each.arrays for each in known)
    if found is None or not found.dtypes or len(found.libraries) > 1:
        return None
    if len(known) < len(expressions) or any(library_of(typ) is None for typ in types):
        return None
    return Wish(next(iter(found.libraries)).value, found.dtypes)


def _proposals(files: Iterable[_File], edited: Mapping[str, Edited]) -> Iterator[Proposal]:
    for file in files:
        after = edited[file.path]
        if after.functions:
            yield Proposal(Change(file.path, file.text, after.text), after.functions)


def _errors(
    paths: Iterable[Path], config_file: Path | None, changed: Mapping[str, str], texts: Mapping[str, str]
) -> Counter[_Error]:
    """mypy's errors, with the text of some files changed. `texts`: the text that mypy reads of each file."""
    request = runs.read(paths, config_file)
    with tempfile.TemporaryDirectory(prefix="promo-annotate-") as folder:
        shadows = []
        for number, (path, text) in enumerate(changed.items()):
            shadow = Path(folder) / f"{number}.py"
            shadow.write_text(text, encoding="utf-8")
            shadows.append([path, str(shadow)])
        request.options.shadow_file = shadows or None
        # The plugin must not use the profile: its lines are those of the text without annotations.
        settings = RunSettings(request.modules, lambda config: replace(config, profile=Profile()))
        messages = runs.run(request, settings).messages
    found = [match for match in map(_ERROR.match, messages) if match is not None]
    return Counter(_error(match, texts) for match in found)


def _error(found: re.Match[str], texts: Mapping[str, str]) -> _Error:
    path, line, code, message = found["path"], int(found["line"]), found["code"], found["message"]
    text = texts.get(path, "")
    lines = text.split("\n")
    source = lines[line - 1].strip() if line <= len(lines) else ""
    functions = [(each.node, each.function.name) for each in recorded_functions(ast.parse(text), lines)]
    around = [(node.lineno, name) for node, name in functions if node.lineno <= line <= (node.end_lineno or 0)]
    shown = re.sub(r"->.*|:.*", "", source) if around else source
    return _Error(path, code, max(around)[1] if around else "", shown, message)


def _to_blame(errors: Iterable[_Error], edited: Mapping[str, Edited]) -> Iterator[tuple[tuple[str, str], str]]:
    """The annotated functions that some errors come from: the one around an error, or those that its line names.

    Each comes with what mypy says.
    """
    annotated = [(path, name) for path, each in edited.items() for name in each.functions]
    for error in errors:
        if (error.path, error.function) in annotated:
            yield (error.path, error.function), error.message
            continue
        words = set(re.findall(r"\w+", error.source))
        named = [(path, name) for path, name in annotated if name.rpartition(".")[2] in words]
        blamed = named or [(path, name) for path, name in annotated if path == error.path] or annotated
        yield from ((function, error.message) for function in blamed)


def _refusals(dropped: Mapping[tuple[str, str], str]) -> tuple[str, ...]:
    return tuple(sorted(f"{path}: {name}: {message}" for (path, name), message in dropped.items()))
