"""Validate packages in a test session: instrument their imports, and report at the end.

With pytest-xdist each worker validates and sends its counts to the controller, which reports.
"""

import ast
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from promo_pytest.inference_runs import inference_of
from promo_runtime.instrumentation.instrumented_imports import InstrumentedImports, Source
from promo_runtime.recording.recorded_sessions import Recording
from promo_runtime.recording.recorded_sources import SEE
from promo_runtime.recording.recorder import source_text
from promo_runtime.validation.call_checks import Watch
from promo_runtime.validation.checked import instrumenting_names
from promo_runtime.validation.checked_sources import with_checks
from promo_runtime.validation.confirmations import Confirmations
from promo_runtime.validation.confirmed_sources import LOOK
from promo_runtime.validation.inferred_expressions import InferenceError, read_inference

_KEY: Final = "promo"


def start(config: pytest.Config) -> None:
    """Instrument the packages that the options name. Raises pytest.UsageError."""
    given = config.known_args_namespace
    # An option may be given several times, and a worker of pytest-xdist gets its values twice.
    options = (given.promo_check, given.promo_confirm, given.promo_record)
    checked, confirmed, recorded = (list(dict.fromkeys(each)) for each in options)
    if confirmed and recorded:
        raise pytest.UsageError("--promo-confirm and --promo-record cannot be used together: run one after the other")
    confirmations, output = None, None
    if confirmed:
        try:
            if given.promo_confirm_from is None:
                # Stored in the options, so that workers need not run mypy again.
                folders = (config.invocation_params.dir, config.rootpath, config.rootpath / "src")
                output = inference_of(confirmed, folders)
                given.promo_confirm_from = config.option.promo_confirm_from = output
            text = Path(given.promo_confirm_from).read_text(encoding="utf-8")
            confirmations = Confirmations(read_inference(text, config.invocation_params.dir))
        except (InferenceError, OSError) as error:
            raise pytest.UsageError(f"--promo-confirm: {error}") from error
    output_file = config.invocation_params.dir / given.promo_record_to
    recording = Recording(recorded, output_file, _running_test) if recorded else None
    validation = Validation(config, checked, confirmed, confirmations, recording)
    validation.install()
    config.pluginmanager.register(validation, "promo-validation")
    if output is not None:
        config.add_cleanup(Path(output).unlink)


class Validation:
    """The hooks of one session."""

    def __init__(
        self,
        config: pytest.Config,
        checked: Sequence[str],
        confirmed: Sequence[str],
        confirmations: Confirmations | None,
        recording: Recording | None,
    ) -> None:
        self._config = config
        self._recording = recording
        self._checked, self._confirmed = checked, confirmed
        self._watch = Watch()
        self._confirmations = confirmations
        names = instrumenting_names(self._watch)
        if confirmations is not None:
            names[LOOK] = confirmations.look
        recorded = recording.packages if recording is not None else []
        if recording is not None:
            names[SEE] = recording.recorder.see
        packages = list(dict.fromkeys([*checked, *confirmed, *recorded]))
        self._imports = InstrumentedImports(packages, self._instrument, names)

    def install(self) -> None:
        """Install the import hook. Raises pytest.UsageError for a package that was imported before."""
        late = self._imports.already_imported()
        if late:
            raise pytest.UsageError(
                f"{', '.join(late)} cannot be checked because pytest imports it before conftest files: "
                "import it in tests or in conftest.py, not in a plugin that -p or an entry point names"
            )
        self._imports.install()

    def _instrument(self, tree: ast.Module, source: Source) -> ast.Module:
        if self._confirmations is not None and _is_in(source.module, self._confirmed):
            tree = self._confirmations.instrument(tree, source.path)
        if self._recording is not None and _is_in(source.module, self._recording.packages):
            tree = self._recording.recorder.instrument(tree, source_text(source.content), source.module)
        return with_checks(tree) if _is_in(source.module, self._checked) else tree

    def pytest_unconfigure(self) -> None:
        """Later sessions in this process import as usual."""
        self._imports.remove()

    def pytest_runtest_setup(self) -> None:
        """Each test may bring other dtypes to a place."""
        if self._recording is not None:
            self._recording.recorder.look_again()

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """A worker sends its counts; a session with differences fails."""
        output = getattr(self._config, "workeroutput", None)
        if output is not None:
            output[_KEY] = json.dumps(self._state())
        elif self._confirmations is not None and self._confirmations.differ and not session.exitstatus:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add the counts of a worker of pytest-xdist."""
        state = getattr(node, "workeroutput", {}).get(_KEY)
        if state is not None:
            self._add(json.loads(state))

    def _state(self) -> dict[str, Any]:
        self._note_left_out()
        confirmed = self._confirmations.state() if self._confirmations is not None else None
        return {
            "watch": [sorted(self._watch.functions), self._watch.calls, self._watch.seconds],
            "imports": [sorted(self._imports.imported), self._imports.left_out, self._imports.seconds],
            "confirmed": confirmed,
            "recorded": self._recording.state() if self._recording is not None else None,
        }

    def _add(self, state: dict[str, Any]) -> None:
        functions, calls, seconds = state["watch"]
        self._watch.functions.update(functions)
        self._watch.calls += calls
        self._watch.seconds += seconds
        imported, left_out, seconds = state["imports"]
        self._imports.imported.update(imported)
        self._imports.left_out.update(left_out)
        self._imports.seconds += seconds
        if self._confirmations is not None:
            self._confirmations.add(state["confirmed"])
        if self._recording is not None:
            self._recording.add(state["recorded"])

    def _note_left_out(self) -> None:
        for module, path in self._imports.left_out.items():
            if self._confirmations is not None and _is_in(module, self._confirmed):
                self._confirmations.leave_out(path)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print what was checked and confirmed, and the time it took."""
        self._note_left_out()
        write = terminalreporter.write_line
        terminalreporter.section("promo-mypy")
        if self._checked:
            watch, packages = self._watch, ", ".join(self._checked)
            counts = f"{watch.calls} calls of {len(watch.functions)} functions and dataclasses checked in {packages}"
            write(f"promo-check: {counts}: {watch.seconds:.3f} s, and {self._imports.seconds:.3f} s at import")
        if self._confirmations is not None:
            write(f"promo-confirm: {', '.join(self._confirmed)}: {self._confirmations.summary()}")
            for line in self._confirmations.report(self._file_names()):
                write(line, red=True)
            of_empty = self._confirmations.report_of_empty(self._file_names())
            if of_empty:
                write("because a sequence is empty:", yellow=True)
                for line in of_empty:
                    write(line, yellow=True)
        if self._recording is not None:
            write(f"promo-record: {self._recording.written()}")
        missing = [name for name in self._imports.packages if not self._seen(name)]
        if missing:
            write(f"never imported: {', '.join(missing)}", yellow=True)
        if self._imports.left_out:
            write(
                f"left as they are (compiled, or loaded by another hook): {', '.join(sorted(self._imports.left_out))}"
            )

    def _seen(self, package: str) -> bool:
        return any(_is_in(module, [package]) for module in (*self._imports.imported, *self._imports.left_out))

    def _file_names(self) -> dict[str, str]:
        """The files below pytest's start folder -> their relative names."""
        confirmations, folder = self._confirmations, self._config.invocation_params.dir.resolve()
        paths = {Path(each.path) for each in confirmations.expressions} if confirmations is not None else set()
        return {str(path): path.relative_to(folder).as_posix() for path in paths if path.is_relative_to(folder)}


def _running_test() -> str:
    return os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]


def _is_in(module: str, packages: Sequence[str]) -> bool:
    return any(f"{module}.".startswith(f"{package}.") for package in packages)
