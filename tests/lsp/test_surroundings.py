"""The server follows options, settings and folders without a restart, survives its workers, and executes no code."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.lsp.editor import Editor, follow, project, run, session, types
from tests.mypy_runs import environment

pytestmark = pytest.mark.slow

#: A finding that is off by default in its last line, and the dtype of it depends on an option.
WIDEN = """\
import numpy as np
import numpy.typing as npt


def widen(image: npt.NDArray[np.uint8]) -> object:
    return image / 255
"""
MISMATCH, WIDENING = "promo-mismatch", "promo-widening"
MISTAKE = """\
import numpy as np


def half() -> np.float32:
    return np.float64(0.5)
"""


def test_options_hold_at_once(tmp_path: Path, check_cache: Path) -> None:
    folder = project(tmp_path / "work", check_cache, widen=WIDEN)
    options = folder / "promo-mypy.toml"
    before = options.read_text()

    async def scenario(editor: Editor, uri: str) -> None:
        await editor.wait(lambda: bool(editor.registered))
        (registration,) = editor.registered
        assert "promo-mypy.toml" in str(registration.register_options)
        options.write_text(f"{before}select = ['{WIDENING}']\n")
        editor.tell_changed(options)
        await editor.codes(uri, WIDENING)
        # An editor that watches no files: the next edit notices.
        options.write_text(before)
        editor.change(uri, "/ 255", "/ 256")
        await editor.codes(uri)
        # A mistake in the options is told, and the last good ones stay.
        options.write_text("selekt = 1\n")
        editor.tell_changed(options)
        await editor.wait(lambda: any("selekt" in each.message for each in editor.messages))
        options.write_text(f"{before}select = ['{WIDENING}']\n")
        editor.tell_changed(options)
        await editor.codes(uri, WIDENING)

    follow(folder / "widen.py", scenario)


def test_excluded_files_have_hints_and_no_findings(tmp_path: Path, check_cache: Path) -> None:
    folder = project(tmp_path / "work", check_cache, half=MISTAKE, half_pb2=MISTAKE)
    (folder / "build").mkdir()
    (folder / "build" / "made.py").write_text(MISTAKE)
    options = folder / "promo-mypy.toml"
    before = options.read_text()
    options.write_text(f"{before}exclude = ['*_pb2.py', 'build']\n")

    async def scenario() -> None:
        async with session(folder, cwd=tmp_path) as editor:
            paths = [folder / name for name in ("half.py", "half_pb2.py", "build/made.py")]
            kept, *excluded = [editor.open(path) for path in paths]
            await editor.codes(kept, MISMATCH)
            for uri in excluded:
                await editor.codes(uri)
                editor.change(uri, "np.float64(0.5)", "x")
                editor.change(uri, "    return", "    x = np.float64(0.5)\n    return")
                await editor.hints_until(uri, [(4, 5, ": float64")])
                await editor.codes(uri)
            options.write_text(before)
            editor.tell_changed(options)
            for uri in excluded:
                await editor.codes(uri, MISMATCH)

    run(scenario())


def test_settings_of_the_editor_hold_at_once(tmp_path: Path, check_cache: Path) -> None:
    folder = project(tmp_path / "work", check_cache, widen=WIDEN)

    async def scenario() -> None:
        options = {"promo-mypy": {"select": [WIDENING]}}
        async with session(folder, cwd=tmp_path, options=options) as editor:
            editor.set_configuration(options["promo-mypy"], section="promo-mypy")
            uri = editor.open(folder / "widen.py")
            await editor.codes(uri, WIDENING)
            editor.configure(select=[WIDENING], ignore=[WIDENING])
            await editor.codes(uri)
            editor.configure(select=["promo-wider"], inlayHints=3)
            await editor.wait(lambda: len(editor.messages) == 2)
            assert [each.message for each in editor.messages] == [
                "promo-mypy: inlayHints should be an object with assignments and operators",
                "promo-mypy: select: no diagnostic has the code promo-wider",
            ]

    run(scenario())


def test_each_folder_has_its_own_options(tmp_path: Path, check_cache: Path) -> None:
    one = project(tmp_path / "one", check_cache, widen=WIDEN)
    two = project(tmp_path / "two words", check_cache, widen=WIDEN)
    (two / "promo-mypy.toml").write_text((two / "promo-mypy.toml").read_text() + f"select = ['{WIDENING}']\n")
    outside = project(tmp_path / "outside", check_cache, half=MISTAKE)

    async def scenario() -> None:
        async with session(one, two, cwd=tmp_path) as editor:
            first, second = editor.open(one / "widen.py"), editor.open(two / "widen.py")
            third = editor.open(outside / "half.py")
            await editor.codes(second, WIDENING)
            await editor.codes(first)
            await editor.codes(third, MISMATCH)
            # A folder leaves, and its findings with it.
            left = [types.WorkspaceFolder(two.as_uri(), two.name)]
            event = types.WorkspaceFoldersChangeEvent(added=[], removed=left)
            editor.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
            await editor.codes(second)

    run(scenario())


def test_a_new_library_and_a_new_file_are_read(tmp_path: Path, check_cache: Path) -> None:
    folder = project(tmp_path / "work", check_cache, half="x = 1\n")

    async def scenario(editor: Editor, uri: str) -> None:
        editor.change(uri, "x = 1\n", MISTAKE)
        await editor.codes(uri, MISMATCH)
        # The module comes later than its import.
        editor.change(uri, "np.float64(0.5)", "later()")
        editor.change(uri, "import numpy as np\n", "import numpy as np\nfrom later import later\n")
        await editor.codes(uri)
        (folder / "later.py").write_text("import numpy as np\n\n\ndef later() -> np.float64: ...\n")
        editor.tell_changed(folder / "later.py", types.FileChangeType.Created)
        await editor.codes(uri, MISMATCH)

    follow(folder / "half.py", scenario)


def test_the_code_is_not_executed(tmp_path: Path, check_cache: Path) -> None:
    trace = tmp_path / "trace"
    effect = f"open({str(trace)!r}, 'w').close()\n"
    folder = project(tmp_path / "work", check_cache, half=effect + MISTAKE, conftest=effect, numpy_effect=effect)
    (folder / "sitecustomize.py").write_text(effect)
    (folder / "json.py").write_text(effect)

    async def scenario() -> None:
        # The server and its workers start in the folder.
        async with session(folder, cwd=folder) as editor:
            uri = editor.open(folder / "half.py")
            await editor.codes(uri, MISMATCH)
            editor.change(uri, "0.5", "0.25")
            await editor.codes(uri, MISMATCH)

    run(scenario())
    assert not trace.exists()


def test_the_extra_may_be_missing(tmp_path: Path) -> None:
    program = "import sys; sys.modules['pygls'] = None; sys.argv[1:] = ['lsp']\nfrom promo_mypy.cli import main\nmain()"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    told = 'promo-mypy: error: the language server needs pygls 2: python -m pip install "promo-mypy[lsp]"\n'
    assert done.stderr == told


def test_a_worker_that_ends_is_started_again(tmp_path: Path, check_cache: Path) -> None:
    folder = project(tmp_path / "work", check_cache, half=MISTAKE)

    async def scenario(editor: Editor, uri: str) -> None:
        assert editor._server is not None
        kill_children(editor._server.pid)
        editor.change(uri, "np.float64", "np.float32")
        await editor.codes(uri)

    follow(folder / "half.py", scenario, MISMATCH)


def kill_children(pid: int) -> None:
    """Kill the processes that a process has started."""
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=True)
    for child in listed.stdout.split():
        subprocess.run(["kill", "-9", child], check=True)
