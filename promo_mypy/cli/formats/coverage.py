"""Write coverage: as text, as an HTML page, and as JSON in the form of docs/command-line.md."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any, Final

from rich.text import Text

from promo_mypy.cli import output
from promo_mypy.cli.colours import GREEN, ORANGE
from promo_mypy.cli.formats.check_text import counted
from promo_mypy.cli.formats.html_page import code, page, paragraphs, section, table
from promo_mypy.program.against import Comparison
from promo_mypy.program.counts import Cause, Counts, Coverage, FileCoverage

#: Increases when a key of the JSON changes its meaning or is removed, not when a key is added.
VERSION: Final = 2
#: The number of listed causes.
_MOST: Final = 20
_UNKNOWN: Final = "What the unknown ones come from:"
#: The titles of `columns`.
_HEADS: Final = ("arrays", "exact", "several", "relative", "no dtype", "unknown", "known")
_STYLE: Final = f"""
.bar{{display:flex;width:9rem;height:.8rem;border:1px solid var(--quiet);border-radius:3px;overflow:hidden;\
margin:.3rem 0}}
.exact{{background:{GREEN}}}.several{{background:repeating-linear-gradient(45deg,{GREEN} 0 3px,var(--page) 3px 6px)}}
.key{{display:inline-block;width:1.4rem;height:.8rem;border:1px solid var(--quiet);vertical-align:-.05rem;\
margin:0 .3rem 0 1rem}}
"""
_KEYS: Final = (
    '<p>Share of the array expressions that have<span class="key exact"></span>exactly one possible dtype,'
    '<span class="key several"></span>one of several known ones or that of a parameter,'
    '<span class="key"></span>an unknown one.</p>'
)


def coverage_text(coverage: Coverage, against: Comparison | None = None) -> Text:
    """The files that have array expressions, their sum, and the most frequent causes of unknown dtypes."""
    sentences = (_summary(coverage), _annotated(coverage), _compared(coverage, against))
    sums = [Text(text, style="bold") for text in sentences if text]
    if not coverage.counts.total:
        return Text("\n").join(sums)
    changes = _changes(against) if against is not None else ()
    return Text("\n").join([*_files(coverage), Text(), *_causes(coverage.causes, _UNKNOWN), *changes, *sums])


def _summary(coverage: Coverage) -> str:
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


def _annotated(coverage: Coverage) -> str:
    """The sum over functions that annotate exact dtypes, in one sentence; empty without such functions."""
    counts = coverage.annotated
    if not counts.total:
        return ""
    return f"In functions that annotate exact dtypes: {floored(counts.percent)} % of {counts.total}."


def _compared(coverage: Coverage, against: Comparison | None) -> str:
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


def _columns(counts: Counts) -> tuple[str, ...]:
    """The columns of numbers: all array expressions, the groups of them, and the share that is known."""
    numbers = (counts.total, counts.exact, counts.several, counts.relative, counts.no_dtype, counts.unknown)
    return (*map(str, numbers), f"{floored(counts.percent)} %")


def _files(coverage: Coverage) -> Iterator[Text]:
    rows = [(file.path, file.counts) for file in coverage.files if file.counts.total]
    paths = max(4, *(len(path) for path, _ in rows))
    yield Text("  ".join([" " * paths, *(f"{head:>8}" for head in _HEADS)]), style="bold")
    for path, counts in rows:
        yield Text(f"{path:<{paths}}  {_cells(counts)}", style="" if counts.unknown == 0 else ORANGE)
    if len(rows) > 1:
        yield Text(f"{'all':<{paths}}  {_cells(coverage.counts)}", style="bold")


def _cells(counts: Counts) -> str:
    return "  ".join(f"{figure:>8}" for figure in _columns(counts))


def _changes(against: Comparison) -> Iterator[Text]:
    yield from _causes(against.gained, "Gained, by the earlier cause:")
    yield from _causes(against.lost, "Lost:")


def _causes(causes: Mapping[Cause, int], head: str) -> Iterator[Text]:
    if not causes:
        return
    yield Text(head, style="bold")
    for cause, count in list(causes.items())[:_MOST]:
        text = cause.text
        width = max(20, output.width() - 9)
        yield Text(f"{count:>7}  {text if len(text) <= width else text[: width - 3] + '...'}")
    if len(causes) > _MOST:
        rest = sum(list(causes.values())[_MOST:])
        yield Text(f"{rest:>7}  {len(causes) - _MOST} other causes")
    yield Text()


def coverage_html(coverage: Coverage, against: Comparison | None = None) -> str:
    """The page: a table of files, the causes of all, and for each file its causes with their lines."""
    left_out = (f"Left out: {each}" for each in coverage.left_out)
    body = [*paragraphs((_summary(coverage), _annotated(coverage), _compared(coverage, against), *left_out))]
    if coverage.counts.total:
        rows = [_row(file.path, file.counts) for file in coverage.files if file.counts.total]
        heads = [head.capitalize() for head in _HEADS]
        body += [_KEYS, *table("Files", ["File", "Share", *heads], [*rows, _row("All", coverage.counts)], heads)]
    if coverage.causes:
        causes = ((str(count), code(cause.text)) for cause, count in coverage.causes.items())
        body += ["<h2>What the unknown ones come from</h2>", *table("Causes", ("Count", "Cause"), causes)]
        body += ["<h2>By file</h2>", *(line for file in coverage.files if file.causes for line in _causes_of(file))]
    return page("Known dtypes", body, _STYLE)


def _row(name: str, counts: Counts) -> tuple[str, ...]:
    shares = [("exact", counts.share(counts.exact)), ("several", counts.share(counts.several + counts.relative))]
    parts = "".join(f'<div class="{name}" style="width:{share:.2f}%"></div>' for name, share in shares)
    return code(name), f'<div class="bar" aria-hidden="true">{parts}</div>', *_columns(counts)


def _causes_of(file: FileCoverage) -> Iterator[str]:
    rows = (
        (str(len(places)), code(cause.text), ", ".join(dict.fromkeys(str(place.line) for place in places)))
        for cause, places in file.causes.items()
    )
    causes = table(file.path, ("Count", "Cause", "Lines"), rows)
    return section(file.path, f"{file.counts.unknown} unknown", causes, is_open=False)


def coverage_json(coverage: Coverage, against: Comparison | None = None) -> str:
    """The figures as one JSON object."""
    content: dict[str, Any] = {
        "version": VERSION,
        **_counts(coverage.counts),
        "annotated": _counts(coverage.annotated),
        "causes": _counted(coverage.causes),
        "files": [
            {
                "path": file.path,
                **_counts(file.counts),
                "annotated": _counts(file.annotated),
                "causes": [
                    {
                        **_cause(cause),
                        "count": len(places),
                        "lines": [place.line for place in places],
                        "places": list(places),
                    }
                    for cause, places in file.causes.items()
                ],
            }
            for file in coverage.files
        ],
        "left_out": [asdict(each) for each in coverage.left_out],
    }
    if against is not None:
        content["against"] = {
            "expressions": against.total,
            "percent": against.percent,
            "gained": _counted(against.gained),
            "lost": _counted(against.lost),
        }
    return json.dumps(content, indent=1, ensure_ascii=False)


def _counts(counts: Counts) -> dict[str, float]:
    return {
        "expressions": counts.total,
        "exact": counts.exact,
        "several": counts.several,
        "relative": counts.relative,
        "no_dtype": counts.no_dtype,
        "unknown": counts.unknown,
        "percent": round(counts.percent, 2),
    }


def _counted(causes: Mapping[Cause, int]) -> list[dict[str, Any]]:
    return [{**_cause(cause), "count": count} for cause, count in causes.items()]


def _cause(cause: Cause) -> dict[str, Any]:
    return {"kind": cause.kind.value, "name": cause.name, "text": cause.text}
