"""The former place of the plugin `openspiel`, for checkouts whose entry points are older.

It stands apart because nothing imports it: `pip install -e .` replaces the entry point.
"""

import sys
from importlib import import_module

sys.modules[__name__] = import_module("cardhub_openspiel")
