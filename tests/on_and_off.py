"""Compare mypy with the plugin and mypy without it: which errors are new, lost or reworded."""

import os
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.module_runs import run_module
from tests.mypy_runs import Message, environment, parse

# The plugin gives these two classes type parameters. Unknown ones, and the parameters themselves where mypy shows the
# class as an object, add no information.
_UNKNOWN_ARGUMENTS = re.compile(r"\b(?:Array\[(?:Any|DType)\]|Tensor\[(?:Any(?:, Any)?|DType, Rank)\])")
_CRASH = re.compile(r"INTERNAL ERROR|^Traceback \(most recent call last\)", re.MULTILINE)


class MypyFailedError(Exception):
    """mypy crashed, or ended without checking; the message holds its output."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What the plugin changes in mypy's errors.

    Errors are counted per file, line and error code. `new` are those beyond the stock count, `lost` those below it.
    `reworded` are pairs (stock, plugin) of equal count and different text, for example because a type is more exact.
    """

    new: tuple[Message, ...]
    lost: tuple[Message, ...]
    reworded: tuple[tuple[Message, Message], ...]
    errors_off: int
    errors_on: int


def check(
    folder: Path,
    arguments: Sequence[str],
    *,
    cache: Path,
    plugin: bool,
    settings: str,
    paths: Iterable[Path] = (),
    run: "Callable[..., subprocess.CompletedProcess[str]]" = run_module,
) -> tuple[Message, ...]:
    """The errors of one run of mypy in `folder`.

    Args:
        folder: working directory; the configuration file is written here.
        arguments: what to check, and flags.
        cache: mypy's cache directory; runs with and without the plugin must not share one.
        plugin: whether our plugin is configured.
        settings: lines for the section `[mypy]` of an ini file.
        paths: folders where mypy looks for the code first.
        run: runs a module; it has the signature of `run_module`.

    Raises:
        MypyFailedError: mypy crashed, or found nothing to check.
    """
    configuration = folder / ("mypy-on.ini" if plugin else "mypy-off.ini")
    plugins = "plugins = promo_mypy.plugin\n" if plugin else ""
    configuration.write_text(f"[mypy]\n{plugins}{settings}\n", encoding="utf-8")
    variables = environment()
    variables["MYPYPATH"] = os.pathsep.join([*map(str, paths), variables["MYPYPATH"]])
    command = ["--config-file", str(configuration), "--cache-dir", str(cache), "--show-traceback"]
    command += ["--no-color-output", "--no-pretty", "--hide-error-context", *arguments]
    done = run("mypy", *command, folder=folder, variables=variables)
    output = done.stdout + done.stderr
    messages = tuple(message for message in parse(output) if message.severity == "error")
    # mypy exits with 1 after errors in the code, with 2 after a crash, a wrong option or a file that it cannot read.
    if done.returncode not in (0, 1) or _CRASH.search(output):
        raise MypyFailedError(f"mypy {' '.join(command)}\nended with {done.returncode}:\n{output[-8000:]}")
    return messages


def difference(off: Iterable[Message], on: Iterable[Message]) -> Difference:
    """Compare the errors of a run without the plugin and of one with it, line by line."""
    places_off, places_on = _by_place(off), _by_place(on)
    new: list[Message] = []
    lost: list[Message] = []
    reworded: list[tuple[Message, Message]] = []
    for place in sorted({*places_off, *places_on}, key=str):
        before, after = _without_common(places_off.get(place, []), places_on.get(place, []))
        reworded += zip(before, after, strict=False)
        new += after[len(before) :]
        lost += before[len(after) :]
    return Difference(
        tuple(new),
        tuple(lost),
        tuple(reworded),
        sum(map(len, places_off.values())),
        sum(map(len, places_on.values())),
    )


def normalised(text: str) -> str:
    """A message with array classes of unknown dtype spelled as stock mypy spells them."""
    previous = ""
    while text != previous:
        previous, text = text, _UNKNOWN_ARGUMENTS.sub(lambda match: match[0].partition("[")[0], text)
    return text


def lines_of(messages: Iterable[Message]) -> Mapping[str, set[int]]:
    """File -> lines that have a message."""
    lines: defaultdict[str, set[int]] = defaultdict(set)
    for message in messages:
        lines[message.file].add(message.line)
    return lines


def _by_place(messages: Iterable[Message]) -> dict[tuple[str, int, str | None], list[Message]]:
    places: defaultdict[tuple[str, int, str | None], list[Message]] = defaultdict(list)
    for message in messages:
        places[message.file, message.line, message.code].append(message)
    return places


def _without_common(before: list[Message], after: list[Message]) -> tuple[list[Message], list[Message]]:
    """Both lists without the messages that they share; normalised texts are compared, each as often as it occurs."""
    common = Counter(normalised(message.text) for message in before)
    common &= Counter(normalised(message.text) for message in after)
    return _subtract(before, common), _subtract(after, common)


def _subtract(messages: list[Message], common: Counter[str]) -> list[Message]:
    left, kept = Counter(common), []
    for message in messages:
        text = normalised(message.text)
        if left[text]:
            left[text] -= 1
        else:
            kept.append(message)
    return kept
