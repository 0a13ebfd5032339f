"""Kept answers of `infer` and `coverage`: an unchanged program is not checked again."""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from promo_mypy.checking.kept.plain import plain, reader
from promo_mypy.checking.kept.questions import question_of
from promo_mypy.checking.kept.store import Question, Store
from promo_mypy.checking.run_facts import Watch
from promo_mypy.checking.runs import Progress, Request, read
from promo_mypy.config import Config, ConfigError
from promo_mypy.program.checked.program import Program, program_of
from promo_mypy.program.following.followed import followed
from promo_mypy.rules.lattices.file_names import PYPROJECT

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Asked(Generic[Answer]):
    """A question about a program, and the place of its kept answer.

    Attributes:
        answers: the class of the answer.
        store: where it is kept.
        question: the question.
        config_file: mypy's configuration, beside which the options are.
        watch: the run from its beginning.
    """

    answers: type[Answer]
    store: Store
    question: Question
    config_file: str
    watch: Watch = field(default_factory=Watch)

    @classmethod
    def about(cls, answers: type[Answer], paths: Iterable[Path], config_file: Path | None) -> "Asked[Answer]":
        """The question about some files.

        Raises:
            CheckError: mypy rejects the paths or the configuration.
        """
        watch = Watch()
        request = read(paths, config_file)
        options = request.options
        settings = [_text(sorted(options.snapshot().items())), _text(options.per_module_options)]
        sources = [[source.path, source.module] for source in request.sources]
        question = question_of(answers.__name__.lower(), sources=sources, settings=settings)
        folder = None if options.cache_dir == os.devnull else Path(options.cache_dir)
        return cls(answers, Store(folder), question, options.config_file or PYPROJECT, watch)

    def answer(self) -> Answer | None:
        """The kept answer, if nothing has changed since."""
        try:
            answer = self.store.answer(self.question)
            return None if answer is None else reader(self.answers)(answer)
        except (TypeError, ValueError, LookupError):  # written by something else
            return None

    def keep(self, request: Request, answer: Answer) -> None:
        """Keep the answer to a finished request."""
        try:
            options = Config.load(self.config_file).files(self.config_file)
        except ConfigError:  # it has just become invalid
            return
        facts = self.watch.facts(request, options, earlier=self.store.facts(self.question))
        if facts is not None:
            self.store.keep(self.question, facts, plain(answer))


def answered(
    answers: type[Answer],
    of: Callable[[Program], Answer],
    paths: Iterable[Path],
    config_file: Path | None,
    progress: Progress,
) -> Answer:
    """An answer about files and folders that mypy checks, under the configuration that it finds.

    The plugin is on, even if the configuration does not list it. The named files are checked; others may come from
    mypy's cache. One run for many files is much faster than one run for each.

    Args:
        answers: the class of the answer.
        of: makes it for a program with the dtypes that follow from known ones.
        paths: files and folders; empty for those that mypy's configuration names.
        config_file: mypy's configuration, if it is not the one that mypy finds.
        progress: called whenever a file is done.

    Raises:
        CheckError: mypy stops before it has checked all files that it can parse.
    """
    paths = tuple(paths)
    asked = Asked.about(answers, paths, config_file)
    kept = asked.answer()
    if kept is not None:
        return kept
    request = read(paths, config_file)
    answer = of(followed(program_of(request, progress)))
    asked.keep(request, answer)
    return answer


def _text(value: object) -> str:
    """A text for a value of mypy's options, the same in every process."""
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(map(_text, value)))}}}"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_text(each)}' for key, each in sorted(value.items()))}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_text, value))}]"
    return repr(value)
