"""python-lsp-server with pylsp-mypy, over stdio: it shows mypy's errors, and so those of the plugin."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import IO, Any, Final

import pytest

from tests.mypy_runs import environment
from tests.needed import needs

pytestmark = pytest.mark.slow

needs("pylsp", "pylsp_mypy")

#: Seconds after which a test gives up. NumPy may have to be read without a cache.
PATIENCE: Final = 120.0
RIGHT, WRONG = "image + 3", "image + 300"
PROGRAM = f"""\
import numpy as np
import numpy.typing as npt


def shift(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    return {WRONG}
"""
#: Lines and columns count from 0, and the end is after the last character.
FOUND = ("promo-overflow", (5, 11), (5, 22))
COMMANDS = str(Path(sys.executable).parent)


class Server:
    """A running pylsp. pygls cannot read all of its capabilities, so this speaks plain JSON-RPC."""

    def __init__(self, process: "subprocess.Popen[bytes]", folder: Path) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._input, self._messages = process.stdin, Queue[dict[str, Any]]()
        self._version = 0
        Thread(target=self._listen, args=(process.stdout,), daemon=True).start()
        self.ask("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}})
        self.tell("initialized", {})

    def ask(self, method: str, params: dict[str, Any] | None) -> None:
        """Ask something, and wait for the answer."""
        self._send({"id": method, "method": method, "params": params})
        while self._messages.get(timeout=PATIENCE).get("id") != method:
            pass

    def tell(self, method: str, params: dict[str, Any] | None) -> None:
        """Tell of something."""
        self._send({"method": method, "params": params})

    def change(self, path: Path, text: str) -> None:
        """Open a document, or change its text."""
        self._version += 1
        document = {"uri": path.as_uri(), "version": self._version}
        if self._version == 1:
            item = document | {"languageId": "python", "text": text}
            self.tell("textDocument/didOpen", {"textDocument": item})
        else:
            self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def shows(self, *errors: tuple[object, ...]) -> None:
        """Wait until these are the errors of mypy. pylsp has checks of its own, too."""
        while True:
            message = self._messages.get(timeout=PATIENCE)
            if message.get("method") == "textDocument/publishDiagnostics":
                found = [each for each in message["params"]["diagnostics"] if each["source"] == "mypy"]
                if [_error(each) for each in found] == [*errors]:
                    return

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0"} | message).encode()
        self._input.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._input.flush()

    def _listen(self, output: IO[bytes]) -> None:
        length = 0
        for line in output:
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
            elif not line.strip():
                self._messages.put(json.loads(output.read(length)))


def _error(diagnostic: dict[str, Any]) -> tuple[object, ...]:
    start, end = diagnostic["range"]["start"], diagnostic["range"]["end"]
    return diagnostic["code"], (start["line"], start["character"]), (end["line"], end["character"])


@contextmanager
def _served(folder: Path, commands: str = COMMANDS) -> Iterator[Server]:
    """A server in a folder, where the commands of another folder can be found; it must end well."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pylsp"],
        cwd=folder,
        env=environment() | {"PATH": commands},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with process:
        try:
            server = Server(process, folder)
            yield server
            server.ask("shutdown", None)
            server.tell("exit", None)
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()


@pytest.fixture
def folder(tmp_path: Path, plugin_cache: Path) -> Path:
    home = tmp_path / "two words"
    home.mkdir()
    (home / "pyproject.toml").write_text(
        f"[tool.mypy]\nplugins = ['promo_mypy.plugin']\nstrict = true\ncache_dir = '{plugin_cache}'\n"
    )
    (home / "shift.py").write_text(PROGRAM)
    return home


@pytest.fixture
def dmypy(folder: Path) -> Iterator[Path]:
    """The same folder, where pylsp-mypy asks mypy's daemon."""
    with (folder / "pyproject.toml").open("a") as options:
        options.write("\n[tool.pylsp-mypy]\ndmypy = true\nlive_mode = false\n")
    yield folder
    stop = [sys.executable, "-m", "mypy.dmypy", "--status-file", ".dmypy.json", "kill"]
    subprocess.run(stop, cwd=folder, env=environment(), capture_output=True, check=False)


# Without a command on the path, the server calls mypy: each check has the state that the one before left.
@pytest.mark.parametrize("commands", [COMMANDS, ""], ids=["command", "in the server"])
def test_unsaved_code_is_checked(folder: Path, commands: str) -> None:
    path = folder / "shift.py"
    with _served(folder, commands) as server:
        server.change(path, PROGRAM)
        server.shows(FOUND)
        server.change(path, PROGRAM.replace(WRONG, RIGHT))
        server.shows()
        server.change(path, PROGRAM)
        server.shows(FOUND)
    assert path.read_text() == PROGRAM


def test_saved_code_is_checked_by_the_daemon(dmypy: Path) -> None:
    path = dmypy / "shift.py"
    with _served(dmypy) as server:
        server.change(path, PROGRAM)
        server.shows(FOUND)
        mended = PROGRAM.replace(WRONG, RIGHT)
        server.change(path, mended)
        path.write_text(mended)
        server.tell("textDocument/didSave", {"textDocument": {"uri": path.as_uri()}})
        server.shows()
