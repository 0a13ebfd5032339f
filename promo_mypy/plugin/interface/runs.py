"""A run of mypy with the plugin: how it is switched on, and what it tells besides mypy's errors."""

from promo_mypy.plugin import mypy_versions
from promo_mypy.plugin.diagnostics.findings import dtypes_text
from promo_mypy.plugin.error_codes import CODES, PARENT_CODE
from promo_mypy.plugin.hooks import PromoPlugin
from promo_mypy.plugin.mypy_api.modules.module_states import state_digest
from promo_mypy.plugin.mypy_api.modules.semantic_analysis import call_first
from promo_mypy.plugin.mypy_api.reports.told import finding_of
from promo_mypy.plugin.process.activation import PLUGIN, activated
from promo_mypy.plugin.process.fingerprint import source_digest
from promo_mypy.plugin.state.listener import Difference, Listener, Place
from promo_mypy.plugin.state.notes import Notes
from promo_mypy.plugin.trees.file_texts import UNSAVED

__all__ = [
    "CODES",
    "PARENT_CODE",
    "PLUGIN",
    "UNSAVED",
    "Difference",
    "Listener",
    "Notes",
    "Place",
    "PromoPlugin",
    "activated",
    "call_first",
    "dtypes_text",
    "finding_of",
    "mypy_versions",
    "source_digest",
    "state_digest",
]
