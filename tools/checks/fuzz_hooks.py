"""Hooks of the fuzz run (fuzz.ts): data that no schema can tell.

What is valid in form only would hardly ever name something that exists: tokens, markets and events would all be 404,
snapshots 410, and the rest of their requests would go untested. So most of such values become ones that exist. And a
schema cannot say that one parameter is to be smaller than another: ranges that are upside down are turned round.
"""

import json
import os
import re
import zlib
from datetime import datetime, timezone
from urllib.parse import unquote

import schemathesis

DATA = json.loads(os.environ["FUZZ_DATA"])
SNAPSHOT = re.compile(DATA["patterns"]["snapshot"])
TOKEN = re.compile(DATA["patterns"]["token"])
SEGMENT = re.compile(DATA["patterns"]["segment"])
LONGEST_SEGMENT = 500
RELATIVE = re.compile(r"^[+ ]?(\d+)([hd])$")
# One value in so many stays as it was made up: what is unknown must be refused well, too.
LEFT_ALONE = 8


def chosen(value, known):
    """One of the known values, always the same for the same value; now and then the value itself."""
    number = zlib.crc32(repr(value).encode())
    alone = number % LEFT_ALONE == 0 and value not in DATA["examples"]
    return value if alone else known[number % len(known)]


def token(value):
    return chosen(value, DATA["tokens"]) if isinstance(value, str) and TOKEN.fullmatch(value) else value


def moment(value):
    """When a moment is, in seconds; None for what is none."""
    if not isinstance(value, str):
        return None
    relative = RELATIVE.match(value)
    if relative:
        hours = int(relative[1]) * (24 if relative[2] == "d" else 1)
        return DATA["asOf"] + hours * 3_600
    try:
        read = datetime.fromisoformat(value.replace("Z", "+00:00").replace("z", "+00:00"))
    except ValueError:
        return None
    return (read if read.tzinfo else read.replace(tzinfo=timezone.utc)).timestamp()


def number(value):
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def order(query, low, high, value_of):
    """Turns a range round that is upside down; one in which nothing can lie loses its end."""
    first, last = value_of(query.get(low)), value_of(query.get(high))
    if first is None or last is None:
        return
    if first > last:
        query[low], query[high] = query[high], query[low]
    if value_of is moment and first == last:
        del query[high]


@schemathesis.hook
def before_call(context, case, kwargs):
    query = case.query or {}
    for name in ("snapshot", "since"):
        if isinstance(query.get(name), str) and SNAPSHOT.fullmatch(query[name]):
            query[name] = DATA["snapshot"]
    if "token_id" in query:
        sent = query["token_id"]
        query["token_id"] = [token(one) for one in sent] if isinstance(sent, list) else token(sent)
    order(query, "minProbability", "maxProbability", number)
    order(query, "endsAfter", "endsBefore", moment)
    path = case.path_parameters or {}
    for name, known in (("id", DATA["ids"]), ("slug", DATA["events"])):
        # Percent-encoded already: whether it is valid is a question of what it stands for.
        value = unquote(path[name]) if isinstance(path.get(name), str) else ""
        if len(value) <= LONGEST_SEGMENT and SEGMENT.fullmatch(value):
            path[name] = chosen(value, known)
    if isinstance(case.body, dict) and isinstance(case.body.get("method"), str):
        message(case.body)


def message(body):
    """A method that exists, and for a call of a tool its name and arguments of any form."""
    method = chosen(body["method"], ["ping", "tools/list", "tools/call", "tools/call", "tools/call"])
    body["method"] = method
    params = body.get("params", {})
    if method == "tools/call" and isinstance(params, dict):
        tool = chosen(repr(params), DATA["tools"])
        if isinstance(tool, dict):
            body["params"] = {"name": tool["name"], "arguments": {**params, **tool["arguments"]}}
