"""Every layout of a repository through all commands and the language server, in this process: mypy loads once."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from promo_mypy.linting.lint import lint
from promo_mypy.linting.request import LintRequest
from promo_mypy.port.survey import survey
from promo_mypy.program.coverage import coverage
from promo_mypy.program.infer import infer
from promo_mypy.rules.findings import Finding
from tests.layouts.trees import TREES, Tree
from tests.mypy_runs import configuration
from tests.needed import needs

#: The configuration of mypy for the other commands, beside the options of the tree.
CONFIGURATION = "mypy.toml"


#: The layouts of every run of the tests; the others are slow.
QUICK = ("tests with equal names",)


@pytest.fixture(params=[pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in TREES])
def tree(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plugin_cache: Path) -> Tree:
    found = TREES[request.param]
    if any(is_notebook(name) for name in found.files):
        needs("nbformat")
    folder = tmp_path / "repository"
    for name, content in found.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    for name, target in found.links.items():
        (folder / name).symlink_to((folder / target).absolute(), target_is_directory=(folder / target).is_dir())
    (tmp_path / CONFIGURATION).write_text(configuration(plugin_cache))
    monkeypatch.chdir(folder)
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX", "MYPYPATH"):
        monkeypatch.delenv(name, raising=False)
    return found


def files(tree: Tree) -> list[str]:
    """The Python files that are checked when the folder is; a stub stands for its module."""
    names = [name for name in tree.files if name.endswith((".py", ".pyi")) and f"{name}i" not in tree.files]
    return sorted(set(names) - tree.left_out)


def is_notebook(name: str) -> bool:
    """Whether a file is a notebook: only `check` and the server read them."""
    return name.endswith(".ipynb")


def in_files(tree: Tree) -> dict[str, str]:
    """What must be found in Python files."""
    return {name: dtype for name, dtype in tree.found.items() if not is_notebook(name)}


def named(findings: Iterable[Finding]) -> Mapping[str, str]:
    """Path -> the dtype that its finding names."""
    return {each.path: each.message.partition(" is ")[2].partition(" ")[0] for each in findings}


def request_of(cache: Path, *paths: str) -> LintRequest:
    return LintRequest(tuple(map(Path, paths)), cache=cache)


def test_check(tree: Tree, check_cache: Path) -> None:
    report = lint(request_of(check_cache, "."))
    assert named(report.findings) == tree.found
    assert sorted(each for each in report.files if each.endswith((".py", ".pyi"))) == files(tree)
    assert {each.path for each in report.left_out} == tree.left_out
    assert not any(each.reason.startswith("mypy stops at it, ") for each in report.left_out)


def test_check_of_single_files(tree: Tree, check_cache: Path) -> None:
    """What a file is called, and what it imports, does not depend on the other files of a run."""
    for name in tree.found:
        assert named(lint(request_of(check_cache, name)).findings) == {name: tree.found[name]}


def test_infer_and_port(tree: Tree) -> None:
    configured = Path("..", CONFIGURATION)
    inferred = infer([Path()], config_file=configured)
    dtypes = {(each.path, *each.dtypes) for each in inferred.expressions}
    # mypy without an answer for the import would know no dtype of the call.
    assert in_files(tree).items() <= dtypes
    assert {each.path for each in inferred.left_out} == tree.left_out
    ported = survey([Path()], "numpy", "torch", config_file=configured)
    assert ported.files == len(inferred.files) == len(files(tree))


def test_coverage(tree: Tree) -> None:
    counted = coverage([Path()], config_file=Path("..", CONFIGURATION))
    assert {each.path for each in counted.files} == set(files(tree))
    assert not counted.counts.unknown


def test_annotate(tree: Tree) -> None:
    needs("libcst")
    from promo_mypy.annotating.proposals import proposals
    from promo_mypy.annotating.spellings import Style

    for name in in_files(tree):
        text = Path(name).read_text(encoding="utf-8")
        Path(name).write_text(text.replace(" -> NDArray[np.float64]", "").replace(" -> NDArray[np.float32]", ""))
    found = proposals([Path()], Path("..", CONFIGURATION), Style.AUTO)
    assert {each.change.name for each in found.files} == in_files(tree).keys()


def test_the_server(tree: Tree, check_cache: Path) -> None:
    """The findings are those of the command, whichever file is opened first."""
    needs("pygls", "libcst")
    names = sorted(in_files(tree))
    for order in (names, names[::-1]):
        assert served(order, check_cache) == in_files(tree)


def test_a_package_elsewhere_that_mypypath_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plugin_cache: Path, check_cache: Path
) -> None:
    """mypy looks for imports in the folders of MYPYPATH, too: a file has one name there."""
    package, here = tmp_path / "elsewhere" / "own_package", tmp_path / "here"
    package.mkdir(parents=True)
    here.mkdir()
    (package / "__init__.py").write_text("")
    (package / "made.py").write_text("import numpy as np\n\nones = np.ones(3, np.float32)\n")
    (package / "user.py").write_text("from own_package.made import ones\n\nhalf = ones / 2\n")
    (here / CONFIGURATION).write_text(configuration(plugin_cache))
    monkeypatch.chdir(here)
    monkeypatch.setenv("MYPYPATH", str(package.parent))
    found = infer([package], config_file=Path(CONFIGURATION))
    assert [each.dtypes for each in found.expressions if each.path.endswith("user.py")] == [("float32",)] * 2
    assert coverage([package], config_file=Path(CONFIGURATION)).counts.exact == len(found.expressions)
    report = lint(request_of(check_cache, str(package)))
    assert not found.left_out
    assert not report.left_out
    assert not report.unseen


def served(names: Iterable[str], cache: Path) -> Mapping[str, str]:
    """The findings of the server's worker after some files are opened, one after the other."""
    from promo_mypy.lsp.messages import Document, Edits
    from promo_mypy.lsp.program import Program

    program = Program(lambda _: None)
    program.update(Edits(anew=request_of(cache)))
    for name in names:
        path = Path(name).absolute()
        program.update(Edits((Document(str(path), 1, path.read_text(encoding="utf-8")),)))
    home = Path.cwd()
    found = [finding for file in program.files for finding in program.findings(file)]
    program.update(Edits(closed=tuple(file.path for file in program.files)))
    return {Path(path).relative_to(home).as_posix(): dtype for path, dtype in named(found).items()}
