"""Hooks of the fuzz run (fuzz.ts): data that no schema can tell.

A snapshot's id is valid in form for ever, and is kept for an hour only: made-up ones would all be 410, and with them
every other parameter of their request would go untested. So an id that is valid in form becomes one that is kept.
"""

import os
import re

import schemathesis

PATTERN = re.compile(os.environ["FUZZ_SNAPSHOT_PATTERN"])
KEPT = os.environ["FUZZ_SNAPSHOT"]


@schemathesis.hook
def before_call(context, case, kwargs):
    snapshot = (case.query or {}).get("snapshot")
    if isinstance(snapshot, str) and PATTERN.fullmatch(snapshot):
        case.query["snapshot"] = KEPT
