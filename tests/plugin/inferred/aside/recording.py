"""Check every part of every file aside, and write down the errors.

Only a process of mypy may import this: it changes the plugin.
"""

import json
from pathlib import Path
from typing import Final

from mypy.nodes import MypyFile

from promo_mypy.plugin.hooks import PromoPlugin
from promo_mypy.plugin.inferred.aside.stock_errors import check_as_stock
from promo_mypy.plugin.messages import shown_messages
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker
from promo_mypy.plugin.state.watch import Watch
from promo_mypy.plugin.trees.file_parts import parts
from tests.plugin.inferred.aside.oracle import WRITTEN

_CHECKERS: Final[dict[str, TypeChecker]] = {}
_track = Watch._track_variables


def _remember(watch: Watch, current: TypeChecker) -> None:
    _CHECKERS[current.tree.fullname] = current
    _track(watch, current)


def _record(_plugin: PromoPlugin, file: MypyFile) -> set[str]:
    """Check the parts of a file that the plugin follows, when mypy has checked it."""
    current = _CHECKERS.pop(file.fullname, None)
    if current is not None and current.path not in current.errors.ignored_files and not file.is_stub:
        with Path(WRITTEN).open("a", encoding="utf-8") as written:
            for part in parts(file):
                for each in check_as_stock(current, part).errors:
                    shown_messages.clean(each)
                    code = each.code.code if each.code is not None else None
                    row = (file.path, each.line, each.severity, code, each.message)
                    written.write(json.dumps(row) + "\n")
    return set()


setattr(PromoPlugin, "get_additional_indirect_deps", _record)  # noqa: B010  # mypy accepts no assignment to a method
setattr(Watch, "_track_variables", _remember)  # noqa: B010  # the same
