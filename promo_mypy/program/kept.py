"""Kept answers of `infer` and `coverage`: an unchanged program is not checked again."""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from promo_mypy.checking.kept.plain import plain
from promo_mypy.checking.kept.questions import question_of
from promo_mypy.checking.kept.store import Question, Store
from promo_mypy.checking.run_facts import Watch
from promo_mypy.checking.runs import Progress, Request, read
from promo_mypy.config import Config, ConfigError
from promo_mypy.program.checked.program import Program, program_of
from promo_mypy.rules.lattices.file_names import PYPROJECT

Answer = TypeVar("Answer")


def answered(
    answers: type[Answer],
    of: Callable[[Program], Answer],
    paths: Iterable[Path],
    config_file: Path | None,
    progress: Progress,
    *,
    if_empty: bool = False,
) -> Answer:
    """An answer about files and folders that mypy checks, under the configuration that it finds.

    The plugin is on, even if the configuration does not list it. The named files are checked; others may come from
    mypy's cache. One run for many files is much faster than one run for each.

    Args:
        answers: the class of the answer.
        of: makes it for a program.
        paths: files and folders; empty for those that mypy's configuration names.
        config_file: mypy's configuration, if it is not the one that mypy finds.
        progress: called whenever a file is done.
        if_empty: whether the answer tells the dtypes that a call has only if a sequence in it is empty.

    Raises:
        CheckError: mypy stops before it has checked all files that it can parse.
    """
    watch = Watch()
    request = read(paths, config_file)
    kept = kept_answer(answers, request)
    if kept is not None:
        return kept
    store, question, config = _store(request), _question(answers, request), request.options.config_file or PYPROJECT
    answer = of(program_of(request, progress, if_empty=if_empty))
    with suppress(ConfigError):  # the options have just become invalid
        facts = watch.facts(request, Config.load(config).files(config), earlier=store.facts(question))
        if facts is not None:
            store.keep(question, facts, plain(answer))
    return answer


def kept_answer(answers: type[Answer], request: Request) -> Answer | None:
    """The kept answer about the files of a request, if nothing has changed since."""
    return _store(request).read(_question(answers, request), answers)


def _store(request: Request) -> Store:
    folder = request.options.cache_dir
    return Store(None if folder == os.devnull else Path(folder))


def _question(answers: type[Answer], request: Request) -> Question:
    options = request.options
    settings = [_text(sorted(options.snapshot().items())), _text(options.per_module_options)]
    sources = [[source.path, source.module] for source in request.sources]
    return question_of(answers.__name__.lower(), sources=sources, settings=settings)


def _text(value: object) -> str:
    """A text for a value of mypy's options, the same in every process."""
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(map(_text, value)))}}}"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_text(each)}' for key, each in sorted(value.items()))}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_text, value))}]"
    return repr(value)
