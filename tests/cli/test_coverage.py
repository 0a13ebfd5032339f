"""`promo-mypy coverage`: its counts, causes, formats and exit status."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.json_keys import keys
from tests.mypy_runs import ROOT, configuration
from tests.needed import needs
from tests.program.executed import run_command

PROGRAM = """\
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

import elsewhere
from pkg.made import doubled, made

F32 = npt.NDArray[np.float32]
T = TypeVar("T", bound=np.generic)
PATH: Any = ""

class Model:
    table: npt.NDArray[Any]

    def __init__(self, path: str) -> None:
        self.loaded = np.load(path)

    def use(self) -> None:
        self.loaded + 1
        self.table

def known(x: F32, y: npt.NDArray[np.floating], t: npt.NDArray[T], z: F32 | None) -> None:
    x + 1, y, t, z

def parameters(x: npt.NDArray[Any], q, n: int) -> None:
    y = x * 2
    y
    q + n
    q + made()
    y.shape, y.tolist(), len(y)

def calls(x: F32) -> None:
    a = np.load("a")
    a["b"], a["b"].T, -a, a.files, a.keys()
    first = x[0]
    first
    (first + 1).item()
    elsewhere.function(x)
    elsewhere.function(x) + x
    eval("x")

def unchecked(x):
    y = np.ones(3) + x
    return y.shape

def passed(x: F32) -> None:
    made().T
    np.stack([x, made()])

def casts() -> None:
    cast(np.ndarray, made())

def own() -> None:
    doubled([1])
"""
MADE = """\
import numpy as np

def made() -> np.ndarray:
    return np.load("made")

def doubled(x):
    return np.asarray(x) * 2
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Path:
    folder = tmp_path_factory.mktemp("coverage")
    (folder / "pyproject.toml").write_text(configuration(plugin_cache, "ignore_missing_imports = true", "elsewhere"))
    (folder / "pkg").mkdir()
    for name, text in {"__init__": "", "program": PROGRAM, "made": MADE}.items():
        (folder / "pkg" / f"{name}.py").write_text(text)
    return folder


@pytest.fixture(scope="module")
def content(folder: Path) -> dict[str, Any]:
    done = run_command(folder, "coverage", "pkg", "--format", "json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _of(content: dict[str, Any], path: str) -> dict[str, Any]:
    (found,) = [each for each in content["files"] if each["path"] == path]
    return dict(found)


OWN = "pkg.made.doubled() has no dtype in the annotation of its result"
UNCHECKED = "unchecked has no annotations, and mypy does not check it"


def _parameter(name: str, function: str) -> str:
    return f"parameter `{name}` of {function} has no dtype annotation"


#: The groups of array expressions.
GROUPS = ("exact", "several", "relative", "no_dtype", "unknown")

#: Line -> cause -> number of expressions that it makes unknown there.
CAUSES = {
    17: {"numpy.load()": 1},
    20: {"numpy.load()": 2},  # self.loaded, self.loaded + 1
    21: {"pkg.program.Model.table has no dtype annotation": 1},
    27: {_parameter("x", "parameters"): 1},  # x; x * 2 is relative to it
    28: {},
    29: {},  # q has an unknown type, so that it may be no array.
    30: {"numpy.load()": 2},  # q + made(), made()
    31: {},  # y, thrice, is relative to x; no y.tolist()
    34: {"numpy.load()": 1},
    35: {"numpy.load()": 9},  # a, five times; a["b"], twice; .T; -a; no a.files
    36: {},  # x[0] is a float32, whatever its shape.
    37: {},
    38: {},  # first, first + 1; no item()
    39: {},  # A function outside the array libraries may return anything.
    40: {"elsewhere.function is of unknown type": 1},
    41: {},
    44: {},  # np.ones(3) + x is relative to x; np.ones(3) is known
    45: {},  # y; no y.shape
    48: {"numpy.load()": 2},
    49: {"numpy.load()": 2},  # made(), np.stack([x, made()])
    52: {"numpy.load()": 2},  # made(), cast(np.ndarray, made())
    55: {OWN: 1},
}


def test_what_is_unknown_and_why(content: dict[str, Any]) -> None:
    found: dict[int, dict[str, int]] = {line: {} for line in CAUSES}
    for cause in _of(content, "pkg/program.py")["causes"]:
        for line in cause["lines"]:
            found.setdefault(line, {})[cause["text"]] = cause["lines"].count(line)
    assert found == CAUSES


def test_the_figures_add_up(content: dict[str, Any]) -> None:
    program = _of(content, "pkg/program.py")
    unknown = sum(count for causes in CAUSES.values() for count in causes.values())
    # Exact are x, x + 1 and z in line 24, x in five other places, results of x[0], and np.ones(3); several has y;
    # relative are t, what is computed from x in `parameters`, and from x in `unchecked`.
    assert [program[key] for key in GROUPS] == [13, 1, 8, 0, unknown]
    for each in (content, *content["files"], content["annotated"], *(file["annotated"] for file in content["files"])):
        assert each["expressions"] == sum(each[key] for key in GROUPS)
    # In calls() and passed(), whose parameters have one dtype, except for x + 1 with y and t.
    assert program["annotated"]["exact"] == 9
    assert program["annotated"]["unknown"] == sum(sum(CAUSES[line].values()) for line in (*range(34, 42), 48, 49))
    for each in (content, *content["files"]):
        assert sum(cause["count"] for cause in each["causes"]) == each["unknown"]
        assert [cause["count"] for cause in each["causes"]] == sorted(
            (c["count"] for c in each["causes"]), reverse=True
        )
    for key in ("expressions", *GROUPS):
        assert content[key] == sum(each[key] for each in content["files"])
    assert content["percent"] == round(100 * (1 - content["unknown"] / content["expressions"]), 2)
    assert _of(content, "pkg/__init__.py")["percent"] == 100


@pytest.fixture(scope="module")
def skipping(folder: Path, plugin_cache: Path) -> dict[str, Any]:
    """The figures if functions without annotations are skipped."""
    skipped = '[tool.promo-mypy]\nuntyped_functions = "skip"\n'
    settings = configuration(plugin_cache, "ignore_missing_imports = true", "elsewhere")
    (folder / "skip.toml").write_text(settings + skipped)
    done = run_command(folder, "coverage", "pkg", "--format", "json", "--config-file", "skip.toml")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.slow
def test_functions_without_annotations_are_unknown_if_they_are_skipped(
    skipping: dict[str, Any], content: dict[str, Any]
) -> None:
    causes = {cause["text"]: cause for cause in _of(skipping, "pkg/program.py")["causes"]}
    assert causes[UNCHECKED]["lines"] == [44, 44, 45]
    assert skipping["expressions"] == content["expressions"]


@pytest.mark.slow
def test_text_ranks_the_causes(folder: Path, content: dict[str, Any]) -> None:
    done = run_command(folder, "coverage", "pkg")
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["arrays", "exact", "several", "relative", "no", "dtype", "unknown", "known"]
    rows = {words[0]: words[1:] for line in lines[1:4] if (words := line.split())}
    keys = ("expressions", *GROUPS)
    assert rows["pkg/program.py"][:6] == [str(_of(content, "pkg/program.py")[key]) for key in keys]
    assert rows["all"][:6] == [str(content[key]) for key in keys]
    assert "pkg/__init__.py" not in rows
    ranked = [tuple(line.split(maxsplit=1)) for line in lines[6:-3]]
    assert ranked == [(str(cause["count"]), cause["text"]) for cause in content["causes"]]
    assert re.fullmatch(
        r"[\d.]+ % of \d+ array expressions are known: .* exactly, .* relative to a parameter\.", lines[-2]
    )
    assert re.fullmatch(r"In functions that annotate exact dtypes: [\d.]+ % of \d+\.", lines[-1])
    assert run_command(folder, "coverage", "pkg/__init__.py").stdout == "No array expressions in 1 file.\n"


@pytest.mark.slow
def test_html_is_one_page_for_light_and_dark(folder: Path, content: dict[str, Any]) -> None:
    done = run_command(folder, "coverage", "pkg", "--format", "html", "-o", "coverage.html")
    assert (done.stdout, done.returncode) == ("", 0)
    page = (folder / "coverage.html").read_text()
    assert not re.search(r"https?:|<link|<script|src=|url\(|@import", page)
    assert "prefers-color-scheme:dark" in page
    assert page.count("<tr") == page.count("</tr>")
    for cause in content["causes"]:
        assert f'<td class="number">{cause["count"]}</td><td><code>{cause["text"]}</code></td>' in page
    assert "<td>17, 20, 30, 34, 35, 48, 49, 52</td>" in page


@pytest.mark.slow
@pytest.mark.parametrize(("more", "status"), [(-1, 0), (1, 1)])
def test_fail_under(more: int, status: int, folder: Path, content: dict[str, Any]) -> None:
    least = f"{content['percent'] + more:g}"
    done = run_command(folder, "coverage", "pkg", "--fail-under", least)
    assert done.returncode == status
    assert (f"% is less than {least} %" in done.stderr) == bool(status)


@pytest.mark.slow
def test_full_coverage_and_no_expressions_are_100_percent(folder: Path) -> None:
    (folder / "whole.py").write_text("import numpy as np\nx = np.float32(1) * 2\n")
    for file in ("whole.py", "pkg/__init__.py"):
        assert run_command(folder, "coverage", file, "--fail-under", "100").returncode == 0


@pytest.mark.slow
def test_json_has_the_keys_that_are_documented(folder: Path) -> None:
    (folder / "broken.py").write_text("x = (\n")
    earlier = run_command(folder, "coverage", "pkg", "--format", "json", "-o", "earlier.json")
    assert earlier.returncode == 0
    arguments = ("pkg", "broken.py", "--format", "json", "--against", "earlier.json")
    found = json.loads((folder / "earlier.json").read_text())
    found["files"][-1]["causes"][0]["places"].append([1, 0, 1, 1])  # gained since
    found["files"][-1]["causes"][0]["places"].pop(0)  # lost since
    (folder / "earlier.json").write_text(json.dumps(found))
    content = json.loads(run_command(folder, "coverage", *arguments).stdout)
    documented = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    (section,) = re.findall(r"^## The JSON of coverage\n(.*?)(?=^## |\Z)", documented, re.MULTILINE | re.DOTALL)
    rows = re.findall(r"^\| `(.*?)` \|", section, re.MULTILINE)
    assert sorted(dict.fromkeys(keys(content))) == sorted(rows)
    kinds = re.findall(r"`\"(\w+)\"`", next(line for line in section.splitlines() if "causes[].kind`" in line))
    from promo_mypy.program.counts import Kind

    assert kinds == list(Kind)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("missing.py",), "promo-mypy: error: missing.py: "),
        (("pkg", "--fail-under", "101"), "100"),
        (("pkg", "--format", "svg"), "'svg' is not one of 'text', 'json', 'html'"),
    ],
)
def test_misuse_is_reported_and_exits_with_2(arguments: tuple[str, ...], message: str, folder: Path) -> None:
    done = run_command(folder, "coverage", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in re.sub(r"[│\s]+", " ", done.stderr)


#: Parameters of functions with one array expression -> whether the function counts as one with exact dtypes.
SIGNATURES = {
    "x: F32": 1,
    "x: F32 | None, n: int": 1,
    "x: F32, *rest: F32": 1,
    "x: list[F32], y: F32": 1,
    "x: npt.NDArray[Any]": 0,
    "x: F32, y: npt.NDArray[np.floating]": 0,
    "x: F32, y: dict[str, npt.NDArray[Any]]": 0,
    "x: F32, y: Any": 0,
    "x: F32, y=1": 0,
    "x: F32, y: T": 0,
    "x: F32, y: N": 1,
    "n: int": 0,
}


def test_which_functions_annotate_exact_dtypes(folder: Path) -> None:
    header = (
        "from typing import Any, TypeVar\nimport numpy as np\nimport numpy.typing as npt\n"
        'F32 = npt.NDArray[np.float32]\nT = TypeVar("T")\nN = TypeVar("N", int, str)\n'
    )
    for number, signature in enumerate(SIGNATURES):
        text = f"class C:\n    @staticmethod\n    def f({signature}) -> None:\n        np.ones(3)\n"
        (folder / f"signature_{number:02}.py").write_text(header + text)
    done = run_command(
        folder, "coverage", "--format", "json", *(f"signature_{number:02}.py" for number in range(len(SIGNATURES)))
    )
    files = json.loads(done.stdout)["files"]
    found = {signature: file["annotated"]["expressions"] for signature, file in zip(SIGNATURES, files, strict=True)}
    assert found == SIGNATURES


def test_rejected_operations_have_no_dtype(folder: Path) -> None:
    header = "import numpy as np\nimport numpy.typing as npt\nMask = npt.NDArray[np.bool_]\n"
    (folder / "refused.py").write_text(f"{header}def f(x: Mask, y: Mask) -> None:\n    x - y\n    x & y\n")
    found = json.loads(run_command(folder, "coverage", "refused.py", "--format", "json").stdout)
    assert (found["expressions"], found["exact"], found["no_dtype"]) == (6, 5, 1)


@pytest.mark.slow
def test_a_dtype_that_depends_on_the_call_is_relative(folder: Path) -> None:
    (folder / "decided.py").write_text(
        "from typing import Annotated, Any\nimport numpy as np\nimport numpy.typing as npt\n"
        "from promo_runtime import Promote\nOpen = npt.NDArray[Any]\n"
        'def f(x: Open, y: Open, z: Open) -> Annotated[Open, Promote["x", "y"]]:\n'
        "    rows: Open = np.stack([x, -y])\n    rows + z\n    return rows * 2\n"
    )
    found = json.loads(run_command(folder, "coverage", "decided.py", "--format", "json").stdout)
    assert {cause["text"]: cause["lines"] for cause in found["files"][0]["causes"]} == {_parameter("z", "f"): [8]}
    assert (found["relative"], found["unknown"]) == (8, 1)


#: `x` has no dtype, and its own is unknown. What is computed from it and from known values follows from it. `shape` is
#: no array.
FOLLOWED = """\
import torch
from torch import Tensor, nn
def twice(y):
    return y * 2
def f(x: Tensor, size: int) -> tuple[Tensor, ...]:
    joined = torch.cat([x, x], dim=0)
    doubled = twice(joined)
    total = doubled.sum(dim=size)
    total = total + 1
    loaded = torch.load('f') * x
    other = torch.stack([x, loaded])
    shape = torch.broadcast_shapes(x.shape, (size, size))
    shape[-1:]
    return joined, doubled, total, loaded, other
def g(many: list[Tensor]) -> Tensor:
    kept = []
    for each in many:
        kept.append(torch.relu(each))
    return torch.cat(kept)
class Block(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.layer = nn.Linear(size, size)
    def forward(self, x: Tensor) -> Tensor:
        first, second = map(lambda part: part.relu(), self.layer(x).chunk(2))
        return torch.matmul(first, second)
class Net(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.block = Block(size)
    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(self.block(x))
"""


def test_what_follows_from_a_parameter_without_a_dtype_is_relative(folder: Path) -> None:
    needs("torch")
    (folder / "followed.py").write_text(FOLLOWED)
    found = json.loads(run_command(folder, "coverage", "followed.py", "--format", "json").stdout)
    lines = FOLLOWED.splitlines()
    unknown = {
        lines[line - 1][start:end] for cause in found["files"][0]["causes"] for line, start, _, end in cause["places"]
    }
    assert unknown == {"x", "torch.load('f') * x", "loaded", "torch.stack([x, loaded])", "other"}
    assert found["relative"] == 8


@pytest.mark.slow
def test_against_an_earlier_run(skipping: dict[str, Any], folder: Path, content: dict[str, Any]) -> None:
    (folder / "before.json").write_text(json.dumps(skipping))
    done = run_command(folder, "coverage", "pkg", "--format", "json", "--against", "before.json")
    against = json.loads(done.stdout)["against"]
    assert [(each["text"], each["count"]) for each in against["gained"]] == [(UNCHECKED, 3)]
    assert against["lost"] == []
    assert skipping["unknown"] - content["unknown"] == 3
    text = run_command(folder, "coverage", "pkg", "--against", "before.json").stdout
    assert "Gained, by the earlier cause:" in text
    assert "3 gained" in text.splitlines()[-1]


def test_against_needs_the_json_of_coverage(folder: Path) -> None:
    (folder / "other.json").write_text("[]")
    done = run_command(folder, "coverage", "pkg", "--against", "other.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "other.json is not the JSON" in done.stderr
