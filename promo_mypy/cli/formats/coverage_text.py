"""Write coverage for a terminal: a table of files, and the most frequent causes of unknown dtypes."""

from collections.abc import Iterator, Mapping
from typing import Final

from rich.text import Text

from promo_mypy.cli import output
from promo_mypy.cli.colours import ORANGE
from promo_mypy.cli.formats.check_text import counted
from promo_mypy.program.against import Comparison
from promo_mypy.program.counts import Cause, Counts, Coverage

#: The number of listed causes.
MOST: Final = 20
_UNKNOWN: Final = "What the unknown ones come from:"
#: The titles of `columns`.
HEADS: Final = ("arrays", "exact", "several", "relative", "no dtype", "unknown", "known")


def coverage_text(coverage: Coverage, against: Comparison | None = None) -> Text:
    """The files that have array expressions, their sum, and the most frequent causes of unknown dtypes."""
    sentences = (summary(coverage), annotated(coverage), compared(coverage, against))
    sums = [Text(text, style="bold") for text in sentences if text]
    if not coverage.counts.total:
        return Text("\n").join(sums)
    changes = _changes(against) if against is not None else ()
    return Text("\n").join([*_files(coverage), Text(), *_causes(coverage.causes, _UNKNOWN), *changes, *sums])


def summary(coverage: Coverage) -> str:
    """The sum in one sentence."""
    counts = coverage.counts
    if not counts.total:
        return f"No array expressions in {counted(len(coverage.files), 'file')}."
    return (
        f"{floored(counts.percent)} % of {counts.total} array expressions are known:"
        f" {floored(counts.share(counts.exact))} % exactly,"
        f" {floored(counts.share(counts.several))} % as one of several,"
        f" {floored(counts.share(counts.relative))} % relative to a parameter."
    )


def annotated(coverage: Coverage) -> str:
    """The sum over functions that annotate exact dtypes, in one sentence; empty without such functions."""
    counts = coverage.annotated
    if not counts.total:
        return ""
    return f"In functions that annotate exact dtypes: {floored(counts.percent)} % of {counts.total}."


def compared(coverage: Coverage, against: Comparison | None) -> str:
    """The difference from an earlier run in one sentence; empty without one."""
    if against is None:
        return ""
    gained, lost = sum(against.gained.values()), sum(against.lost.values())
    shares = f"{floored(against.percent)} % -> {floored(coverage.counts.percent)} %"
    total = coverage.counts.total
    changed = f" The earlier run had {against.total} array expressions." if against.total != total else ""
    return f"Against the earlier run: {shares}, {gained} gained, {lost} lost.{changed}"


def floored(percent: float) -> str:
    """A share with one digit, rounded down: 100 means all."""
    return f"{int(percent * 10) / 10:.1f}"


def columns(counts: Counts) -> tuple[str, ...]:
    """The columns of numbers: all array expressions, the groups of them, and the share that is known."""
    numbers = (counts.total, counts.exact, counts.several, counts.relative, counts.no_dtype, counts.unknown)
    return (*map(str, numbers), f"{floored(counts.percent)} %")


def _files(coverage: Coverage) -> Iterator[Text]:
    rows = [(file.path, file.counts) for file in coverage.files if file.counts.total]
    paths = max(4, *(len(path) for path, _ in rows))
    yield Text("  ".join([" " * paths, *(f"{head:>8}" for head in HEADS)]), style="bold")
    for path, counts in rows:
        yield Text(f"{path:<{paths}}  {_cells(counts)}", style="" if counts.unknown == 0 else ORANGE)
    if len(rows) > 1:
        yield Text(f"{'all':<{paths}}  {_cells(coverage.counts)}", style="bold")


def _cells(counts: Counts) -> str:
    return "  ".join(f"{figure:>8}" for figure in columns(counts))


def _changes(against: Comparison) -> Iterator[Text]:
    yield from _causes(against.gained, "Gained, by the earlier cause:")
    yield from _causes(against.lost, "Lost:")


def _causes(causes: Mapping[Cause, int], head: str) -> Iterator[Text]:
    if not causes:
        return
    yield Text(head, style="bold")
    for cause, count in list(causes.items())[:MOST]:
        text = cause.text
        width = max(20, output.width() - 9)
        yield Text(f"{count:>7}  {text if len(text) <= width else text[: width - 3] + '...'}")
    if len(causes) > MOST:
        rest = sum(list(causes.values())[MOST:])
        yield Text(f"{rest:>7}  {len(causes) - MOST} other causes")
    yield Text()
